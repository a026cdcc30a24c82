/* What the parts of the message-centric executor share: its workers, mailboxes and slots. One executor a program. */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_STATE_H
#define ACTORBENCH_MESSAGE_CENTRIC_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "census.h"
#include "executor.h"
#include "mailbox.h"
#include "neighbours.h"
#include "options.h"
#include "outbox.h"
#include "platform/random.h"
#include "recycle.h"
#include "run_queue.h"
#include "slots.h"

struct worker;

/* A mailbox that a thief has seen waiting; see steal.h. */
struct suspect {
    struct mailbox *mailbox; /* NULL: none */
    mailbox_slot *slot;      /* where it was */
    struct worker *victim;   /* whose slot that is */
    uint32_t turn;           /* the mailbox's then */
    uint64_t since;          /* nanoseconds of the monotonic clock */
};

/* How long messages take, from `since` (nanoseconds of the monotonic clock) on. */
struct pace {
    uint64_t since;
    uint64_t messages;
};

struct worker {
    /* The worker's own. What every send touches comes first. */
    struct run_queue runs; /* what it is to run, or to pass on; shut unless it holds mailboxes; see hold.h */
    struct block_pool pool;
    unsigned index;
    unsigned first_slot, slot_count; /* its range of executor.slots; never changes */
    struct mailbox *mailboxes;       /* slot_count of them, in its slots until they are stolen; on its NUMA node */
    unsigned give_slot;              /* where in its range the next mailbox to give for a stolen one is looked for */
    union queue local;               /* the messages that it gulped, from a mailbox that it does not hold */
    PLAIN(struct mailbox *) held;    /* a list of the mailboxes that it holds */
    uint64_t passed_on;              /* messages to others, of those that came out of the run queue */
    struct mailbox *awaited;         /* one that it has stolen from under its holder, or NULL; see steal.h */
    struct worker *awaited_from;     /* its holder then */
    bool fine;                       /* whether its work is small enough for holding and out-boxes */
    struct pace pace;                /* how small it is */
    struct census_account census;    /* see census.h */
    struct outboxes outboxes;
    struct recycle_store recycled;
    unsigned deal_slot;     /* where in its range the last actor went that a behaviour made */
    struct suspect suspect; /* the loot that it has an eye on */
    struct random random;
    struct prowl prowl; /* as a thief that looks near by first */
    struct executor_statistics statistics;
    int node; /* where it is pinned, or ANY_NODE */

    /* Read and written by others, each on its own line. */
    CACHE_ALIGNED ATOMIC(uint32_t) sleeping; /* enum sleep_state; see sleep.h */
    CACHE_ALIGNED ATOMIC(uint64_t) stamp;    /* cycles, at its last attempt to steal; see victim.h */
    ATOMIC(uint32_t) message_ns; /* the work of a message in its last large gulp, or UNKNOWN_NS; see steal.h */
    ATOMIC(uint32_t) backlogged; /* whether its run queue is long; see steal.h */
    CACHE_ALIGNED ATOMIC(uint32_t) robbed; /* whether a thief has taken mailboxes that it holds; see hold.h */
};

struct executor {
    /* Set by executor_start and constant while workers run. */
    struct message_centric_options options;
    unsigned worker_count, mailbox_count;
    struct worker *workers;
    mailbox_slot *slots;          /* mailbox_count of them; see slots.h */
    struct neighbours neighbours; /* if thieves look near by first */
    bool adapts;                  /* whether workers judge how small their work is: worker.c */
    bool sends_plainly;           /* whether every send appends to a copy queue under its lock, as in the thesis */
    bool running;

    CACHE_ALIGNED ATOMIC(uint32_t) stopping;
    CACHE_ALIGNED ATOMIC(uint32_t) sleepers;      /* how many workers sleep: a hint */
    CACHE_ALIGNED ATOMIC(uint64_t) outside_sends; /* by threads that are no workers; statistics builds only */
};

extern struct executor executor;

/* The worker that the calling thread is, or NULL. */
extern _Thread_local struct worker *this_worker;

/* Its run queue; one that is shut, if it is no worker. */
extern _Thread_local struct run_queue *this_run_queue;

/* A worker's life, from its thread's start to the end of the executor; `worker` is a struct worker *. */
void *worker_main(void *worker);

#endif
