/* A mailbox: where messages for its actors come from workers that do not hold it, and from outside; and who holds it.
 *
 *                     may run beside
 *     append          everything (any thread)
 *     count           everything (any thread; a hint)
 *     hold            everything (a worker that finds the mailbox in one of its slots)
 *     release         everything (the worker that holds it)
 *     sleeper         written under the lock (a worker about to sleep, appends)
 *
 * All messages of an actor run on the worker that holds its mailbox, one after the other, even if the mailbox changes slots
 * in between. The hand-over: release stores the holder with release order; the next hold, of whichever worker, takes it with
 * acquire order. So everything that the behaviours of one worker wrote is seen by the behaviours of the next.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_MAILBOX_H
#define ACTORBENCH_WORKER_CENTRIC_MAILBOX_H

#include <stdint.h>

#include "block_queue.h"
#include "lane.h"
#include "platform/spinlock.h"

#define NO_SLEEPER UINT32_MAX
#define NO_MAILBOX UINT32_MAX

struct worker;

/* What a holder notes of a mailbox; see hold.h. The holder's own. */
struct held {
    PLAIN(struct mailbox *) next; /* in its list of mailboxes that it holds */
    PLAIN(bool) leaves;           /* in the midst of hold_leave */
    PLAIN(uint64_t) waiting;      /* messages for it, where hold_leave has counted them */
    PLAIN(struct block *) first;  /* what goes back to the queue, when it leaves */
    PLAIN(struct block *) last;
    PLAIN(size_t) count; /* of envelopes in these blocks */
};

static inline void held_init(struct held *held) {
    held->next = NULL;
    held->leaves = false;
    held->waiting = 0;
    held->first = held->last = NULL;
    held->count = 0;
}

/* What senders write, and what they read, on lines of their own, which no other mailbox shares. */
struct mailbox {
    CACHE_ALIGNED struct spinlock lock;
    ATOMIC(uint32_t) sleeper; /* which worker to wake at the next append, or NO_SLEEPER; see sleep.h */
    ATOMIC(uint32_t) boxed; /* who has something for it in an out-box, as a number from 1, or 0: a hint; see outbox.h */
    struct block_queue queue;    /* under the lock, but for the count */
    ATOMIC(struct lane *) lanes; /* of the first threads from outside that send to it, or NULL; see lane.h */
    ATOMIC(uint64_t) ends;       /* of actors in it, once executor.remembers; its holder's, see send.c */

    CACHE_ALIGNED ATOMIC(struct worker *) holder; /* or NULL; see above */
    uint32_t number;  /* 0 .. the executor's mailboxes - 1, or NO_MAILBOX: see deal.h; constant */
    struct held held; /* its holder's */
};

static inline void mailbox_init(struct mailbox *mailbox, uint32_t number) {
    spinlock_init(&mailbox->lock);
    mailbox->number = number;
    held_init(&mailbox->held);
    atomic_initialise(&mailbox->sleeper, NO_SLEEPER);
    atomic_initialise(&mailbox->boxed, 0);
    atomic_initialise(&mailbox->holder, NULL);
    atomic_initialise(&mailbox->lanes, NULL);
    atomic_initialise(&mailbox->ends, 0);
    block_queue_init(&mailbox->queue);
}

/* Gives back what it has taken; nobody uses it any more. */
static inline void mailbox_destroy(struct mailbox *mailbox) {
    block_queue_destroy(&mailbox->queue);
    lane_free(lane_at(&mailbox->lanes));
}

static inline uint64_t mailbox_count_in_lanes(const struct mailbox *mailbox) {
    uint64_t count = 0;
    for (const struct lane *lane = lane_at(&mailbox->lanes); lane != NULL; lane = lane_at(&lane->further))
        count += lane_count(lane);
    return count;
}

static inline uint64_t mailbox_count(const struct mailbox *mailbox) {
    return atomic_load_relaxed(&mailbox->queue.count) + mailbox_count_in_lanes(mailbox);
}

/* ---- Appends -------------------------------------------------------------------------------------------------------- */

/* Under the lock. Sequentially consistent: pairs with the look at it in mailbox_has_sleeper. */
static inline void mailbox_set_sleeper(struct mailbox *mailbox, uint32_t worker) {
    atomic_store_seq_cst(&mailbox->sleeper, worker);
}

/* Whether there is somebody to wake, after a send by a lane. Sequentially consistent: pairs with the store above, where the barrier is not
 * asymmetric. */
static inline bool mailbox_has_sleeper(const struct mailbox *mailbox) {
    return atomic_load_seq_cst(&mailbox->sleeper) != NO_SLEEPER;
}

/* Under the lock: takes out the worker to wake, or NO_SLEEPER. Relaxed: the lock orders it. */
static inline uint32_t mailbox_take_sleeper(struct mailbox *mailbox) {
    uint32_t sleeper = atomic_load_relaxed(&mailbox->sleeper);
    if (unlikely(sleeper != NO_SLEEPER))
        atomic_store_relaxed(&mailbox->sleeper, NO_SLEEPER);
    return sleeper;
}

/* Appends an envelope; `pool` is the caller's, or NULL. Returns the worker that the caller must wake now, or NO_SLEEPER. A
 * block is never allocated under the lock. */
static inline uint32_t mailbox_append(struct mailbox *mailbox, struct block_pool *pool, struct envelope envelope) {
    struct block *fresh = NULL;
    spinlock_acquire(&mailbox->lock);
    while (unlikely(!block_queue_has_room(&mailbox->queue))) {
        if (fresh != NULL) {
            block_queue_append(&mailbox->queue, fresh);
            fresh = NULL;
            break;
        }
        spinlock_release(&mailbox->lock);
        fresh = block_take(pool);
        spinlock_acquire(&mailbox->lock);
    }
    block_queue_put(&mailbox->queue, envelope);
    uint32_t sleeper = mailbox_take_sleeper(mailbox);
    spinlock_release(&mailbox->lock);
    if (unlikely(fresh != NULL))
        block_give(pool, fresh); /* another sender was first */
    return sleeper;
}

/* Appends a block, which the mailbox owns from here on; value as above. */
static inline uint32_t mailbox_append_block(struct mailbox *mailbox, struct block *block) {
    spinlock_acquire(&mailbox->lock);
    block_queue_append(&mailbox->queue, block);
    uint32_t sleeper = mailbox_take_sleeper(mailbox);
    spinlock_release(&mailbox->lock);
    return sleeper;
}

/* ---- Holding -------------------------------------------------------------------------------------------------------- */

/* Who holds it. Relaxed: only a worker itself ever writes its own name there, or takes it out; any other's is a hint. */
static inline struct worker *mailbox_holder(const struct mailbox *mailbox) {
    return atomic_load_relaxed(&mailbox->holder);
}

/* Takes the mailbox, if nobody holds it. Acquire: pairs with the release below. */
static inline bool mailbox_hold(struct mailbox *mailbox, struct worker *worker) {
    struct worker *nobody = NULL;
    return atomic_cas_acq_rel(&mailbox->holder, &nobody, worker);
}

/* Lets the next hold succeed. Release: hands the actors' state to the next worker. */
static inline void mailbox_release(struct mailbox *mailbox) {
    atomic_store_release(&mailbox->holder, (struct worker *)NULL);
}

#endif
