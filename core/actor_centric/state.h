/* What the parts of the actor-centric executor share. One executor a program. */
#ifndef ACTORBENCH_ACTOR_CENTRIC_STATE_H
#define ACTORBENCH_ACTOR_CENTRIC_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "crew.h"
#include "deque.h"
#include "division.h"
#include "executor.h"
#include "neighbours.h"
#include "options.h"
#include "platform/random.h"
#include "ready_list.h"

/* A queue that a thief has seen with one ready actor; see steal.h. */
struct suspect {
    struct worker *victim; /* NULL: none */
    uint64_t turn;         /* the queue's then */
    uint64_t since;        /* nanoseconds of the monotonic clock */
};

struct worker {
    /* The worker's own. */
    unsigned index;
    unsigned activations; /* modulo 2^32; see ready.h */
    struct ready_chain
        local; /* of lqoq: the local queue, as far as it has not been run; of fifo: taken from the inbox */
    struct ready_chain yielded; /* of lqoq: what has been run in this cycle, and has more to do */
    struct suspect suspect;
    struct prowl prowl; /* as a thief that looks near by first */
    struct random random;
    struct actorbench_statistics statistics;
    PLAIN(struct worker *) next_sleeper; /* under the lock of the list that it is on; see ready_list.h */

    /* Read and written by others, each on its own lines. */
    CACHE_ALIGNED ATOMIC(uint32_t) sleeping; /* enum sleep_state; see sleep.h */
    struct ready_list inbox;                 /* what others make ready for it; of lqoq: the orchestration queue */
    struct deque deque;                      /* of deque: what it has made ready itself */
    struct ready_list bound;                 /* what is bound to it */
};

struct executor {
    /* Set by design_prepare and design_make, and constant while workers run. */
    CACHE_ALIGNED struct options options;
    struct worker *workers;       /* crew.count of them */
    struct neighbours neighbours; /* if thieves or placement ask for it */
    struct division division;
    struct ready_list *global; /* of global: the ready queue of each cluster */

    /* Whether ready_wake must look where an actor is to be: there is a ready queue for many, more than a cluster, or an
     * actor that is bound, or was. Set once, for good. Relaxed: who is to see that an actor is bound has heard of it
     * since, by the actor's mailbox or by whatever told it of the actor. */
    ATOMIC(uint32_t) looks;
};

extern struct executor executor;

/* The worker that the calling thread is, or NULL. */
extern _Thread_local struct worker *this_worker;

#endif
