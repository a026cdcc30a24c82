/* Victims: from whom each heuristic steals, and whom it turns to in vain. */
#include "workers.h"

#include "sharded/victim.h"

enum { WORKERS = 5 };

static int set_up(void **state) {
    (void)state;
    make_workers(WORKERS, 1);
    return 0;
}

/* Worker i has last tried at stamps[i]. */
static void set_stamps(const uint64_t stamps[WORKERS]) {
    for (unsigned i = 0; i < WORKERS; i++)
        atomic_store_relaxed(&executor.workers[i].stamp, stamps[i]);
}

/* The next victims of a thief that gets nothing. */
static void expect_chase(unsigned thief, size_t count, ...) {
    va_list victims;
    va_start(victims, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(victim_longest(&executor.workers[thief])->index, va_arg(victims, unsigned));
    va_end(victims);
}

static const uint64_t spread[WORKERS] = {50, 20, 40, 10, 30};

static void test_longest_takes_the_oldest_stamp(void **state) {
    (void)state;
    set_stamps(spread);
    for (unsigned i = 0; i < WORKERS; i++)
        expect_chase(i, 1, i == 3 ? 1u : 3u);
}

/* In vain a thief goes on to the next in age, itself left out, and begins anew after all others. */
static void test_a_chase_goes_by_age(void **state) {
    (void)state;
    set_stamps(spread);
    expect_chase(0, 9, 3u, 1u, 4u, 2u, 3u, 1u, 4u, 2u, 3u);
    expect_chase(4, 9, 3u, 1u, 2u, 0u, 3u, 1u, 2u, 0u, 3u);
}

/* Of workers with one stamp the lower number is the older; also the thief's own stamp may be the oldest. */
static void test_ties_go_by_number(void **state) {
    (void)state;
    set_stamps((const uint64_t[]){7, 7, 7, 7, 7});
    expect_chase(2, 5, 0u, 1u, 3u, 4u, 0u);
    set_stamps((const uint64_t[]){7, 7, 1, 7, 3});
    victim_succeeded(&executor.workers[2]);
    expect_chase(2, 5, 4u, 0u, 1u, 3u, 4u);
}

static void test_success_begins_a_chase_anew(void **state) {
    (void)state;
    set_stamps(spread);
    expect_chase(0, 2, 3u, 1u);
    victim_succeeded(&executor.workers[0]);
    expect_chase(0, 5, 3u, 1u, 4u, 2u, 3u);
}

/* A victim that tries itself meanwhile is as young as that: it does not come again before the chase begins anew. */
static void test_victims_that_try_themselves(void **state) {
    (void)state;
    set_stamps((const uint64_t[]){0, 10, 20, 30, 40});
    expect_chase(0, 1, 1u);
    atomic_store_relaxed(&executor.workers[1].stamp, 100);
    expect_chase(0, 3, 2u, 3u, 4u);
    expect_chase(0, 4, 2u, 3u, 4u, 1u);
}

/* If nobody is younger than the last victim was, the oldest is next. */
static void test_a_chase_wraps_to_the_oldest(void **state) {
    (void)state;
    set_stamps((const uint64_t[]){0, 90, 90, 90, 90});
    expect_chase(0, 2, 1u, 2u);
    set_stamps((const uint64_t[]){0, 40, 30, 20, 80});
    expect_chase(0, 1, 3u);
}

static void test_random_covers_all_others(void **state) {
    (void)state;
    enum { TRIALS = 10000 };
    for (unsigned thief = 0; thief < WORKERS; thief++) {
        unsigned chosen[WORKERS] = {0};
        for (unsigned i = 0; i < TRIALS; i++)
            chosen[victim_random(&executor.workers[thief])->index]++;
        for (unsigned i = 0; i < WORKERS; i++) {
            if (i == thief)
                assert_int_equal(chosen[i], 0);
            else /* a fourth each; ten standard deviations are 430 */
                assert_in_range(chosen[i], TRIALS / 4 - 430, TRIALS / 4 + 430);
        }
    }
}

/* Two workers on each of two nodes: one attempt on the neighbour, then any other; anew after a success. */
static void test_nearest_begins_near_by(void **state) {
    (void)state;
    enum { NEAR_WORKERS = 4 };
    assert_null(neighbours_make(&sharding.neighbours, TABLE_MACHINE, PIN_NONE, NEAR_WORKERS));
    for (unsigned thief = 0; thief < NEAR_WORKERS; thief++) {
        struct worker *worker = &executor.workers[thief];
        bool chosen[NEAR_WORKERS] = {false};
        for (unsigned round = 0; round < 20; round++) {
            assert_int_equal(victim_choose(worker, STEAL_NEAREST)->index, thief ^ 1);
            for (unsigned i = 0; i < 50; i++)
                chosen[victim_choose(worker, STEAL_NEAREST)->index] = true;
            victim_succeeded(worker);
        }
        for (unsigned i = 0; i < NEAR_WORKERS; i++)
            assert_int_equal(chosen[i], i != thief);
    }
}

static void test_two_workers_choose_each_other(void **state) {
    (void)state;
    static const enum steal_heuristic heuristics[] = {STEAL_RANDOM, STEAL_NEAREST, STEAL_LONGEST};
    crew.count = 2;
    assert_null(neighbours_make(&sharding.neighbours, TABLE_MACHINE, PIN_NONE, 2));
    for (unsigned i = 0; i < 3 * LENGTH(heuristics); i++) {
        assert_int_equal(victim_choose(&executor.workers[0], heuristics[i / 3])->index, 1);
        assert_int_equal(victim_choose(&executor.workers[1], heuristics[i / 3])->index, 0);
    }
    crew.count = WORKERS;
}

#define WITH_WORKERS(test) cmocka_unit_test_setup_teardown(test, set_up, release_workers)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_WORKERS(test_longest_takes_the_oldest_stamp),
        WITH_WORKERS(test_a_chase_goes_by_age),
        WITH_WORKERS(test_ties_go_by_number),
        WITH_WORKERS(test_success_begins_a_chase_anew),
        WITH_WORKERS(test_victims_that_try_themselves),
        WITH_WORKERS(test_a_chase_wraps_to_the_oldest),
        WITH_WORKERS(test_random_covers_all_others),
        WITH_WORKERS(test_nearest_begins_near_by),
        WITH_WORKERS(test_two_workers_choose_each_other),
    };
    return cmocka_run_group_tests_name("victims", tests, NULL, NULL);
}
