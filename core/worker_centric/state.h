/* What the parts of the worker-centric executor share. One executor a program. */
#ifndef ACTORBENCH_WORKER_CENTRIC_STATE_H
#define ACTORBENCH_WORKER_CENTRIC_STATE_H

#include "account.h"
#include "executor.h"
#include "mailbox.h"
#include "options.h"
#include "outbox.h"
#include "platform/random.h"
#include "recycle.h"
#include "sharded/chase.h"
#include "sharded/sharding.h"

#define UNKNOWN_NS UINT32_MAX

/* How long messages take, from `since` (nanoseconds of the monotonic clock) on. */
struct pace {
    uint64_t since;
    uint64_t messages;
};

/* The last behaviour that has filled a block with what it sends; see give.h. */
struct flood {
    const PLAIN(struct envelope) * ran; /* the end of its envelope */
    uint64_t kept, since;               /* messages when what waits was looked at last, and when that was; 0: never */
    uint64_t next;                      /* messages, when it is to be looked at again, */
    uint64_t much;                      /* and when it is to be sorted out in any case */
};

/* The sends of a run that look whether others could run what they send; see give.h. */
struct heed {
    unsigned left;                      /* so many more */
    const PLAIN(struct envelope) * ran; /* the end of the envelope whose behaviour sent last, or is the run's first, */
    uint64_t since;                     /* and when that first sent, or began (nanoseconds of the monotonic clock) */
};

/* A worker that a thief has its eye on; see steal.h. */
struct suspect {
    struct worker *victim; /* NULL: none */
    uint32_t begun;        /* the victim's then */
    uint64_t since;        /* nanoseconds of the monotonic clock */
};

struct worker {
    /* The worker's own. What every send touches comes first. */
    struct run_queue runs; /* what it is to run, or to pass on */
    struct block_pool pool;
    unsigned index;
    struct mailbox *mailboxes;    /* sharding_share of them, in its slots until they are stolen; on its NUMA node */
    PLAIN(struct mailbox *) held; /* a list of the mailboxes that it holds */
    uint64_t passed;              /* messages to others, of those that came out of the run queue */
    struct outboxes outboxes;
    struct pace pace;
    uint64_t borrowed;   /* messages in front of its run queue, of mailboxes that it has just borrowed; a hint */
    uint64_t long_until; /* what it borrows takes long, as far as it knows, until then; see pace.h */
    struct account account;
    uint64_t deaf_until; /* it gives nothing before, having looked in vain; see give.h */
    struct flood flood;
    struct heed heed;
    bool has_put_off;         /* who asked last, since its run queue was long; see give.h */
    mailbox_slot *deal_slots; /* of its range, */
    mailbox_slot *deal_slot;  /* where the last actor went that a behaviour made, */
    unsigned deal_left;       /* and as many of the next go, */
    unsigned deal_stretch;    /* of so many in a row; see deal.h */
    unsigned deal_share;      /* how many slots get these actors; 0: they are dealt out as main's */
    unsigned collect_slot;    /* which of its slots is looked at first for a mailbox to take, */
    unsigned give_slot;       /* and which for one to give for a stolen one */
    struct suspect suspect;   /* as a thief */
    struct random random;
    struct prowl prowl; /* as a thief that looks near by first */
    struct chase chase; /* as one that looks for who has not tried to steal for long */
    struct recycle_store recycled;
    struct actorbench_statistics statistics;

    /* Read and written by others, each on its own line. */
    CACHE_ALIGNED ATOMIC(uint32_t) sleeping; /* enum sleep_state; see sleep.h */

    /* What thieves read of a victim, which alone writes it: hints. */
    CACHE_ALIGNED ATOMIC(uint64_t) stamp; /* cycles, at its last attempt to steal; see victim.h */
    ATOMIC(uint32_t) waiting;             /* messages when its last run began; 1 if they are not to be asked for */
    ATOMIC(uint32_t) begun;               /* runs that it has begun */
    ATOMIC(uint32_t) work_ns;             /* the work of a message, or UNKNOWN_NS; see pace.h */

    CACHE_ALIGNED ATOMIC(uintptr_t) call; /* what others want of it, or uncalled(); see give.h */
};

/* The word `call` of a worker that nobody calls: its address. So one comparison with who holds a mailbox says both that the worker does and that
 * nobody calls (worker.c). */
static inline uintptr_t uncalled(const struct worker *worker) {
    return (uintptr_t)worker;
}

/* Whether anybody calls a worker. A hint. */
static inline bool is_called(const struct worker *worker) {
    return atomic_load_relaxed(&worker->call) != uncalled(worker);
}

/* Set by design_prepare and design_make, and constant while workers run. */
struct executor {
    CACHE_ALIGNED struct options options;
    struct worker *workers;    /* crew.count of them */
    ATOMIC(bool) remembers;    /* whether a thread outside knows where it last sent: it relies on mailboxes' `ends` */
    ATOMIC(bool) places;       /* whether anybody has asked where actors go; see deal.h */
    ATOMIC(struct row *) rows; /* all that were made; see deal.c */
};

extern struct executor executor;

/* The worker that the calling thread is, or NULL. */
extern _Thread_local struct worker *this_worker;

/* Its run queue; one without any room, if it is no worker. */
extern _Thread_local struct run_queue *this_run_queue;

static inline bool executor_has(enum mechanism mechanism) {
    return (executor.options.without & (unsigned)mechanism) == 0;
}

#endif
