/* A small, seeded generator of pseudo-random numbers (xorshift64*), one a worker: no state is shared. */
#ifndef ACTORBENCH_PLATFORM_RANDOM_H
#define ACTORBENCH_PLATFORM_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};

/* Generators of the same seed and different streams start far apart (one step of splitmix64). */
static inline struct random random_seed(uint64_t seed, uint64_t stream) {
    uint64_t mixed = seed + (stream + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    mixed ^= mixed >> 31;
    struct random generator = {mixed ? mixed : 1}; /* zero is the one state that xorshift never leaves */
    return generator;
}

/* The next number: 32 random bits. */
static inline uint32_t random_next(struct random *generator) {
    uint64_t state = generator->state;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    generator->state = state;
    return (uint32_t)((state * UINT64_C(0x2545f4914f6cdd1d)) >> 32);
}

/* A number in 0 .. bound - 1 (bound > 0), by multiplication in place of a division; the bias is under bound / 2^32. */
static inline uint32_t random_below(struct random *generator, uint32_t bound) {
    return (uint32_t)(((uint64_t)random_next(generator) * bound) >> 32);
}

#endif
