/* A mailbox: a queue of envelopes for many actors, with the state that decides who may process it
 * (thesis, "Executor" and "Stealing Problem").
 *
 *                     may run beside
 *     append          everything (any thread)
 *     count           everything (any thread; a hint)
 *     is_processed    everything (any thread; a hint)
 *     gulp            everything (a worker that finds the mailbox in one of its slots)
 *     release         everything but another release (the worker whose gulp succeeded)
 *     sleeper         written and read under the lock (a worker about to sleep, appends)
 *
 * The flag being_processed is as in the thesis. A successful gulp sets it, under the lock; the release clears it, without.
 * While it is set no other gulp succeeds, and so all messages of an actor run on one worker at a time, in order, even if the
 * mailbox changes hands in between.
 *
 * The hand-over. release clears the flag with release order; the next gulp, of whichever worker, loads it with acquire
 * order before it takes the queue. So everything that the behaviours of one worker wrote is seen by the behaviours of
 * the next. The lock alone would not do: it is not taken by the release.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_MAILBOX_H
#define ACTORBENCH_MESSAGE_CENTRIC_MAILBOX_H

#include <stdint.h>

#include "platform/cpu.h"
#include "platform/spinlock.h"
#include "queue.h"

#define NO_SLEEPER UINT32_MAX

/* One or two cache lines, which no other mailbox shares. */
struct mailbox {
    CACHE_ALIGNED struct spinlock lock;
    PLAIN(uint32_t) sleeper; /* under the lock: which worker to wake at the next append, or NO_SLEEPER; see sleep.h */
    ATOMIC(uint32_t) being_processed; /* 0 or 1; see above */
    union queue queue;                /* under the lock, but for the count */
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
    queue_init(&mailbox->queue, kind, node);
}

static inline size_t mailbox_count(const struct mailbox *mailbox) {
    return queue_count(&mailbox->queue);
}

/* Relaxed: gulp looks again, with acquire. */
static inline bool mailbox_is_processed(const struct mailbox *mailbox) {
    return atomic_load_relaxed(&mailbox->being_processed) != 0;
}

/* Under the lock. */
static inline void mailbox_set_sleeper(struct mailbox *mailbox, uint32_t worker) {
    mailbox->sleeper = worker;
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

/* The usual case of mailbox_append: a copy queue with room, a lock that is free at once, an owner that is awake. False,
 * and nothing has happened, in any other case. */
static inline bool mailbox_append_quickly(struct mailbox *mailbox, struct envelope envelope) {
    struct copy_queue *queue = &mailbox->queue.copy;
    if (unlikely(!spinlock_try(&mailbox->lock)))
        return false;
    bool possible = likely(!copy_queue_is_full(queue) && mailbox->sleeper == NO_SLEEPER);
    if (possible)
        copy_queue_put(queue, envelope);
    spinlock_release(&mailbox->lock);
    return possible;
}

/* Takes all messages into `local`, which is empty, unless another worker processes the mailbox. *messages becomes how
 * many there are, if GULPED. */
static inline enum gulp_result mailbox_gulp(struct mailbox *mailbox, enum queue_kind kind, union queue *local,
                                            size_t *messages) {
    enum gulp_result result = GULPED;
    spinlock_acquire(&mailbox->lock);
    /* Acquire: pairs with the release in mailbox_release. */
    if (unlikely(atomic_load_acquire(&mailbox->being_processed) != 0)) {
        result = MISSED;
    } else if (unlikely(mailbox_count(mailbox) == 0)) {
        result = EMPTY;
    } else {
        atomic_store_relaxed(&mailbox->being_processed, 1); /* relaxed: gulps exclude each other by the lock */
        *messages = queue_transfer(&mailbox->queue, kind, local);
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
