/* Victims: from whom a thief steals (thesis, "Victim Selection"). Included after the design's state.h. */
#ifndef ACTORBENCH_SHARDED_VICTIM_H
#define ACTORBENCH_SHARDED_VICTIM_H

#include "crew.h"
#include "sharding.h"

/* Any other worker, each as likely as the next. */
static inline struct worker *victim_random(struct worker *thief) {
    unsigned other = random_below(&thief->random, crew.count - 1);
    return &executor.workers[other < thief->index ? other : other + 1];
}

/* The worker that has not tried to steal for the longest time, and so is the most likely to be behind.
 *
 * As in the thesis, whose thieves come to the same victim until that one itself tries to steal. A victim with one mailbox,
 * which it processes, has nothing to give and never tries: its thieves would get nothing from anybody. So after an attempt in
 * vain a thief goes on to the one next in age, and after as many as there are others it begins anew.
 * Relaxed: a stale stamp makes a worse victim, no more. */
static inline struct worker *victim_longest(struct worker *thief) {
    struct chase *chase = &thief->chase;
    if (chase->attempts == crew.count - 1)
        chase_begin(chase);
    struct age oldest = AGE_NONE, next = AGE_NONE;
    for (unsigned i = 0; i < crew.count; i++) {
        struct age age = {atomic_load_relaxed(&executor.workers[i].stamp), i};
        if (i == thief->index)
            continue;
        if (age_is_before(age, oldest))
            oldest = age;
        bool follows = chase->attempts == 0 || age_is_before(chase->last, age);
        if (follows && age_is_before(age, next))
            next = age;
    }
    chase->attempts++;
    chase->last = age_is_before(next, AGE_NONE) ? next : oldest;
    return &executor.workers[chase->last.worker];
}

/* A near worker first, one farther away after attempts in vain; see neighbours.h. */
static inline struct worker *victim_nearest(struct worker *thief) {
    return &executor.workers[neighbours_next_victim(&sharding.neighbours, thief->index, &thief->prowl, &thief->random)];
}

/* A victim for a thief's next attempt, by the heuristic (not STEAL_NONE); there are at least two workers. */
static inline struct worker *victim_choose(struct worker *thief, enum steal_heuristic heuristic) {
    switch (heuristic) {
    case STEAL_RANDOM:
        return victim_random(thief);
    case STEAL_NEAREST:
        return victim_nearest(thief);
    default:
        return victim_longest(thief);
    }
}

/* After an attempt that brought something: the next one begins with the best victim again. */
static inline void victim_succeeded(struct worker *thief) {
    prowl_succeeded(&thief->prowl);
    chase_begin(&thief->chase);
}

#endif
