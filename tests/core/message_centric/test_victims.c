/* Victims: from whom each heuristic steals. */
#include "harness.h"
#include "message_centric/victim.h"
#include "platform/memory.h"

enum { WORKERS = 5 };

static int set_up(void **state) {
    (void)state;
    executor.worker_count = WORKERS;
    executor.workers = memory_on_node(WORKERS * sizeof *executor.workers, CACHE_LINE, ANY_NODE, "workers");
    for (unsigned i = 0; i < WORKERS; i++) {
        executor.workers[i].index = i;
        executor.workers[i].random = random_seed(test_seed(), i);
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(executor.workers);
    executor.workers = NULL;
    executor.worker_count = 0;
    return 0;
}

static void test_longest_takes_the_oldest_stamp(void **state) {
    (void)state;
    static const uint64_t stamps[WORKERS] = {50, 20, 40, 10, 30};
    for (unsigned i = 0; i < WORKERS; i++)
        atomic_initialise(&executor.workers[i].stamp, stamps[i]);
    for (unsigned i = 0; i < WORKERS; i++)
        assert_int_equal(victim_longest(&executor.workers[i])->index, i == 3 ? 1 : 3);
}

/* Also where all stamps are the same, and where the thief's is the oldest. */
static void test_longest_is_never_the_thief(void **state) {
    (void)state;
    for (unsigned i = 0; i < WORKERS; i++)
        atomic_initialise(&executor.workers[i].stamp, 7);
    for (unsigned i = 0; i < WORKERS; i++)
        assert_int_not_equal(victim_longest(&executor.workers[i])->index, i);
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
    executor.options.steal = STEAL_NEAREST;
    assert_null(neighbours_make(&executor.neighbours, TABLE_MACHINE, PIN_NONE, NEAR_WORKERS));
    for (unsigned thief = 0; thief < NEAR_WORKERS; thief++) {
        struct worker *worker = &executor.workers[thief];
        bool chosen[NEAR_WORKERS] = {false};
        for (unsigned round = 0; round < 20; round++) {
            assert_int_equal(victim_choose(worker)->index, thief ^ 1);
            for (unsigned i = 0; i < 50; i++)
                chosen[victim_choose(worker)->index] = true;
            prowl_succeeded(&worker->prowl);
        }
        for (unsigned i = 0; i < NEAR_WORKERS; i++)
            assert_int_equal(chosen[i], i != thief);
    }
    neighbours_release(&executor.neighbours);
}

static void test_two_workers_choose_each_other(void **state) {
    (void)state;
    executor.worker_count = 2;
    for (unsigned heuristic = STEAL_RANDOM; heuristic <= STEAL_LONGEST; heuristic++) {
        executor.options.steal = (enum steal_heuristic)heuristic;
        assert_int_equal(victim_choose(&executor.workers[0])->index, 1);
        assert_int_equal(victim_choose(&executor.workers[1])->index, 0);
    }
    executor.worker_count = WORKERS;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_longest_takes_the_oldest_stamp), cmocka_unit_test(test_longest_is_never_the_thief),
        cmocka_unit_test(test_random_covers_all_others),       cmocka_unit_test(test_nearest_begins_near_by),
        cmocka_unit_test(test_two_workers_choose_each_other),
    };
    return cmocka_run_group_tests_name("victims", tests, set_up, tear_down);
}
