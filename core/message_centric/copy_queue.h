/* The copy queue: envelopes copied into an array that grows, filled by many senders, then emptied whole
 * (thesis, "Copy Queue"). A full array doubles, or as copy_queue_shape says (thesis, "Executor" under "Performance": how often and
 * by how much copy queues expand might be tuned).
 *
 * A queue is either filled or emptied, never both at a time: a mailbox's queue is appended to under the mailbox's
 * lock; a gulp moves it whole into a worker's empty local queue (the two exchange their arrays), and the worker alone
 * empties that. So there is no ring and nothing to shift.
 *
 *                      append   count   transfer   read    reclaim
 *     mailbox's queue  lock     any     lock       -       -
 *     local queue      -        -       owner      owner   owner
 *
 * Reclamation, once a gulp, of one slot, when the array is larger than it was at first: `none` never; `naive` always,
 * and so its array may double again right away (a steady 19 messages: 20, 18, 36 slots); `half` only if less than
 * half of the array was used.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_COPY_QUEUE_H
#define ACTORBENCH_MESSAGE_CENTRIC_COPY_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "envelope.h"
#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/small.h"

enum { COPY_QUEUE_SIZE = TESTED(10, 1), COPY_QUEUE_GROWTH = 200 }; /* by default */

enum reclaim_policy { RECLAIM_NONE, RECLAIM_NAIVE, RECLAIM_HALF };

/* Of all copy queues; set before they are made, and constant while they live. */
struct copy_queue_shape {
    size_t size;   /* slots at first, at least 1 */
    size_t growth; /* percent of its size that a full array grows to; one slot more at least */
};

extern struct copy_queue_shape copy_queue_shape;

struct copy_queue {
    ATOMIC(size_t) count; /* filled slots; relaxed: the lock or the owner orders it, and others take it as a hint */
    PLAIN(PLAIN(struct envelope) *) slots;
    PLAIN(size_t) capacity;
    int node; /* the NUMA node for the slots, or ANY_NODE */
};

/* Takes the slots that it has at first; stops the program if memory is out. */
void copy_queue_init(struct copy_queue *queue, int node);

/* Frees the slots; envelopes still in them are dropped. */
void copy_queue_destroy(struct copy_queue *queue);

/* Grows the capacity; stops the program if memory is out, since a message must not be dropped. */
void copy_queue_grow(struct copy_queue *queue);

/* Gives back one slot of an emptied queue. */
void copy_queue_shrink(struct copy_queue *queue);

static inline size_t copy_queue_count(const struct copy_queue *queue) {
    return atomic_load_relaxed(&queue->count);
}

static inline bool copy_queue_is_full(const struct copy_queue *queue) {
    return copy_queue_count(queue) == queue->capacity;
}

/* Appends to a queue that is not full. */
static inline void copy_queue_put(struct copy_queue *queue, struct envelope envelope) {
    size_t count = copy_queue_count(queue);
    queue->slots[count] = envelope;
    atomic_store_relaxed(&queue->count, count + 1);
}

static inline void copy_queue_append(struct copy_queue *queue, struct envelope envelope) {
    if (unlikely(copy_queue_is_full(queue)))
        copy_queue_grow(queue);
    copy_queue_put(queue, envelope);
}

/* Moves everything from `queue` to the empty `local`, whose slots[0] .. slots[n - 1] it then is; returns n, which the
 * local queue itself does not keep: each store would be paid for at the next locked instruction. */
static inline size_t copy_queue_transfer(struct copy_queue *queue, struct copy_queue *local) {
    size_t count = copy_queue_count(queue);
    PLAIN(struct envelope) *slots = local->slots;
    size_t capacity = local->capacity;
    local->slots = queue->slots;
    local->capacity = queue->capacity;
    queue->slots = slots;
    queue->capacity = capacity;
    atomic_store_relaxed(&queue->count, 0);
    return count;
}

/* Gives back a slot of an emptied queue if the policy says so; `used` is how many slots the last gulp filled. */
static inline void copy_queue_reclaim(struct copy_queue *local, enum reclaim_policy policy, size_t used) {
    if (likely(local->capacity <= copy_queue_shape.size) || policy == RECLAIM_NONE)
        return;
    if (policy == RECLAIM_NAIVE || used < local->capacity / 2)
        copy_queue_shrink(local);
}

#endif
