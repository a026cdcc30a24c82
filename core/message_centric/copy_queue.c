/* The copy queue's storage: growth by doubling, reclamation by one slot. */
#include "copy_queue.h"

#include <stdlib.h>

#include "platform/memory.h"

static void resize(struct copy_queue *queue, size_t capacity) {
    queue->slots = memory_resize_on_node(queue->slots, queue->capacity * sizeof *queue->slots,
                                         capacity * sizeof *queue->slots, queue->node, "a mailbox's copy queue");
    queue->capacity = capacity;
}

void copy_queue_init(struct copy_queue *queue, int node) {
    atomic_initialise(&queue->count, 0);
    queue->slots = NULL;
    queue->capacity = 0;
    queue->node = node;
    resize(queue, COPY_QUEUE_INITIAL_CAPACITY);
}

void copy_queue_destroy(struct copy_queue *queue) {
    free(queue->slots);
    queue->slots = NULL;
}

void copy_queue_grow(struct copy_queue *queue) {
    resize(queue, 2 * queue->capacity);
}

void copy_queue_shrink(struct copy_queue *queue) {
    resize(queue, queue->capacity - 1);
}
