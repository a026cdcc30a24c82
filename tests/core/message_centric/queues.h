/* Queues of both kinds, for tests of them. */
#ifndef ACTORBENCH_TESTS_QUEUES_H
#define ACTORBENCH_TESTS_QUEUES_H

#include "message_centric/queue.h"
#include "numbered.h"

static inline void append(union queue *queue, enum queue_kind kind, uintptr_t number) {
    if (kind == QUEUE_COPY)
        copy_queue_append(&queue->copy, numbered(number));
    else
        list_queue_append(&queue->list, list_queue_link(numbered(number)));
}

#endif
