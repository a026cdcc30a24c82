/* A lane: how one thread that is no worker sends to one mailbox without its lock: a queue with one producer and one
 * consumer, unbounded, in blocks.
 *
 *     send              the thread whose lane it is
 *     count             anybody (a hint)
 *     take              who holds the mailbox (hold.h); its hand-over orders one consumer after the other
 *
 * A mailbox has one lane at most: the first thread from outside that sends to it makes it, and uses nothing else from then
 * on, so that its messages stay in order; other threads use the lock. A send publishes by one store of `sent`, and looks
 * at whether the mailbox's owner sleeps, with no fence in between: see platform/asymmetric.h and sleep.h.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_LANE_H
#define ACTORBENCH_WORKER_CENTRIC_LANE_H

#include <stdint.h>

#include "platform/asymmetric.h"
#include "run_queue.h"

struct lane {
    uint64_t producer; /* its thread's lane_self; constant */

    /* The producer's; `sent` is written by it and read by others. */
    CACHE_ALIGNED PLAIN(struct block *) last;
    PLAIN(uint32_t) filled; /* envelopes in `last` */
    CACHE_ALIGNED ATOMIC(uint64_t) sent;

    /* The consumer's; `taken` is read by others. */
    CACHE_ALIGNED PLAIN(struct block *) first;
    PLAIN(uint32_t) next; /* of first's envelopes, the next to run */
    ATOMIC(uint64_t) taken;

    /* A block that the consumer has emptied, for the producer; or null. */
    CACHE_ALIGNED ATOMIC(struct block *) spare;
};

/* The calling thread's number as a producer, never another thread's; 0 before its first lane. */
extern _Thread_local uint64_t lane_self;

/* A new lane for the calling thread; stops the program if memory is out. Given back by lane_free, with what is in it. */
struct lane *lane_make(void);
void lane_free(struct lane *lane);

/* How many envelopes wait. What is taken first, so that what was sent is never less. Acquire: pairs with the release in
 * lane_take, whose taker had seen so many sent; and with the one in lane_send, for the consumer. */
static inline uint64_t lane_count(const struct lane *lane) {
    uint64_t taken = atomic_load_acquire(&lane->taken);
    return atomic_load_acquire(&lane->sent) - taken;
}

/* The same after the caller has said that it is about to sleep, sequentially consistent with that. */
static inline uint64_t lane_count_before_sleep(const struct lane *lane) {
    return atomic_load_seq_cst(&lane->sent) - atomic_load_relaxed(&lane->taken);
}

/* Sends an envelope. */
static inline void lane_send(struct lane *lane, struct envelope envelope) {
    if (unlikely(lane->filled == BLOCK_ENVELOPES)) {
        /* Acquire: pairs with the consumer's exchange in lane_take, which has read all that was in the block. */
        struct block *fresh = atomic_exchange_acq_rel(&lane->spare, (struct block *)NULL);
        if (fresh == NULL)
            fresh = block_take(NULL);
        lane->last->next = fresh;
        lane->last = fresh;
        lane->filled = 0;
    }
    lane->last->envelopes[lane->filled++] = envelope;
    uint64_t sent = atomic_load_relaxed(&lane->sent) + 1; /* its own */
    if (likely(asymmetric_is_light)) {
        atomic_store_release(&lane->sent, sent); /* pairs with the acquire in lane_count */
        asymmetric_light();
    } else {
        atomic_store_seq_cst(&lane->sent, sent); /* pairs besides with the load in lane_count_before_sleep */
    }
}

/* Moves the `count` oldest envelopes, which wait, to the end of the taker's run queue. */
static inline void lane_take(struct lane *lane, uint64_t count, struct run_queue *runs, struct block_pool *pool) {
    uint64_t taken = atomic_load_relaxed(&lane->taken) + count; /* its own, by turns */
    while (count != 0) {
        if (unlikely(lane->next == BLOCK_ENVELOPES)) {
            struct block *block = lane->first;
            lane->first = block->next;
            lane->next = 0;
            block->next = NULL;
            /* Release: pairs with the producer's exchange in lane_send. Acquire, for the block that is freed here. */
            free(atomic_exchange_acq_rel(&lane->spare, block));
        }
        size_t here = BLOCK_ENVELOPES - lane->next;
        size_t moved = run_queue_make_room(runs, pool, here < count ? here : count);
        for (const PLAIN(struct envelope) *next = lane->first->envelopes + lane->next, *end = next + moved;
             next != end;)
            run_queue_put(runs, *next++);
        lane->next += (uint32_t)moved;
        count -= moved;
    }
    atomic_store_release(&lane->taken, taken); /* pairs with the acquire in lane_count */
}

#endif
