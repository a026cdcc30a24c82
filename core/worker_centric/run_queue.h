/* The run queue: what a worker has taken from the mailboxes that it holds and all that its behaviours have sent, in the
 * order in which it will run, or be passed on; see hold.h. The worker's own.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_RUN_QUEUE_H
#define ACTORBENCH_MESSAGE_CENTRIC_RUN_QUEUE_H

#include <stdbool.h>

#include "block.h"

/* A chain of blocks, never without one. What is in `last` ends at `put`, its count does not say. A queue that is shut is
 * empty, and has no room. */
struct run_queue {
    PLAIN(struct envelope) * put;  /* where the next is put, in `last`, */
    PLAIN(struct envelope) * end;  /* and the end of what may be put there */
    PLAIN(struct envelope) * next; /* the next to run, in `first` */
    struct block *first, *last;
};

static inline void run_queue_continue_in(struct run_queue *queue, struct block *last) {
    queue->last = last;
    queue->put = last->envelopes + last->count;
    queue->end = last->envelopes + BLOCK_ENVELOPES;
}

static inline void run_queue_init(struct run_queue *queue, struct block_pool *pool) {
    queue->first = block_take(pool);
    queue->next = queue->first->envelopes;
    run_queue_continue_in(queue, queue->first);
}

/* Shuts an empty queue, and opens it again. */
static inline void run_queue_shut(struct run_queue *queue) {
    queue->end = queue->put;
}

static inline void run_queue_open(struct run_queue *queue) {
    queue->end = queue->last->envelopes + BLOCK_ENVELOPES;
}

static inline bool run_queue_is_empty(const struct run_queue *queue) {
    return queue->next == queue->put;
}

static inline bool run_queue_has_room(const struct run_queue *queue) {
    return queue->put != queue->end;
}

/* Appends where there is room. */
static inline void run_queue_put(struct run_queue *queue, struct envelope envelope) {
    *queue->put++ = envelope;
}

/* Says in `last` how much it holds. */
static inline void run_queue_close(struct run_queue *queue) {
    queue->last->count = (uint32_t)(queue->put - queue->last->envelopes);
}

/* Appends a chain of blocks, which the queue owns from here on. */
static inline void run_queue_append_blocks(struct run_queue *queue, struct block *first, struct block *last) {
    run_queue_close(queue);
    queue->last->next = first;
    run_queue_continue_in(queue, last);
}

static inline void run_queue_append(struct run_queue *queue, struct block_pool *pool, struct envelope envelope) {
    if (unlikely(!run_queue_has_room(queue))) {
        struct block *fresh = block_take(pool);
        run_queue_append_blocks(queue, fresh, fresh);
    }
    run_queue_put(queue, envelope);
}

/* Whether there are more than `blocks` blocks to run. */
static inline bool run_queue_is_longer(const struct run_queue *queue, unsigned blocks) {
    const struct block *block = queue->first;
    while (block != NULL && blocks-- > 0)
        block = block->next;
    return block != NULL;
}

/* Hands the envelopes of the blocks that are there now to `deliver`, oldest first, and those that it appends to the last
 * of these. `ahead` is as in envelopes_run. Returns how many envelopes that was. */
static inline size_t run_queue_run(struct run_queue *queue, struct block_pool *pool, unsigned ahead,
                                   void (*deliver)(struct envelope)) {
    const struct block *end = queue->last;
    size_t count = 0;
    for (;;) {
        struct block *block = queue->first;
        const PLAIN(struct envelope) *start = queue->next, *next = start;
        while (block == queue->last && next != queue->put)
            deliver(*next++);
        if (block == queue->last) {
            queue->put = queue->next = block->envelopes;
            return count + (size_t)(next - start);
        }
        const PLAIN(struct envelope) *limit = block->envelopes + block->count;
        envelopes_run(next, limit, ahead, deliver);
        count += (size_t)(limit - start);
        queue->first = block->next;
        queue->next = queue->first->envelopes;
        block_give(pool, block);
        if (block == end)
            return count;
    }
}

#endif
