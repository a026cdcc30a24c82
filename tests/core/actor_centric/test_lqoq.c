/* The roles of lqoq's two queues at the end of a run: each line of the table in ready.h. */
#include "stats.h"
#include "workers.h"

static struct worker *worker;

static int set_up(void **state) {
    (void)make_workers(state);
    executor.options.ready = READY_LQOQ;
    worker = &executor.workers[0];
    /* Worker 2 sleeps, and sees whether it is told of anything. */
    atomic_initialise(&executor.workers[2].sleeping, ASLEEP);
    atomic_initialise(&crew.sleepers, 1);
    return 0;
}

static bool told(void) {
    return atomic_load_relaxed(&executor.workers[2].sleeping) == AWAKE;
}

/* The actors first .. last have run, and have more to do. */
static void yield(unsigned first, unsigned last) {
    for (unsigned i = first; i <= last; i++)
        ready_yield(worker, &boxes[i]);
}

static uint32_t turn(void) {
    return atomic_load_relaxed(&worker->inbox.turn);
}

static void assert_counted(uint64_t swaps, uint64_t balances) {
    assert_int_equal(worker->statistics.swaps, STATISTICS_BUILD ? swaps : 0);
    assert_int_equal(worker->statistics.balances, STATISTICS_BUILD ? balances : 0);
}

static void test_empty_and_empty(void **state) {
    (void)state;
    assert_null(ready_next(worker));
    assert_int_equal(turn(), 0);
    assert_false(told());
    assert_counted(0, 0);
}

static void test_empty_and_one(void **state) {
    (void)state;
    list_actors(&worker->inbox, 0, 0);
    assert_ptr_equal(ready_next(worker), &boxes[0]);
    assert_int_equal(ready_list_count(&worker->inbox), 0);
    assert_no_chain(&worker->inbox.chain);
    assert_false(told());
    assert_counted(0, 0);
    assert_null(ready_next(worker));
}

/* The half that is taken is the older, and the larger of two uneven ones; the rest may be stolen meanwhile. */
static void test_empty_and_more(void **state) {
    for (unsigned actors = 2; actors <= BOXES; actors++) {
        (void)release_workers(state);
        (void)set_up(state);
        unsigned half = (actors + 1) / 2;
        list_actors(&worker->inbox, 0, actors - 1);
        assert_ptr_equal(ready_next(worker), &boxes[0]);
        if (half > 1)
            assert_chain(&worker->local, 1, half - 1);
        assert_chain(&worker->inbox.chain, half, actors - 1);
        assert_int_equal(ready_list_count(&worker->inbox), actors - half);
        assert_true(told());
        assert_counted(0, 1);
    }
}

/* One actor is never shared: it is not even shown to thieves. */
static void test_one_and_empty(void **state) {
    (void)state;
    for (unsigned round = 0; round < 10; round++) {
        yield(0, 0);
        assert_ptr_equal(ready_next(worker), &boxes[0]);
        assert_int_equal(ready_list_count(&worker->inbox), 0);
    }
    assert_int_equal(turn(), 0);
    assert_false(told());
    assert_counted(0, 0);
}

static void test_more_and_empty(void **state) {
    for (unsigned actors = 2; actors <= BOXES; actors++) {
        (void)release_workers(state);
        (void)set_up(state);
        unsigned half = actors / 2;
        yield(0, actors - 1);
        assert_ptr_equal(ready_next(worker), &boxes[half]);
        if (half + 1 < actors)
            assert_chain(&worker->local, half + 1, actors - 1);
        assert_chain(&worker->inbox.chain, 0, half - 1);
        assert_int_equal(ready_list_count(&worker->inbox), half);
        assert_true(told());
        assert_counted(0, 1);
    }
}

/* One or more against one or more: swapped, whatever their lengths. */
static void test_any_and_any(void **state) {
    for (unsigned yielded = 1; yielded <= 4; yielded++)
        for (unsigned arrived = 1; arrived <= 4; arrived++) {
            (void)release_workers(state);
            (void)set_up(state);
            yield(0, yielded - 1);
            list_actors(&worker->inbox, yielded, yielded + arrived - 1);
            assert_ptr_equal(ready_next(worker), &boxes[yielded]);
            if (arrived > 1)
                assert_chain(&worker->local, yielded + 1, yielded + arrived - 1);
            assert_chain(&worker->inbox.chain, 0, yielded - 1);
            assert_int_equal(ready_list_count(&worker->inbox), yielded);
            assert_false(told());
            assert_counted(1, 0);
        }
}

/* The roles change at the end of a run, not before: what arrives waits until the local queue has been run through. */
static void test_a_run_is_not_interrupted(void **state) {
    (void)state;
    list_actors(&worker->inbox, 0, 5);
    assert_ptr_equal(ready_next(worker), &boxes[0]);
    list_actors(&worker->inbox, 6, 6);
    yield(0, 0);
    assert_ptr_equal(ready_next(worker), &boxes[1]);
    assert_ptr_equal(ready_next(worker), &boxes[2]);
    yield(2, 2);
    assert_ptr_equal(ready_next(worker), &boxes[3]); /* 1 had nothing more to do */
    assert_ptr_equal(worker->inbox.chain.first, &boxes[0]);
    assert_ptr_equal(worker->inbox.chain.last, &boxes[2]);
}

/* The stages of figure 3.2: four arrive; the first two go on; of the others one goes on, while a fifth arrives. */
static void test_the_figure(void **state) {
    (void)state;
    list_actors(&worker->inbox, 1, 4);
    assert_ptr_equal(ready_next(worker), &boxes[1]);
    yield(1, 1);
    assert_ptr_equal(ready_next(worker), &boxes[2]);
    yield(2, 2);
    assert_ptr_equal(ready_next(worker), &boxes[3]);
    assert_ptr_equal(ready_next(worker), &boxes[4]);
    yield(4, 4);
    list_actors(&worker->inbox, 5, 5);
    assert_ptr_equal(ready_next(worker), &boxes[1]);
    assert_chain(&worker->inbox.chain, 4, 4);
    assert_ptr_equal(ready_next(worker), &boxes[2]);
    assert_ptr_equal(ready_next(worker), &boxes[5]);
}

#define ROLES(test) cmocka_unit_test_setup_teardown(test, set_up, release_workers)

int main(void) {
    const struct CMUnitTest tests[] = {
        ROLES(test_empty_and_empty),          ROLES(test_empty_and_one),
        ROLES(test_empty_and_more),           ROLES(test_one_and_empty),
        ROLES(test_more_and_empty),           ROLES(test_any_and_any),
        ROLES(test_a_run_is_not_interrupted), ROLES(test_the_figure),
    };
    return cmocka_run_group_tests_name("lqoq", tests, NULL, NULL);
}
