/* Random numbers of --seed that can be drawn again: a workload draws them as it runs, and once more to verify. */
#ifndef ACTORBENCH_WORKLOADS_DRAW_H
#define ACTORBENCH_WORKLOADS_DRAW_H

#include "workload.h"

/* The number at `position` of a stream; both under 2^32. A function of its arguments and the seed, without a state
 * (the finaliser of splitmix64). */
static inline uint64_t draw(uint64_t stream, uint64_t position) {
    uint64_t number = (stream << 32 | position) * UINT64_C(0x9e3779b97f4a7c15) + workload_seed();
    number = (number ^ (number >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ (number >> 27)) * UINT64_C(0x94d049bb133111eb);
    return number ^ (number >> 31);
}

/* 0 .. bound - 1, from the upper or the lower half of a number that was drawn; the bound is under 2^32. */
static inline uint64_t upper_below(uint64_t number, uint64_t bound) {
    return (number >> 32) * bound >> 32;
}
static inline uint64_t lower_below(uint64_t number, uint64_t bound) {
    return (uint32_t)number * bound >> 32;
}

#endif
