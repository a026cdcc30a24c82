/* The statistics: exact where the traffic is known; thefts only in a build that does not count the rest. */
#include "rows.h"
#include "stats.h"

typedef struct {
    struct actorbench_message message;
} parcel;
ACTORBENCH_MESSAGE_TYPE(parcel)

typedef struct {
    struct actorbench_actor actor;
    unsigned left;
} counter;
#define BEHAVIOURS_counter(ON) ON(counter, parcel, counter_counts)
ACTORBENCH_ACTOR_TYPE(counter)

static enum actorbench_allocation counter_counts(counter *self, parcel *message) {
    if (--self->left == 0)
        return ACTORBENCH_FINISHED;
    actorbench_send(counter, self, message);
    return ACTORBENCH_NODELETE;
}

/* Each actor gets a message from main, and sends the others to itself. */
static void count(unsigned workers, unsigned actors, unsigned messages, struct actorbench_statistics *counted) {
    counter *all = calloc(actors, sizeof *all);
    parcel message;
    assert_non_null(all);
    actorbench_message_init(parcel, &message, ACTORBENCH_NODELETE);
    watchdog_start(20, "statistics");
    start_workers(workers);
    for (unsigned i = 0; i < actors; i++) {
        actorbench_actor_init(counter, &all[i]);
        all[i].left = messages;
        actorbench_send(counter, &all[i], &message);
    }
    actorbench_stop();
    watchdog_stop();
    free(all);
    assert_int_equal(actorbench_last_statistics(counted), STATISTICS_BUILD);
}

static void test_one_worker(void **state) {
    (void)state;
    struct actorbench_statistics counted;
    count(1, 1, 1000, &counted);
    if (!STATISTICS_BUILD) {
        const struct actorbench_statistics nothing = {0};
        assert_memory_equal(&counted, &nothing, sizeof nothing);
        return;
    }
    assert_int_equal(counted.actors_created, 1);
    assert_int_equal(counted.messages_sent, 1000);
    assert_int_equal(counted.messages_received, 1000);
    expect_lone_messages(&counted);
}

static void test_many_workers(void **state) {
    (void)state;
    for (unsigned workers = 2; workers <= 8; workers *= 2) {
        struct actorbench_statistics counted;
        count(workers, 50, 200, &counted);
        if (!STATISTICS_BUILD)
            skip();
        assert_int_equal(counted.actors_created, 50);
        assert_int_equal(counted.messages_sent, 50 * 200);
        assert_int_equal(counted.messages_received, 50 * 200);
        expect_plausible(&counted);
    }
}

/* The counts of a round do not leak into the next. */
static void test_rounds_are_counted_apart(void **state) {
    (void)state;
    struct actorbench_statistics counted;
    count(2, 10, 10, &counted);
    count(2, 3, 7, &counted);
    if (!STATISTICS_BUILD)
        skip();
    assert_int_equal(counted.actors_created, 3);
    assert_int_equal(counted.messages_received, 21);
}

/* ---- The table of counters ---------------------------------------------------------------------------------------- */

/* Each has a name of its own and stands in the statistics; a mean stands beside what it divides by, and is counted in the
 * same builds. */
static void test_counters(void **state) {
    (void)state;
    for (const struct actorbench_counter *entry = actorbench_counters; entry->name != NULL; entry++) {
        assert_true(entry->counter < sizeof(struct actorbench_statistics) && entry->counter % sizeof(uint64_t) == 0);
        bool is_mean = entry->per != (size_t)ACTORBENCH_COUNT;
        assert_int_equal(is_mean, strncmp(entry->name, "mean_", 5) == 0);
        bool divisor_stands = !is_mean;
        for (const struct actorbench_counter *other = actorbench_counters; other->name != NULL; other++) {
            if (other != entry)
                assert_string_not_equal(other->name, entry->name);
            divisor_stands |= other->per == (size_t)ACTORBENCH_COUNT && other->counter == entry->per &&
                              other->always == entry->always;
        }
        assert_true(divisor_stands);
    }
}

/* What every design counts, the thefts in every build: the record's schema asks for it. */
static void test_common_counters(void **state) {
    (void)state;
    static const char *const common[] = {"actors_created",     "messages_sent", "messages_received", "steal_attempts",
                                         "steal_no_candidate", "steals",        "mean_steal_size"};
    for (size_t i = 0; i < LENGTH(common); i++) {
        const struct actorbench_counter *entry = actorbench_counters;
        while (entry->name != NULL && strcmp(entry->name, common[i]) != 0)
            entry++;
        if (entry->name == NULL)
            fail_msg("%s is not counted", common[i]);
        else
            assert_int_equal(entry->always,
                             strstr(entry->name, "steals") != NULL || strstr(entry->name, "steal_size") != NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_worker),
        cmocka_unit_test(test_many_workers),
        cmocka_unit_test(test_rounds_are_counted_apart),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_common_counters),
    };
    return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
