/* The block queue: envelopes in a chain of blocks, so that whole blocks are appended and taken by pointer.
 *
 * Who may call what is as in copy_queue.h; `append_blocks` and `prepend_blocks` are under the mailbox's lock, like
 * `append`. Blocks in the midst of a chain may be partly full or empty.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_BLOCK_QUEUE_H
#define ACTORBENCH_MESSAGE_CENTRIC_BLOCK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "block.h"

struct block_queue {
    ATOMIC(size_t) count; /* of envelopes; as in struct copy_queue */
    PLAIN(struct block *) first;
    PLAIN(struct block *) last;
};

static inline void block_queue_init(struct block_queue *queue) {
    atomic_initialise(&queue->count, 0);
    queue->first = queue->last = NULL;
}

static inline void block_queue_destroy(struct block_queue *queue) {
    block_free_chain(queue->first);
    queue->first = queue->last = NULL;
}

static inline void block_queue_add(struct block_queue *queue, size_t count) {
    size_t before = atomic_load_relaxed(&queue->count);
    atomic_store_relaxed(&queue->count, before + count);
}

/* Appends a chain of blocks with `count` envelopes, which the queue owns from here on. */
static inline void block_queue_append_blocks(struct block_queue *queue, struct block *first, struct block *last,
                                             size_t count) {
    if (queue->first == NULL)
        queue->first = first;
    else
        queue->last->next = first;
    queue->last = last;
    block_queue_add(queue, count);
}

/* The same in front of what is there. */
static inline void block_queue_prepend_blocks(struct block_queue *queue, struct block *first, struct block *last,
                                              size_t count) {
    last->next = queue->first;
    if (queue->first == NULL)
        queue->last = last;
    queue->first = first;
    block_queue_add(queue, count);
}

/* Makes sure that the last block has room. */
static inline void block_queue_make_room(struct block_queue *queue, struct block *fresh) {
    block_queue_append_blocks(queue, fresh, fresh, 0);
}

static inline bool block_queue_has_room(const struct block_queue *queue) {
    return queue->last != NULL && !block_is_full(queue->last);
}

/* Appends to a queue that has room. */
static inline void block_queue_put(struct block_queue *queue, struct envelope envelope) {
    block_put(queue->last, envelope);
    block_queue_add(queue, 1);
}

/* Appends whatever it takes; `pool` is the caller's, or NULL. */
static inline void block_queue_append(struct block_queue *queue, struct block_pool *pool, struct envelope envelope) {
    if (unlikely(!block_queue_has_room(queue)))
        block_queue_make_room(queue, block_take(pool));
    block_queue_put(queue, envelope);
}

/* Moves everything from `queue` to the empty `local`; returns how much, which the local queue itself does not keep. The
 * empty block that `local` may have stays behind in the queue, so that the next append need not allocate one. */
static inline size_t block_queue_transfer(struct block_queue *queue, struct block_queue *local) {
    size_t count = atomic_load_relaxed(&queue->count);
    struct block *first = queue->first, *last = queue->last;
    queue->first = local->first;
    queue->last = local->last;
    local->first = first;
    local->last = last;
    atomic_store_relaxed(&queue->count, 0);
    return count;
}

/* Hands every envelope of a local queue to `deliver`, as in queue.h. An empty block is left. */
static inline void block_queue_drain(struct block_queue *local, struct block_pool *pool, unsigned ahead,
                                     void (*deliver)(struct envelope)) {
    for (struct block *block = local->first, *next; block != NULL; block = next) {
        envelopes_run(block->envelopes, block->envelopes + block->count, ahead, deliver);
        next = block->next;
        if (next != NULL)
            block_give(pool, block);
        else
            block->count = 0;
    }
    local->first = local->last;
}

#endif
