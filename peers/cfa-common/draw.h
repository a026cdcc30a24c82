/* Random numbers of --seed that can be drawn again: a workload draws them as it runs, and once more to verify. */
#ifndef DRAW_H
#define DRAW_H

#include <stdint.h>

#if defined(__cplusplus) || defined(__cforall)
extern "C" {
#endif

/* The number at `position` of a stream, both under 2^32: a function of its arguments and the seed, without a state. */
uint64_t draw(uint64_t stream, uint64_t position);

/* 0 .. bound - 1, from the upper or the lower half of a number that was drawn; the bound is under 2^32. */
uint64_t upper_below(uint64_t number, uint64_t bound);
uint64_t lower_below(uint64_t number, uint64_t bound);

/* Whom an actor of `big` pings at a time: any of the actors but itself. */
uint64_t draw_recipient(uint64_t sender, uint64_t number, uint64_t actors);

#if defined(__cplusplus) || defined(__cforall)
}
#endif

#endif
