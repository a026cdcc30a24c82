/* What the parts of the message-centric executor share. One executor a program. */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_STATE_H
#define ACTORBENCH_MESSAGE_CENTRIC_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "executor.h"
#include "mailbox.h"
#include "options.h"
#include "platform/random.h"
#include "sharded/chase.h"
#include "sharded/sharding.h"

struct worker {
    /* The worker's own. */
    unsigned index;
    struct mailbox *mailboxes; /* in its slots until they are stolen; on its NUMA node */
    unsigned scan_start; /* which of its slots a scan begins with: the one after that of the last theft; see steal.h */
    union queue local;   /* the messages that it gulped */
    unsigned steal_wait; /* scans without work from one attempt to steal to the next */
    unsigned steal_left; /* how many of them are left before the next; see steal.h */
    struct random random;
    struct prowl prowl; /* as a thief that looks near by first */
    struct chase chase; /* as one that looks for who has not tried to steal for long */
    struct actorbench_statistics statistics;

    /* Read and written by others, each on its own line. */
    CACHE_ALIGNED ATOMIC(uint32_t) sleeping; /* enum sleep_state; see sleep.h */
    CACHE_ALIGNED ATOMIC(uint64_t) stamp;    /* cycles, at its last attempt to steal; see victim.h */
};

/* Set by design_prepare and design_make, and constant while workers run. */
struct executor {
    CACHE_ALIGNED struct options options;
    bool wakes_thieves; /* whether a worker with more than one mailbox to gulp wakes a sleeper: if idle workers sleep */
    struct worker *workers; /* crew.count of them */
};

extern struct executor executor;

/* The worker that the calling thread is, or NULL. */
extern _Thread_local struct worker *this_worker;

#endif
