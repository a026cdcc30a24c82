/* The copy queue's capacity: doubling from ten slots, or as its shape says, and what each reclamation policy makes of it. */
#include "queues.h"

#include "platform/memory.h"

struct pair {
    struct copy_queue mailbox, local;
};

static void init(struct pair *queues) {
    copy_queue_init(&queues->mailbox, ANY_NODE);
    copy_queue_init(&queues->local, ANY_NODE);
}

static void destroy(struct pair *queues) {
    copy_queue_destroy(&queues->mailbox);
    copy_queue_destroy(&queues->local);
}

/* So many messages arrive and are gulped; the larger of the two capacities before reclamation. */
static size_t gulp(struct pair *queues, size_t messages, enum reclaim_policy policy) {
    for (size_t i = 0; i < messages; i++)
        copy_queue_append(&queues->mailbox, numbered(i));
    assert_int_equal(copy_queue_transfer(&queues->mailbox, &queues->local), messages);
    size_t largest =
        queues->local.capacity > queues->mailbox.capacity ? queues->local.capacity : queues->mailbox.capacity;
    copy_queue_reclaim(&queues->local, policy, messages);
    return largest;
}

static void test_capacity_doubles(void **state) {
    (void)state;
    struct copy_queue queue;
    copy_queue_init(&queue, ANY_NODE);
    assert_int_equal(queue.capacity, 10);
    for (size_t count = 1; count <= 1000; count++) {
        copy_queue_append(&queue, numbered(count));
        size_t expected = 10;
        while (expected < count)
            expected *= 2;
        assert_int_equal(queue.capacity, expected);
        assert_int_equal(copy_queue_count(&queue), count);
    }
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(number_of(queue.slots[i]), i + 1);
    copy_queue_destroy(&queue);
}

/* The capacities that a queue of this shape comes to as it is filled. */
static void expect_growth(struct copy_queue_shape shape, size_t count, ...) {
    copy_queue_shape = shape;
    struct copy_queue queue;
    copy_queue_init(&queue, ANY_NODE);
    va_list capacities;
    va_start(capacities, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(queue.capacity, va_arg(capacities, unsigned));
        while (!copy_queue_is_full(&queue))
            copy_queue_put(&queue, numbered(copy_queue_count(&queue)));
        copy_queue_append(&queue, numbered(copy_queue_count(&queue)));
    }
    va_end(capacities);
    for (size_t i = 0; i < copy_queue_count(&queue); i++)
        assert_int_equal(number_of(queue.slots[i]), i);
    copy_queue_destroy(&queue);
}

static const struct copy_queue_shape usual = {COPY_QUEUE_SIZE, COPY_QUEUE_GROWTH};

/* Rounded down, but always by a slot. */
static void test_other_shapes(void **state) {
    (void)state;
    expect_growth((struct copy_queue_shape){3, 300}, 4, 3u, 9u, 27u, 81u);
    expect_growth((struct copy_queue_shape){1, 150}, 6, 1u, 2u, 3u, 4u, 6u, 9u);
    expect_growth((struct copy_queue_shape){98, 101}, 4, 98u, 99u, 100u, 101u);
    expect_growth((struct copy_queue_shape){100, 1000}, 2, 100u, 1000u);
    copy_queue_shape = usual;
}

/* What is given back ends at the size that it had at first. */
static void test_reclamation_ends_at_the_first_size(void **state) {
    (void)state;
    copy_queue_shape = (struct copy_queue_shape){4, 200};
    struct pair queues;
    init(&queues);
    (void)gulp(&queues, 5, RECLAIM_NAIVE);
    assert_int_equal(queues.local.capacity, 7);
    for (unsigned i = 0; i < 20; i++)
        (void)gulp(&queues, 1, RECLAIM_NAIVE);
    assert_int_equal(queues.local.capacity, 4);
    assert_int_equal(queues.mailbox.capacity, 4);
    destroy(&queues);
    copy_queue_shape = usual;
}

/* The thesis' example ("Copy Queue"): a steady 19 messages a gulp. These are the capacities of the array that each
 * gulp took, after reclamation. */
static void steady_19(enum reclaim_policy policy, const size_t *capacities, size_t count, size_t watermark) {
    struct pair queues;
    size_t largest = 0;
    init(&queues);
    for (size_t i = 0; i < 1000; i++) {
        size_t now = gulp(&queues, 19, policy);
        largest = now > largest ? now : largest;
        if (i < count)
            assert_int_equal(queues.local.capacity, capacities[i]);
    }
    assert_int_equal(largest, watermark);
    destroy(&queues);
}

static void test_steady_19_naive(void **state) {
    (void)state;
    /* Both arrays shrink to 18 slots, and double again: to 36 where 20 would do. */
    static const size_t capacities[] = {19, 19, 18, 18, 35, 35, 34, 34, 33, 33};
    steady_19(RECLAIM_NAIVE, capacities, LENGTH(capacities), 36);
}

static void test_steady_19_half(void **state) {
    (void)state;
    static const size_t capacities[] = {20, 20, 20, 20, 20, 20};
    steady_19(RECLAIM_HALF, capacities, LENGTH(capacities), 20);
}

static void test_steady_19_none(void **state) {
    (void)state;
    static const size_t capacities[] = {20, 20, 20, 20, 20, 20};
    steady_19(RECLAIM_NONE, capacities, LENGTH(capacities), 20);
}

/* After one large gulp, `half` and `naive` give back a slot a gulp, down to the initial capacity; `none` keeps all. */
static void test_reclaim_after_a_burst(void **state) {
    (void)state;
    static const struct {
        enum reclaim_policy policy;
        size_t after_one, after_all;
    } cases[] = {{RECLAIM_NONE, 160, 160}, {RECLAIM_NAIVE, 159, 10}, {RECLAIM_HALF, 160, 10}};
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct pair queues;
        init(&queues);
        (void)gulp(&queues, 100, cases[i].policy);
        assert_int_equal(queues.local.capacity, cases[i].after_one);
        for (size_t gulps = 0; gulps < 400; gulps++)
            (void)gulp(&queues, 1, cases[i].policy);
        size_t largest =
            queues.local.capacity > queues.mailbox.capacity ? queues.local.capacity : queues.mailbox.capacity;
        assert_int_equal(largest, cases[i].after_all);
        destroy(&queues);
    }
}

/* `half` compares what was used with half of the array: exactly half is enough to keep it. */
static void test_half_at_its_edge(void **state) {
    (void)state;
    struct copy_queue queue;
    copy_queue_init(&queue, ANY_NODE);
    copy_queue_grow(&queue);
    copy_queue_reclaim(&queue, RECLAIM_HALF, 10);
    assert_int_equal(queue.capacity, 20);
    copy_queue_reclaim(&queue, RECLAIM_HALF, 9);
    assert_int_equal(queue.capacity, 19);
    copy_queue_destroy(&queue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capacity_doubles),
        cmocka_unit_test(test_other_shapes),
        cmocka_unit_test(test_reclamation_ends_at_the_first_size),
        cmocka_unit_test(test_steady_19_naive),
        cmocka_unit_test(test_steady_19_half),
        cmocka_unit_test(test_steady_19_none),
        cmocka_unit_test(test_reclaim_after_a_burst),
        cmocka_unit_test(test_half_at_its_edge),
    };
    return cmocka_run_group_tests_name("copy_queue", tests, NULL, NULL);
}
