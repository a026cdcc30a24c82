/* A mailbox's queue of either kind. The kind is the executor's, the same for all queues of a round, so that the branch
 * on it is always predicted. */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_QUEUE_H
#define ACTORBENCH_MESSAGE_CENTRIC_QUEUE_H

#include "copy_queue.h"
#include "delivery.h"
#include "list_queue.h"

enum queue_kind { QUEUE_COPY, QUEUE_LIST };

union queue {
    ATOMIC(size_t) count; /* the first member of both, so that looking for messages does not depend on the kind */
    struct copy_queue copy;
    struct list_queue list;
};

static inline void queue_init(union queue *queue, enum queue_kind kind, int node) {
    if (kind == QUEUE_COPY)
        copy_queue_init(&queue->copy, node);
    else
        list_queue_init(&queue->list);
}

static inline void queue_destroy(union queue *queue, enum queue_kind kind) {
    if (kind == QUEUE_COPY)
        copy_queue_destroy(&queue->copy);
    else
        list_queue_destroy(&queue->list);
}

static inline size_t queue_count(const union queue *queue) {
    return atomic_load_relaxed(&queue->count);
}

/* Moves everything from `queue` to the empty `local`; returns how much. */
static inline size_t queue_transfer(union queue *queue, enum queue_kind kind, union queue *local) {
    return kind == QUEUE_COPY ? copy_queue_transfer(&queue->copy, &local->copy)
                              : list_queue_transfer(&queue->list, &local->list);
}

/* Hands every envelope of a local queue, oldest first, to `run`, which is inlined. `count` is how many there are;
 * the queue is then empty. */
static inline void queue_drain(union queue *local, enum queue_kind kind, size_t count, void (*run)(struct envelope)) {
    if (likely(kind == QUEUE_COPY)) {
        const PLAIN(struct envelope) *slots = local->copy.slots;
        envelopes_run(slots, slots + count, run);
    } else {
        struct envelope envelope;
        while (list_queue_next(&local->list, &envelope))
            run(envelope);
    }
}

#endif
