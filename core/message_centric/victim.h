/* Victims: from whom a thief steals (thesis, "Victim Selection"). */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_VICTIM_H
#define ACTORBENCH_MESSAGE_CENTRIC_VICTIM_H

#include "state.h"

/* Any other worker, each as likely as the next. */
static inline struct worker *victim_random(struct worker *thief) {
    unsigned other = random_below(&thief->random, executor.worker_count - 1);
    return &executor.workers[other < thief->index ? other : other + 1];
}

/* The worker that has not tried to steal for the longest time, and so is the most likely to be behind. Relaxed: a
 * stale stamp makes a worse victim, no more. */
static inline struct worker *victim_longest(const struct worker *thief) {
    struct worker *oldest = NULL;
    uint64_t oldest_stamp = 0;
    for (unsigned i = 0; i < executor.worker_count; i++) {
        struct worker *other = &executor.workers[i];
        uint64_t stamp = atomic_load_relaxed(&other->stamp);
        if (other != thief && (oldest == NULL || stamp < oldest_stamp)) {
            oldest = other;
            oldest_stamp = stamp;
        }
    }
    return oldest;
}

/* A near worker first, one farther away after attempts in vain; see neighbours.h. */
static inline struct worker *victim_nearest(struct worker *thief) {
    return &executor.workers[neighbours_next_victim(&executor.neighbours, thief->index, &thief->prowl, &thief->random)];
}

/* A victim for a thief, by the executor's heuristic (not STEAL_NONE); there are at least two workers. */
static inline struct worker *victim_choose(struct worker *thief) {
    switch (executor.options.steal) {
    case STEAL_RANDOM:
        return victim_random(thief);
    case STEAL_NEAREST:
        return victim_nearest(thief);
    default:
        return victim_longest(thief);
    }
}

#endif
