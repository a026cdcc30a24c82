/* The block queue: envelopes in a chain of blocks, so that whole blocks are appended and taken by pointer.
 *
 * All under the mailbox's lock, but for a look at the count, which is a hint then. Blocks in the midst of a chain may be partly
 * full or empty.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_BLOCK_QUEUE_H
#define ACTORBENCH_WORKER_CENTRIC_BLOCK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "block.h"

struct block_queue {
    ATOMIC(size_t) count; /* of envelopes; relaxed: the lock orders it */
    PLAIN(struct block *) first;
    PLAIN(struct block *) last;
    PLAIN(bool) is_put_into; /* one by one, since it was taken out of */
};

static inline void block_queue_init(struct block_queue *queue) {
    atomic_initialise(&queue->count, 0);
    queue->first = queue->last = NULL;
    queue->is_put_into = false;
}

static inline void block_queue_destroy(struct block_queue *queue) {
    block_free_chain(queue->first);
    queue->first = queue->last = NULL;
}

static inline void block_queue_add(struct block_queue *queue, size_t count) {
    size_t before = atomic_load_relaxed(&queue->count);
    atomic_store_relaxed(&queue->count, before + count);
}

/* Appends a block, which the queue owns from here on. */
static inline void block_queue_append(struct block_queue *queue, struct block *block) {
    if (queue->first == NULL)
        queue->first = block;
    else
        queue->last->next = block;
    queue->last = block;
    block_queue_add(queue, block->count);
}

/* Puts a chain in front of what is there. */
static inline void block_queue_prepend(struct block_queue *queue, struct block_chain chain) {
    chain.last->next = queue->first;
    if (queue->first == NULL)
        queue->last = chain.last;
    queue->first = chain.first;
    block_queue_add(queue, chain.count);
}

static inline bool block_queue_has_room(const struct block_queue *queue) {
    return queue->last != NULL && !block_is_full(queue->last);
}

/* Appends to a queue that has room. */
static inline void block_queue_put(struct block_queue *queue, struct envelope envelope) {
    block_put(queue->last, envelope);
    block_queue_add(queue, 1);
    queue->is_put_into = true;
}

/* Takes all out of a queue that is not empty, and leaves an empty block of the caller's in its place, or with NULL none. For a queue that is put into
 * one by one, which so finds room; with a block appended it would only be one header more that goes from cache to cache. */
static inline struct block_chain block_queue_take(struct block_queue *queue, struct block *empty) {
    struct block_chain chain = {queue->first, queue->last, atomic_load_relaxed(&queue->count)};
    queue->first = queue->last = empty;
    queue->is_put_into = false;
    atomic_store_relaxed(&queue->count, 0);
    return chain;
}

#endif
