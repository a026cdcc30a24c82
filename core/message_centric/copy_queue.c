/* The copy queue's storage: growth by a factor, reclamation by one slot. */
#include "copy_queue.h"

#include <stdlib.h>

#include "platform/memory.h"

struct copy_queue_shape copy_queue_shape = {COPY_QUEUE_SIZE, COPY_QUEUE_GROWTH};

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
    resize(queue, copy_queue_shape.size);
}

void copy_queue_destroy(struct copy_queue *queue) {
    free(queue->slots);
    queue->slots = NULL;
}

void copy_queue_grow(struct copy_queue *queue) {
    size_t larger = queue->capacity * copy_queue_shape.growth / 100;
    resize(queue, larger > queue->capacity ? larger : queue->capacity + 1);
}

void copy_queue_shrink(struct copy_queue *queue) {
    resize(queue, queue->capacity - 1);
}
