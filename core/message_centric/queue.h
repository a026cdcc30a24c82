/* A mailbox's queue of any kind. The kind is the executor's, the same for all queues of a round, so that the branch
 * on it is always predicted. */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_QUEUE_H
#define ACTORBENCH_MESSAGE_CENTRIC_QUEUE_H

#include "block_queue.h"
#include "copy_queue.h"
#include "list_queue.h"

enum queue_kind { QUEUE_COPY, QUEUE_LIST, QUEUE_BLOCK };

union queue {
    ATOMIC(size_t) count; /* the first member of all, so that looking for messages does not depend on the kind */
    struct copy_queue copy;
    struct list_queue list;
    struct block_queue block;
};

static inline void queue_init(union queue *queue, enum queue_kind kind, int node) {
    if (kind == QUEUE_COPY)
        copy_queue_init(&queue->copy, node);
    else if (kind == QUEUE_LIST)
        list_queue_init(&queue->list);
    else
        block_queue_init(&queue->block);
}

static inline void queue_destroy(union queue *queue, enum queue_kind kind) {
    if (kind == QUEUE_COPY)
        copy_queue_destroy(&queue->copy);
    else if (kind == QUEUE_LIST)
        list_queue_destroy(&queue->list);
    else
        block_queue_destroy(&queue->block);
}

static inline size_t queue_count(const union queue *queue) {
    return atomic_load_relaxed(&queue->count);
}

/* Moves everything from `queue` to the empty `local`; returns how much. */
static inline size_t queue_transfer(union queue *queue, enum queue_kind kind, union queue *local) {
    switch (kind) {
    case QUEUE_COPY:
        return copy_queue_transfer(&queue->copy, &local->copy);
    case QUEUE_LIST:
        return list_queue_transfer(&queue->list, &local->list);
    default:
        return block_queue_transfer(&queue->block, &local->block);
    }
}

/* Hands every envelope of a local queue, oldest first, to `deliver`, which is inlined. `count` is how many there are;
 * the queue is then empty. `pool` gets emptied blocks. `ahead` is as in envelopes_run. */
static inline void queue_drain(union queue *local, enum queue_kind kind, size_t count, struct block_pool *pool,
                               unsigned ahead, void (*deliver)(struct envelope)) {
    if (likely(kind == QUEUE_COPY)) {
        const PLAIN(struct envelope) *slots = local->copy.slots;
        envelopes_run(slots, slots + count, ahead, deliver);
    } else if (kind == QUEUE_LIST) {
        struct envelope envelope;
        while (list_queue_next(&local->list, &envelope))
            deliver(envelope);
    } else {
        block_queue_drain(&local->block, pool, ahead, deliver);
    }
}

#endif
