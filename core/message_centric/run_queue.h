/* The run queue: what a worker has taken from the mailboxes that it holds and what it has sent to them itself, in the
 * order in which it will run; see hold.h. The worker's own.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_RUN_QUEUE_H
#define ACTORBENCH_MESSAGE_CENTRIC_RUN_QUEUE_H

#include <stdbool.h>

#include "block.h"

/* A chain of blocks, never without one; envelopes first->envelopes[next] to the end of `last` are to be run. */
struct run_queue {
    struct block *first, *last;
    uint32_t next;
};

static inline void run_queue_init(struct run_queue *queue, struct block_pool *pool) {
    queue->first = queue->last = block_take(pool);
    queue->next = 0;
}

static inline bool run_queue_is_empty(const struct run_queue *queue) {
    return queue->first == queue->last && queue->next == queue->last->count;
}

static inline void run_queue_append(struct run_queue *queue, struct block_pool *pool, struct envelope envelope) {
    if (unlikely(block_is_full(queue->last))) {
        struct block *fresh = block_take(pool);
        queue->last->next = fresh;
        queue->last = fresh;
    }
    block_put(queue->last, envelope);
}

/* Appends a chain of blocks, which the queue owns from here on. */
static inline void run_queue_append_blocks(struct run_queue *queue, struct block *first, struct block *last) {
    queue->last->next = first;
    queue->last = last;
}

/* Whether there are more than `blocks` blocks to run. */
static inline bool run_queue_is_longer(const struct run_queue *queue, unsigned blocks) {
    const struct block *block = queue->first;
    while (block != NULL && blocks-- > 0)
        block = block->next;
    return block != NULL;
}

/* Hands the envelopes of the blocks that are there now to `deliver`, oldest first, and those that it appends to the last
 * of these. `ahead`: how far ahead the actors are fetched into the cache; 0: not. Returns how many envelopes that was. */
static inline size_t run_queue_run(struct run_queue *queue, struct block_pool *pool, unsigned ahead,
                                   void (*deliver)(struct envelope)) {
    const struct block *end = queue->last;
    size_t count = 0;
    for (;;) {
        struct block *block = queue->first;
        uint32_t start = queue->next, next = start;
        /* The count is read anew each time: a behaviour may send. */
        for (; next < block->count; next++) {
            if (ahead != 0 && next + ahead < block->count) {
                struct envelope later = block->envelopes[next + ahead];
                cpu_prefetch(later.actor);
            }
            deliver(block->envelopes[next]);
        }
        count += next - start;
        queue->next = 0;
        if (block == queue->last) {
            block->count = 0;
            return count;
        }
        queue->first = block->next;
        block_give(pool, block);
        if (block == end)
            return count;
    }
}

#endif
