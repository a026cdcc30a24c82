/* Both kinds of queue: what is appended comes out once, in order, whatever the sizes of the gulps. */
#include "queues.h"

#include "platform/memory.h"

enum { BURSTS = 4, LARGEST_BURST = 12 };

struct pair {
    union queue mailbox, local;
};

static void init(struct pair *queues, enum queue_kind kind) {
    queue_init(&queues->mailbox, kind, ANY_NODE);
    queue_init(&queues->local, kind, ANY_NODE);
    next_number = 1;
}

static void destroy(struct pair *queues, enum queue_kind kind) {
    queue_destroy(&queues->mailbox, kind);
    queue_destroy(&queues->local, kind);
}

static void gulp(struct pair *queues, enum queue_kind kind, enum reclaim_policy policy) {
    size_t count = queue_count(&queues->mailbox);
    uintptr_t first = next_number;
    assert_int_equal(queue_transfer(&queues->mailbox, kind, &queues->local), count);
    assert_int_equal(queue_count(&queues->mailbox), 0);
    queue_drain(&queues->local, kind, count, expect_next);
    assert_int_equal(next_number, first + count);
    if (kind == QUEUE_COPY)
        copy_queue_reclaim(&queues->local.copy, policy, count);
}

/* Every sequence of BURSTS gulps of 0 .. LARGEST_BURST messages: more and fewer than the initial capacity. */
static void all_small_sequences(enum queue_kind kind, enum reclaim_policy policy) {
    unsigned sequences = 1;
    for (int burst = 0; burst < BURSTS; burst++)
        sequences *= LARGEST_BURST + 1;
    for (unsigned sequence = 0; sequence < sequences; sequence++) {
        struct pair queues;
        uintptr_t number = 1;
        init(&queues, kind);
        for (unsigned burst = 0, rest = sequence; burst < BURSTS; burst++, rest /= LARGEST_BURST + 1) {
            for (unsigned i = 0; i < rest % (LARGEST_BURST + 1); i++)
                append(&queues.mailbox, kind, number++);
            gulp(&queues, kind, policy);
        }
        assert_int_equal(next_number, number);
        destroy(&queues, kind);
    }
}

static void test_copy_queue_sequences(void **state) {
    (void)state;
    all_small_sequences(QUEUE_COPY, RECLAIM_NONE);
    all_small_sequences(QUEUE_COPY, RECLAIM_NAIVE);
    all_small_sequences(QUEUE_COPY, RECLAIM_HALF);
}

static void test_list_queue_sequences(void **state) {
    (void)state;
    all_small_sequences(QUEUE_LIST, RECLAIM_NONE);
}

/* New messages are appended while the gulped ones run. */
static void append_between_transfer_and_drain(enum queue_kind kind) {
    struct pair queues;
    init(&queues, kind);
    append(&queues.mailbox, kind, 1);
    for (uintptr_t round = 1; round <= 100; round++) {
        size_t count = queue_transfer(&queues.mailbox, kind, &queues.local);
        append(&queues.mailbox, kind, round + 1);
        queue_drain(&queues.local, kind, count, expect_next);
        assert_int_equal(next_number, round + 1);
        assert_int_equal(queue_count(&queues.mailbox), 1);
    }
    destroy(&queues, kind);
}

static void test_append_while_draining(void **state) {
    (void)state;
    append_between_transfer_and_drain(QUEUE_COPY);
    append_between_transfer_and_drain(QUEUE_LIST);
}

/* Destroying a queue releases what is still in it; the leak sanitizer looks on. */
static void test_destroy_with_messages(void **state) {
    (void)state;
    for (int kind = QUEUE_COPY; kind <= QUEUE_LIST; kind++) {
        struct pair queues;
        init(&queues, (enum queue_kind)kind);
        for (uintptr_t number = 1; number <= 25; number++)
            append(&queues.mailbox, (enum queue_kind)kind, number);
        assert_int_equal(queue_count(&queues.mailbox), 25);
        destroy(&queues, (enum queue_kind)kind);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy_queue_sequences),
        cmocka_unit_test(test_list_queue_sequences),
        cmocka_unit_test(test_append_while_draining),
        cmocka_unit_test(test_destroy_with_messages),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
