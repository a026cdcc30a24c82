/* The statistics: exact where the traffic is known; nothing in a build that does not count. */
#include "harness.h"
#include "stats.h"

typedef struct {
    struct message message;
} parcel;
MESSAGE_TYPE(parcel)

typedef struct {
    struct actor actor;
    unsigned left;
} counter;
#define BEHAVIOURS_counter(ON) ON(counter, parcel, counter_counts)
ACTOR_TYPE(counter)

static enum allocation counter_counts(counter *self, parcel *message) {
    if (--self->left == 0)
        return FINISHED;
    actor_send(counter, self, message);
    return NODELETE;
}

/* Each actor gets a message from main, and sends the others to itself. */
static void count(unsigned workers, unsigned actors, unsigned messages, struct executor_statistics *counted) {
    counter *all = calloc(actors, sizeof *all);
    parcel message;
    assert_non_null(all);
    message_init(parcel, &message, NODELETE);
    watchdog_start(20, "statistics");
    start_workers(workers);
    for (unsigned i = 0; i < actors; i++) {
        actor_init(counter, &all[i]);
        all[i].left = messages;
        actor_send(counter, &all[i], &message);
    }
    executor_stop();
    watchdog_stop();
    free(all);
    assert_int_equal(executor_last_statistics(counted), STATISTICS_BUILD);
}

static void test_one_worker(void **state) {
    (void)state;
    struct executor_statistics counted;
    count(1, 1, 1000, &counted);
    if (!STATISTICS_BUILD) {
        const struct executor_statistics nothing = {0};
        assert_memory_equal(&counted, &nothing, sizeof nothing);
        return;
    }
    assert_int_equal(counted.actors_created, 1);
    assert_int_equal(counted.messages_sent, 1000);
    assert_int_equal(counted.messages_received, 1000);
    assert_int_equal(counted.gulps, 1000); /* one message in flight: each gulp brings one */
    assert_int_equal(counted.missed_gulps, 0);
    assert_int_equal(counted.steal_attempts, 0);
}

static void test_many_workers(void **state) {
    (void)state;
    for (unsigned workers = 2; workers <= 8; workers *= 2) {
        struct executor_statistics counted;
        count(workers, 50, 200, &counted);
        if (!STATISTICS_BUILD)
            skip();
        assert_int_equal(counted.actors_created, 50);
        assert_int_equal(counted.messages_sent, 50 * 200);
        assert_int_equal(counted.messages_received, 50 * 200);
        assert_in_range(counted.gulps, 1, counted.messages_received);
        assert_in_range(counted.steals + counted.steal_no_candidate + counted.steal_failed_swap, 0,
                        counted.steal_attempts);
        assert_true(counted.steals > 0 || counted.messages_stolen == 0);
    }
}

/* The counts of a round do not leak into the next. */
static void test_rounds_are_counted_apart(void **state) {
    (void)state;
    struct executor_statistics counted;
    count(2, 10, 10, &counted);
    count(2, 3, 7, &counted);
    if (!STATISTICS_BUILD)
        skip();
    assert_int_equal(counted.actors_created, 3);
    assert_int_equal(counted.messages_received, 21);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_worker),
        cmocka_unit_test(test_many_workers),
        cmocka_unit_test(test_rounds_are_counted_apart),
    };
    return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
