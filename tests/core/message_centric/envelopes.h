/* Envelopes for tests of queues: numbered, never delivered. */
#ifndef ACTORBENCH_TESTS_ENVELOPES_H
#define ACTORBENCH_TESTS_ENVELOPES_H

#include "harness.h"
#include "message_centric/queue.h"

static inline struct envelope numbered(uintptr_t number) {
    struct envelope envelope = {NULL, (struct message *)number, NULL};
    return envelope;
}

static inline uintptr_t number_of(struct envelope envelope) {
    return (uintptr_t)envelope.message;
}

static inline void append(union queue *queue, enum queue_kind kind, uintptr_t number) {
    if (kind == QUEUE_COPY)
        copy_queue_append(&queue->copy, numbered(number));
    else if (kind == QUEUE_LIST)
        list_queue_append(&queue->list, list_queue_link(numbered(number)));
    else
        block_queue_append(&queue->block, NULL, numbered(number));
}

/* The number that `expect_next` wants to see next. */
static uintptr_t next_number;

/* For queue_drain: asserts that envelopes come in the order of their numbers. */
static inline void expect_next(struct envelope envelope) {
    assert_int_equal(number_of(envelope), next_number);
    next_number++;
}

#endif
