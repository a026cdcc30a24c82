/* Constants that shrink in the builds for a search (ACTORBENCH_SMALL), so that a run of a few messages comes to where
 * storage grows, counters wrap around and patience ends. */
#ifndef ACTORBENCH_PLATFORM_SMALL_H
#define ACTORBENCH_PLATFORM_SMALL_H

#include <stdint.h>

#if defined(ACTORBENCH_SMALL)
#define TESTED(usual, small) (small)
#else
#define TESTED(usual, small) (usual)
#endif

/* What counters modulo 2^32 start with: an even number. */
#define FIRST_COUNT TESTED(0, UINT32_MAX - 1)

#endif
