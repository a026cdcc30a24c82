/* A mailbox: a queue of envelopes for many actors, with the state that decides who may process it
 * (thesis, "Executor" and "Stealing Problem").
 *
 *                     may run beside
 *     append          everything (any thread)
 *     has_messages    everything (any thread; a hint)
 *     gulp            everything (a worker that finds the mailbox in one of its slots)
 *     release         everything but another release (the worker whose gulp succeeded)
 *     set_sleeper     everything (a worker about to sleep)
 *
 * being_processed is the mutual exclusion of behaviours: it is set by a successful gulp, under the lock, and cleared
 * by the release, without it. While it is set, no other gulp succeeds, and so all messages of an actor run on one
 * worker at a time, in order, even if the mailbox changes hands in between.
 *
 * The hand-over. release stores being_processed with release order; the next gulp, of whichever worker, loads it with
 * acquire order before it takes the queue. So everything that the behaviours of one worker wrote is seen by the
 * behaviours of the next. The lock alone would not do: it is not taken by the release.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_MAILBOX_H
#define ACTORBENCH_MESSAGE_CENTRIC_MAILBOX_H

#include <stdint.h>

#include "platform/cpu.h"
#include "platform/spinlock.h"
#include "queue.h"

#define NO_SLEEPER UINT32_MAX
#define UNKNOWN_NS UINT32_MAX

/* One or two cache lines, which no other mailbox shares. */
struct mailbox {
    CACHE_ALIGNED struct spinlock lock;
    uint32_t sleeper; /* under the lock: which worker to wake at the next append, or NO_SLEEPER; see sleep.h */
    ATOMIC(uint32_t) being_processed;
    ATOMIC(uint32_t) gulps;      /* how often it was gulped, modulo 2^32; see steal.h */
    ATOMIC(uint32_t) message_ns; /* the work of a message in the last gulp, or UNKNOWN_NS; see steal.h */
    union queue queue;           /* under the lock, but for the count */
};

enum gulp_result {
    GULPED, /* the local queue holds the messages: run them, then mailbox_release */
    EMPTY,  /* nothing there */
    MISSED, /* another worker processes the mailbox */
};

static inline void mailbox_init(struct mailbox *mailbox, enum queue_kind kind, int node) {
    spinlock_init(&mailbox->lock);
    mailbox->sleeper = NO_SLEEPER;
    atomic_initialise(&mailbox->being_processed, 0);
    atomic_initialise(&mailbox->gulps, 0);
    atomic_initialise(&mailbox->message_ns, UNKNOWN_NS);
    queue_init(&mailbox->queue, kind, node);
}

static inline size_t mailbox_count(const struct mailbox *mailbox) {
    return queue_count(&mailbox->queue);
}

/* Whether another worker may want to take it; stale as soon as it is read. */
static inline bool mailbox_is_processed(const struct mailbox *mailbox) {
    return atomic_load_relaxed(&mailbox->being_processed) != 0; /* relaxed: gulp looks again, with acquire */
}

/* Appends an envelope. Returns the worker that the caller must wake now, or NO_SLEEPER. */
static inline uint32_t mailbox_append(struct mailbox *mailbox, enum queue_kind kind, struct envelope envelope) {
    struct list_link *link = kind == QUEUE_LIST ? list_queue_link(envelope) : NULL;
    spinlock_acquire(&mailbox->lock);
    if (kind == QUEUE_COPY)
        copy_queue_append(&mailbox->queue.copy, envelope);
    else
        list_queue_append(&mailbox->queue.list, link);
    uint32_t sleeper = mailbox->sleeper;
    if (unlikely(sleeper != NO_SLEEPER))
        mailbox->sleeper = NO_SLEEPER;
    spinlock_release(&mailbox->lock);
    return sleeper;
}

/* Takes all messages into `local`, which is empty, unless another worker processes the mailbox. */
static inline enum gulp_result mailbox_gulp(struct mailbox *mailbox, enum queue_kind kind, union queue *local) {
    enum gulp_result result = GULPED;
    spinlock_acquire(&mailbox->lock);
    /* Acquire: pairs with the release in mailbox_release. The store is relaxed: gulps exclude each other by the
     * lock, and thieves read it as a hint. */
    if (atomic_load_acquire(&mailbox->being_processed)) {
        result = MISSED;
    } else if (mailbox_count(mailbox) == 0) {
        result = EMPTY;
    } else {
        atomic_store_relaxed(&mailbox->being_processed, 1);
        atomic_store_relaxed(&mailbox->gulps, atomic_load_relaxed(&mailbox->gulps) + 1);
        queue_transfer(&mailbox->queue, kind, local);
    }
    spinlock_release(&mailbox->lock);
    return result;
}

/* Lets the next gulp succeed, after all gulped messages have run. */
static inline void mailbox_release(struct mailbox *mailbox) {
    /* Release: pairs with the acquire in mailbox_gulp; hands the actors' state to the next worker. */
    atomic_store_release(&mailbox->being_processed, 0);
}

#endif
