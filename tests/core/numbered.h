/* Envelopes for tests of queues: numbered, never delivered. */
#ifndef ACTORBENCH_TESTS_NUMBERED_H
#define ACTORBENCH_TESTS_NUMBERED_H

#include "envelope.h"
#include "harness.h"

static inline struct envelope numbered(uintptr_t number) {
    struct envelope envelope = {NULL, (struct actorbench_message *)number, NULL};
    return envelope;
}

static inline uintptr_t number_of(struct envelope envelope) {
    return (uintptr_t)envelope.message;
}

/* The number that `expect_next` wants to see next. */
static uintptr_t next_number;

/* Asserts that envelopes come in the order of their numbers. */
static inline void expect_next(struct envelope envelope) {
    assert_int_equal(number_of(envelope), next_number);
    next_number++;
}

/* The same for a queue that is told by the value whether to go on. */
static inline bool run_next(const struct envelope *place) {
    expect_next(*place);
    return true;
}

#endif
