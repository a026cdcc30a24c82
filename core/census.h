/* The census: how many actors were made and how many have terminated (thesis, "Executor").
 *
 * `created` counts actors and, as one more, main itself, which may still make some; `terminated` counts actors, and
 * main while it waits. So the two are equal only when nobody is left who could make an actor, and every wait ends
 * exactly once. An actor's number at creation deals it out to workers.
 */
#ifndef ACTORBENCH_CENSUS_H
#define ACTORBENCH_CENSUS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/parking.h"

struct census {
    CACHE_ALIGNED ATOMIC(uint64_t) created;
    CACHE_ALIGNED ATOMIC(uint64_t) terminated;
    ATOMIC(uint64_t) unused;                       /* numbers that were drawn, and that no actor got */
    CACHE_ALIGNED ATOMIC(uint32_t) all_terminated; /* a parking word for who waits in actorbench_wait */
};

extern struct census census;

static inline void census_init(void) {
    atomic_initialise(&census.created, 1);
    atomic_initialise(&census.terminated, 0);
    atomic_initialise(&census.unused, 0);
    atomic_initialise(&census.all_terminated, 0);
}

/* Counts so many new actors; the number of the first, from 0. Relaxed: their creator terminates later, and that orders it. */
static inline uint64_t census_add(uint64_t actors) {
    return atomic_fetch_add_relaxed(&census.created, actors) - 1;
}

/* How many actors were made, without main. */
static inline uint64_t census_created(void) {
    return atomic_load_relaxed(&census.created) - atomic_load_relaxed(&census.unused) - 1;
}

/* Counts so many actors, or a waiting main, as gone; true if they were the last.
 * Acquire and release: whoever sees the count has seen all that the others did, their creations of actors included. */
static inline bool census_remove(uint64_t actors) {
    uint64_t terminated = atomic_fetch_add_acq_rel(&census.terminated, actors) + actors;
    return unlikely(terminated == atomic_load_relaxed(&census.created));
}

/* So many actors that were made by main just now are not waited for, and not counted. */
static inline void census_hide(uint64_t actors) {
    atomic_fetch_add_relaxed(&census.unused, actors);
    (void)census_remove(actors); /* never the last: main is there */
}

/* They are, from here on. */
static inline void census_await(uint64_t actors) {
    (void)census_add(actors);
    atomic_fetch_add_relaxed(&census.unused, actors);
}

/* Tells main that the last actor has terminated. */
static inline void census_announce(void) {
    atomic_store_release(&census.all_terminated, 1); /* pairs with the acquire in census_wait */
    parking_wake(&census.all_terminated);
}

/* For main: waits until all actors have terminated. */
static inline void census_wait(void) {
    if (!census_remove(1))
        while (atomic_load_acquire(&census.all_terminated) == 0) /* pairs with the release in census_announce */
            parking_wait(&census.all_terminated, 0, PARKING_NO_TIMEOUT);
    atomic_store_relaxed(&census.all_terminated, 0);
    atomic_fetch_sub_relaxed(&census.terminated, 1); /* main may make actors again */
}

#endif
