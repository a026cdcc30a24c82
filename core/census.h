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
#include "platform/small.h"

struct census {
    CACHE_ALIGNED ATOMIC(uint64_t) created;
    CACHE_ALIGNED ATOMIC(uint64_t) terminated;
    ATOMIC(uint64_t) unused;                       /* numbers that no actor got */
    CACHE_ALIGNED ATOMIC(uint32_t) all_terminated; /* a parking word for who waits in executor_wait */
};

extern struct census census;

static inline void census_init(void) {
    atomic_initialise(&census.created, 1);
    atomic_initialise(&census.terminated, 0);
    atomic_initialise(&census.unused, 0);
    atomic_initialise(&census.all_terminated, 0);
}

/* Counts a new actor; its number, from 0. Relaxed: its creator terminates later, and that orders it. */
static inline uint64_t census_add(void) {
    return atomic_fetch_add_relaxed(&census.created, 1) - 1;
}

/* How many actors were made, without main. */
static inline uint64_t census_created(void) {
    return atomic_load_relaxed(&census.created) - atomic_load_relaxed(&census.unused) - 1;
}

/* Counts an actor, or a waiting main, as gone; true if it was the last.
 * Acquire and release: whoever sees the count has seen all that the others did, their creations of actors included. */
static inline bool census_remove(void) {
    uint64_t terminated = atomic_fetch_add_acq_rel(&census.terminated, 1) + 1;
    return unlikely(terminated == atomic_load_relaxed(&census.created));
}

/* A worker's account, for --census batched: actors that it may still make, counted as made when it drew them, and ends that
 * it has not told. So `created` is never less than what was made, and `terminated` never more than what has ended: the two
 * cannot meet early. The worker settles its account whenever it finds nothing to do, and nothing is left out at the end. */
struct census_account {
    uint64_t number; /* of the next actor that it makes */
    uint32_t left;   /* how many it may make */
    uint32_t ended;
};

enum { CENSUS_DRAW = TESTED(64, 2) };

/* Counts a new actor of the account's worker; its number. Relaxed: as in census_add. */
static inline uint64_t census_account_add(struct census_account *account) {
    if (unlikely(account->left == 0)) {
        account->number = atomic_fetch_add_relaxed(&census.created, CENSUS_DRAW) - 1;
        account->left = CENSUS_DRAW;
    }
    account->left--;
    return account->number++;
}

/* Tells what has ended and gives back what was not made; true if nobody is left. */
static inline bool census_account_settle(struct census_account *account) {
    uint32_t settled = account->left + account->ended;
    if (likely(settled == 0))
        return false;
    atomic_fetch_add_relaxed(&census.unused, account->left); /* relaxed: read when all workers have ended */
    account->left = account->ended = 0;
    uint64_t terminated = atomic_fetch_add_acq_rel(&census.terminated, settled) + settled; /* as in census_remove */
    return terminated == atomic_load_relaxed(&census.created);
}

/* Tells main that the last actor has terminated. */
static inline void census_announce(void) {
    atomic_store_release(&census.all_terminated, 1); /* pairs with the acquire in census_wait */
    parking_wake(&census.all_terminated);
}

/* For main: waits until all actors have terminated. */
static inline void census_wait(void) {
    if (!census_remove())
        while (atomic_load_acquire(&census.all_terminated) == 0) /* pairs with the release in census_announce */
            parking_wait(&census.all_terminated, 0, PARKING_NO_TIMEOUT);
    atomic_store_relaxed(&census.all_terminated, 0);
    atomic_fetch_sub_relaxed(&census.terminated, 1); /* main may make actors again */
}

#endif
