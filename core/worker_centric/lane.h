/* A lane: how one thread that is no worker sends to one mailbox without its lock: a queue with one producer and one
 * consumer, unbounded, in blocks.
 *
 *     send              the thread whose lane it is
 *     count             anybody (a hint)
 *     take              who holds the mailbox (hold.h); its hand-over orders one consumer after the other
 *
 * Full blocks go to the consumer's run queue by their pointers, and come back from its worker's pool by the depot (pool.h), a list at a time.
 * What a consumer has just read is slow to write (workloads/floor.c); a list in the depot has rested since that worker emptied as many again.
 *
 * A producer that finds no empty block is ahead of its consumers, and waits a moment before it allocates one, ever more rarely if that is in
 * vain (lane_let_catch_up). So what waits is bounded where they are as fast on the whole.
 *
 * A mailbox has MOST_LANES at most, in a list: each of the first threads from outside that send to it makes one, and uses nothing
 * else from then on, so that its messages stay in order; other threads use the lock, for which they wait. A thread that begins to send goes
 * on in the lanes of one that has ended, if there is one. A send publishes by one store of `sent`, and looks at whether the mailbox's owner
 * sleeps, with no fence in between: see platform/asymmetric.h and sleep.h.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_LANE_H
#define ACTORBENCH_WORKER_CENTRIC_LANE_H

#include <stdint.h>

#include "platform/asymmetric.h"
#include "platform/spinlock.h"
#include "run_queue.h"

enum {
    MOST_LANES = TESTED(64, 2), /* of a mailbox */
    LANE_BLOCKS = TESTED(8, 1), /* as many whole ones are taken at a time */
    /* As many blocks may be in all lanes of a producer before it waits: 1 MiB; and LANE_BLOCKS in each. */
    MOST_AHEAD = TESTED(256, 2),
    CATCH_UP_NS = 200 * 1000,                      /* so long at most */
    LINE_ENVELOPES = 64 / sizeof(struct envelope), /* a line has no fewer */
    OWN_ENVELOPES = TESTED(34, 1),                 /* whose lines are taken at a time */
};

_Static_assert(BLOCK_ENVELOPES % OWN_ENVELOPES == 0, "a block is taken in equal parts");

/* A thread outside. */
struct producer {
    struct producer *next;  /* of all, */
    struct producer *left;  /* and of those whose threads have ended */
    struct block_pool pool; /* what it fills next */
    unsigned lanes;         /* so many are its own */
};

struct lane {
    struct producer *producer;     /* constant */
    ATOMIC(struct lane *) further; /* the next of the mailbox's lanes, or NULL */

    /* The producer's; `sent` is written by it and read by others. */
    CACHE_ALIGNED PLAIN(struct envelope) * put; /* where the next is put, in `last`, */
    PLAIN(struct envelope) * end;               /* and the end of those whose lines are its own */
    PLAIN(struct block *) last;
    uint32_t vain; /* blocks allocated between the last two waits that were in vain; 0: the last was not */
    uint32_t skip; /* and so many more are before the next */
    CACHE_ALIGNED ATOMIC(uint64_t) sent;

    /* The consumer's; `taken` is read by others. */
    CACHE_ALIGNED PLAIN(struct block *) first;
    PLAIN(uint32_t) next; /* of first's envelopes, the next to run */
    ATOMIC(uint64_t) taken;
};

/* What a thread outside has claimed; its own. */
struct claim {
    uint64_t round; /* producers.round when it was; 0: nothing */
    struct producer *producer;
};

/* Before there are workers. */
void producers_begin(void);

/* A producer for the calling thread: one whose thread has ended, with its lanes, or a new one; stops the program if memory is out. */
struct producer *producer_claim(void);

/* Leaves a producer for the next thread, if that round still lasts. */
void producer_leave(struct producer *producer, uint64_t round);

/* Does so, and takes the claim back, when the calling thread ends. */
void claim_ends_with_thread(struct claim *claim);

/* Frees all producers, with their empty blocks. While nobody sends; threads may end. */
void producers_release(void);

struct producers {
    CACHE_ALIGNED uint64_t
        round; /* another one after each producers_release, from 1 on: those of an earlier one are gone */
    CACHE_ALIGNED struct spinlock lock; /* of the rest, and of writes to `round` */
    PLAIN(struct producer *) first;     /* of all, */
    PLAIN(struct producer *) left;      /* and of those whose threads have ended */
};

extern struct producers producers;

/* A new lane of a producer; stops the program if memory is out. Given back by lane_free, with what is in it and in those behind it. */
struct lane *lane_make(struct producer *producer);
void lane_free(struct lane *lane);

/* Soft backpressure, for the producer before it allocates a block: if too much is in the lane, waits until that is less, but for
 * CATCH_UP_NS at most, and after a wait that was in vain not for so many blocks, twice as many each time. */
void lane_let_catch_up(struct lane *lane);

/* The lane that a mailbox or another lane points to, or NULL. Acquire: pairs with the compare-and-swap in own_lane (send.c). Sequentially
 * consistent: see sleep.c. */
