/* An asymmetric barrier: of two threads that each store and then load what the other stores, at least one must see the
 * other's store. Usually each pays for a fence in between. With membarrier(2) the one that comes here rarely pays for both:
 *
 *     often:   store a;  asymmetric_light();  load b          no instruction at all
 *     rarely:  store b;  asymmetric_heavy();  load a          some microseconds
 *
 * asymmetric_heavy has every running thread of the process pass a full barrier before it returns. So if the frequent side's
 * load came before its barrier, its store did too, and is seen; and if it comes after, it sees b.
 *
 * Where membarrier(2) is missing, in a sandbox or before Linux 4.14, and in builds for checkers, which know nothing of it,
 * asymmetric.is_light is false: both sides must then store and load with sequential consistency.
 */
#ifndef ACTORBENCH_PLATFORM_ASYMMETRIC_H
#define ACTORBENCH_PLATFORM_ASYMMETRIC_H

#include <stdbool.h>

#include "cpu.h"

struct asymmetric {
    CACHE_ALIGNED bool is_light; /* whether the barrier can be had: constant after asymmetric_prepare */
};

extern struct asymmetric asymmetric;

/* Asks the kernel for the barrier; before threads that use it start. May be called again. */
void asymmetric_prepare(void);

/* Keeps the compiler from moving a load before a store. */
static inline void asymmetric_light(void) {
    __asm__ volatile("" : : : "memory");
}

/* Has every running thread of the process pass a full barrier. Nothing where asymmetric.is_light is false. */
void asymmetric_heavy(void);

#endif
