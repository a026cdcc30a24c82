/* The list queue: an envelope allocated for each send and freed after its behaviour, as in uC++: the baseline that the
 * copy queue is measured against (thesis, "Actor Envelopes" and "Copy Queue").
 *
 * Who may call what is as in copy_queue.h. The allocation is made before the mailbox is locked.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_LIST_QUEUE_H
#define ACTORBENCH_MESSAGE_CENTRIC_LIST_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "envelope.h"
#include "platform/atomic.h"
#include "platform/memory.h"

struct list_link {
    PLAIN(struct envelope) envelope;
    PLAIN(struct list_link *) next;
};

struct list_queue {
    ATOMIC(size_t) count; /* as in struct copy_queue */
    PLAIN(struct list_link *) first;
    PLAIN(struct list_link *) last;
};

static inline void list_queue_init(struct list_queue *queue) {
    atomic_initialise(&queue->count, 0);
    queue->first = queue->last = NULL;
}

static inline size_t list_queue_count(const struct list_queue *queue) {
    return atomic_load_relaxed(&queue->count);
}

/* An envelope on the heap; the queue that it is appended to owns it. Stops the program if memory is out. */
static inline struct list_link *list_queue_link(struct envelope envelope) {
    struct list_link *link = (struct list_link *)memory_block(sizeof *link, "an envelope");
    link->envelope = envelope;
    link->next = NULL;
    return link;
}

static inline void list_queue_append(struct list_queue *queue, struct list_link *link) {
    if (queue->first == NULL)
        queue->first = link;
    else
        queue->last->next = link;
    queue->last = link;
    atomic_store_relaxed(&queue->count, list_queue_count(queue) + 1);
}

/* Moves everything from `queue` to the empty `local`; returns how much, which the local queue itself does not keep. */
static inline size_t list_queue_transfer(struct list_queue *queue, struct list_queue *local) {
    size_t count = list_queue_count(queue);
    local->first = queue->first;
    queue->first = queue->last = NULL;
    atomic_store_relaxed(&queue->count, 0);
    return count;
}

/* Takes the oldest envelope of a local queue; false if there is none. */
static inline bool list_queue_next(struct list_queue *local, struct envelope *envelope) {
    struct list_link *link = local->first;
    if (link == NULL)
        return false;
    *envelope = link->envelope;
    local->first = link->next;
    free(link);
    return true;
}

static inline void list_queue_destroy(struct list_queue *queue) {
    struct envelope dropped;
    while (list_queue_next(queue, &dropped))
        continue;
}

#endif