static inline struct lane *lane_at(const ATOMIC(struct lane *) *link) {
    return atomic_load_acquire(link);
}
static inline struct lane *lane_at_before_sleep(const ATOMIC(struct lane *) *link) {
    return atomic_load_seq_cst(link);
}

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

/* Takes the lines of the next envelopes from who has read them, all at once. Lines that are not its own an AMD EPYC fetches one by one if
 * between them it writes others that are (here `put` and `sent`), and a send took three times as long. But the more it takes, the longer it
 * waits: an Intel Xeon, which fetches ahead, takes up to 1.16 times as long for a send if it is a whole block. */
static inline void lane_own(struct lane *lane) {
    lane->end = lane->put + OWN_ENVELOPES;
    for (size_t i = 0; i < OWN_ENVELOPES; i += LINE_ENVELOPES)
        lane->put[i] = (struct envelope){.message = NULL};
}

/* The producer's next envelopes go into a block that is empty. */
static inline void lane_fill(struct lane *lane, struct block *block) {
    lane->last = block;
    lane->put = block->envelopes;
    lane_own(lane);
}

/* The producer goes on in another block. */
static inline void lane_fill_next(struct lane *lane) {
    struct block_pool *pool = &lane->producer->pool;
    if (pool->first == NULL && !(HAS_DEPOT && block_pool_refill(pool)))
        lane_let_catch_up(lane);
    struct block *full = lane->last;
    lane_fill(lane, block_take(pool));
    full->count = BLOCK_ENVELOPES;
    full->next = lane->last;
}

/* Makes room for the producer. Out of line, so that the usual send needs no stack frame. */
__attribute__((noinline, unused)) static void lane_continue(struct lane *lane) {
    if (lane->put == lane->last->envelopes + BLOCK_ENVELOPES)
        lane_fill_next(lane);
    else
        lane_own(lane);
}

static inline bool lane_has_room(const struct lane *lane) {
    return lane->put != lane->end;
}

/* Sends an envelope, where there is room. */
static inline void lane_put(struct lane *lane, struct envelope envelope) {
    *lane->put++ = envelope;
    uint64_t sent = atomic_load_relaxed(&lane->sent) + 1; /* its own */
    if (likely(asymmetric.is_light)) {
        atomic_store_release(&lane->sent, sent); /* pairs with the acquire in lane_count */
        asymmetric_light();
    } else {
        atomic_store_seq_cst(&lane->sent, sent); /* pairs besides with the load in lane_count_before_sleep */
    }
}

/* Sends an envelope. */
static inline void lane_send(struct lane *lane, struct envelope envelope) {
    if (unlikely(!lane_has_room(lane)))
        lane_continue(lane);
    lane_put(lane, envelope);
}

/* Leaves the first block, if it has been read, for the second; there is one, since something waits. */
static inline void lane_leave_first(struct lane *lane, struct block_pool *pool) {
    if (lane->next != BLOCK_ENVELOPES)
        return;
    struct block *block = lane->first;
    lane->first = block->next;
    lane->next = 0;
    block_give(pool, block);
}

/* Moves what is in the first block, and no more than `most`, to the end of the run queue; how much. */
static inline uint64_t lane_take_some(struct lane *lane, uint64_t most, struct run_queue *runs,
                                      struct block_pool *pool) {
    lane_leave_first(lane, pool);
    uint64_t here = BLOCK_ENVELOPES - lane->next, count = here < most ? here : most;
    run_queue_append_row(runs, pool, lane->first->envelopes + lane->next, count);
    lane->next += (uint32_t)count;
    return count;
}

/* Moves the first block, which is full and not the last, whole. */
static inline void lane_take_block(struct lane *lane, struct run_queue *runs, struct block_pool *pool) {
    lane_leave_first(lane, pool);
    struct block *block = lane->first;
    lane->first = block->next;
    block->next = NULL;
    run_queue_append_foreign(runs, (struct block_chain){block, block, BLOCK_ENVELOPES});
}

/* Moves the oldest envelopes, of `waiting` that wait, over 0, to the end of the taker's run queue; how many. If there are whole blocks, these
 * go by their pointers, and what follows them is left for the next time. */
static inline uint64_t lane_take(struct lane *lane, uint64_t waiting, struct run_queue *runs, struct block_pool *pool) {
    uint64_t left = waiting;
    if (lane->next != 0 || left <= BLOCK_ENVELOPES)
        left -= lane_take_some(lane, left, runs, pool);
    for (unsigned blocks = 0; left > BLOCK_ENVELOPES && blocks < LANE_BLOCKS; blocks++, left -= BLOCK_ENVELOPES)
        lane_take_block(lane, runs, pool);
    uint64_t taken = atomic_load_relaxed(&lane->taken) + waiting - left; /* its own, by turns */
    atomic_store_release(&lane->taken, taken);                           /* pairs with the acquire in lane_count */
    return waiting - left;
}

#endif
