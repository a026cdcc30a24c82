/* A worker's account with the census: actors that it may still make, counted as made when it drew them, and ends that it has
 * not told. A short-lived actor so costs no atomic operation; those of all workers on one line would be most of what it costs.
 *
 * `created` of the census is never less than what was made, and `terminated` never more than what has ended: the two cannot meet
 * early. The account is settled whenever its worker finds nothing to do, and so nothing is left out at the end; and when
 * it has ACCOUNT_MOST ends, so that no worker that always has work keeps main waiting. The worker's own.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_ACCOUNT_H
#define ACTORBENCH_WORKER_CENTRIC_ACCOUNT_H

#include "census.h"
#include "platform/small.h"

enum { ACCOUNT_DRAW = TESTED(64, 2), ACCOUNT_MOST = TESTED(1 << 16, 2) };

struct account {
    uint64_t number; /* of the next actor that it makes, */
    uint64_t end;    /* and of the first that it may not make */
    uint64_t ended;
};

/* Counts a new actor; its number. */
static inline uint64_t account_add(struct account *account) {
    if (unlikely(account->number == account->end)) {
        account->number = census_add(ACCOUNT_DRAW);
        account->end = account->number + ACCOUNT_DRAW;
    }
    return account->number++;
}

/* Tells what has ended and gives back what was not made; announces it if nobody is left. */
static inline void account_settle(struct account *account) {
    uint64_t left = account->end - account->number;
    uint64_t settled = left + account->ended;
    if (likely(settled == 0))
        return;
    atomic_fetch_add_relaxed(&census.unused, left); /* relaxed: read when all workers have ended */
    account->end = account->number;
    account->ended = 0;
    if (census_remove(settled))
        census_announce();
}

#endif
