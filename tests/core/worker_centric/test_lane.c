/* A lane: one sender, one consumer at a time; in order, once, whatever the sizes; one lane a mailbox. */
#include <pthread.h>

#include "envelopes.h"
#include "message_centric/lane.h"

enum { SENDS = 200000 };

static struct lane *lane;

/* Every count up to three blocks, in steps of every size. */
static void test_in_order(void **state) {
    (void)state;
    for (size_t step = 1; step <= 3 * BLOCK_ENVELOPES; step += 13) {
        lane = lane_make();
        next_number = 1;
        uintptr_t sent = 0;
        for (unsigned round = 0; round < 8; round++) {
            for (size_t i = 0; i < step; i++)
                lane_send(lane, numbered(++sent));
            assert_int_equal(lane_count(lane), step);
            lane_run(lane, step, round, expect_next);
            assert_int_equal(next_number, sent + 1);
            assert_int_equal(lane_count(lane), 0);
        }
        lane_free(lane);
    }
}

/* What nobody took is given back; the leak sanitizer looks on. */
static void test_freed_with_messages(void **state) {
    (void)state;
    lane = lane_make();
    for (uintptr_t number = 1; number <= 3 * BLOCK_ENVELOPES; number++)
        lane_send(lane, numbered(number));
    next_number = 1;
    lane_run(lane, BLOCK_ENVELOPES + 1, 0, expect_next);
    lane_free(lane);
    lane_free(NULL);
}

static void *send_all(void *unused) {
    (void)unused;
    for (uintptr_t number = 1; number <= SENDS; number++)
        lane_send(lane, numbered(number));
    return NULL;
}

static void concurrently(bool light) {
    bool before = asymmetric_is_light;
    asymmetric_is_light = light;
    lane = lane_make();
    next_number = 1;
    pthread_t sender;
    watchdog_start(60, "a lane's two ends");
    assert_int_equal(pthread_create(&sender, NULL, send_all, NULL), 0);
    while (next_number <= SENDS) {
        uint64_t count = lane_count(lane);
        if (count == 0)
            cpu_yield();
        lane_run(lane, count, 4, expect_next);
    }
    assert_int_equal(pthread_join(sender, NULL), 0);
    watchdog_stop();
    assert_int_equal(lane_count(lane), 0);
    lane_free(lane);
    asymmetric_is_light = before;
}

static void test_two_threads(void **state) {
    (void)state;
    concurrently(true);
    concurrently(false);
}

static void *number_of_another(void *number) {
    struct lane *another = lane_make();
    *(uint64_t *)number = another->producer;
    lane_free(another);
    return NULL;
}

/* Each thread has its number, and keeps it. */
static void test_producers(void **state) {
    (void)state;
    lane = lane_make();
    struct lane *second = lane_make();
    assert_int_equal(lane->producer, lane_self);
    assert_int_equal(second->producer, lane_self);
    uint64_t another = 0;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, number_of_another, &another), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_not_equal(another, 0);
    assert_int_not_equal(another, lane_self);
    lane_free(lane);
    lane_free(second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_freed_with_messages),
        cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_producers),
    };
    return cmocka_run_group_tests_name("lane", tests, NULL, NULL);
}
