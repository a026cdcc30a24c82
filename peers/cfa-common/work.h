/* Computation of a given length, for workloads whose messages have some (--work NS). */
#ifndef WORK_H
#define WORK_H

#include <stdint.h>

#if defined(__cplusplus) || defined(__cforall)
extern "C" {
#endif

/* How many steps take `nanoseconds` on this machine now; 0 for 0. Takes about 20 ms. */
uint64_t work_calibrate(uint64_t nanoseconds);

/* Computes for that many steps. From any thread. */
void work_do(uint64_t steps);

#if defined(__cplusplus) || defined(__cforall)
}
#endif

#endif
