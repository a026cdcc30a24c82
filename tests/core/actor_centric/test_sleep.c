/* Sleeping, on workers made by hand: one parks only if there is nothing for it, and whatever comes then wakes it. */
#include <pthread.h>

#include "workers.h"

static int set_up(void **state) {
    watchdog_start(20, "the protocol of sleeping");
    (void)make_workers(state);
    executor.options.steal = STEAL_NONE;
    return 0;
}

static int tear_down(void **state) {
    watchdog_stop();
    return release_workers(state);
}

static void *sleep_once(void *worker) {
    sleep_worker(worker);
    return NULL;
}

/* Threads in which the first `count` workers have parked, or are about to. */
static void put_to_sleep(pthread_t *threads, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, sleep_once, &executor.workers[i]), 0);
    AWAIT(atomic_load_relaxed(&crew.sleepers) == count);
}

static void await_waking(pthread_t *threads, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(atomic_load_relaxed(&executor.workers[i].sleeping), AWAKE);
        assert_null(ready_list_of(&executor.workers[i])->sleepers);
    }
    assert_int_equal(atomic_load_relaxed(&crew.sleepers), 0);
}

static void test_a_woken_actor_wakes_its_worker(void **state) {
    (void)state;
    pthread_t thread;
    for (unsigned kind = READY_GLOBAL; kind <= READY_LQOQ; kind++) {
        use_ready((enum ready_kind)kind);
        put_to_sleep(&thread, 1);
        ready_wake(&boxes[kind]); /* dealt to worker 0, woken by main */
        await_waking(&thread, 1);
        assert_ptr_equal(ready_next(&executor.workers[0]), &boxes[kind]);
    }
}

/* On the one queue of all, each actor wakes one more worker. */
static void test_as_many_wake_as_there_are_actors(void **state) {
    (void)state;
    pthread_t threads[3];
    use_ready(READY_GLOBAL);
    put_to_sleep(threads, 3);
    for (unsigned i = 0; i < 3; i++)
        ready_wake(&boxes[i]);
    await_waking(threads, 3);
}

/* All of these return by themselves, or the watchdog ends them. */
static void test_reasons_to_stay_awake(void **state) {
    (void)state;
    struct worker *worker = &executor.workers[0];
    list_actors(&worker->inbox, 0, 0);
    sleep_worker(worker);
    assert_null(worker->inbox.sleepers);
    assert_ptr_equal(ready_list_take(&worker->inbox), &boxes[0]);
    atomic_store_seq_cst(&executor_round.stopping, 1);
    sleep_worker(worker);
    assert_null(worker->inbox.sleepers);
    assert_int_equal(atomic_load_relaxed(&worker->sleeping), AWAKE);
}

static void test_stop_wakes_the_sleeper(void **state) {
    (void)state;
    pthread_t thread;
    put_to_sleep(&thread, 1);
    atomic_store_seq_cst(&executor_round.stopping, 1);
    sleep_wake(&executor.workers[0]);
    await_waking(&thread, 1);
}

/* Who has made ready more than it will run next tells a sleeper; who has not tells nobody. */
static void test_a_busy_worker_wakes_one(void **state) {
    (void)state;
    pthread_t thread;
    executor.options.steal = STEAL_RANDOM;
    executor.options.placement = PLACE_SENDER;
    this_worker = &executor.workers[1];
    sleep_wake_one(this_worker); /* nobody sleeps */
    atomic_initialise(&executor.workers[0].sleeping, ASLEEP);
    atomic_initialise(&crew.sleepers, 1);
    ready_wake(&boxes[0]);
    assert_int_equal(atomic_load_relaxed(&executor.workers[0].sleeping), ASLEEP);
    ready_wake(&boxes[1]);
    assert_int_equal(atomic_load_relaxed(&executor.workers[0].sleeping), AWAKE);
    atomic_initialise(&crew.sleepers, 0);
    put_to_sleep(&thread, 1);
    sleep_wake_one(this_worker);
    await_waking(&thread, 1);
}

/* Where nothing is stolen a sleeper could not help. */
static void test_nobody_is_told_in_vain(void **state) {
    (void)state;
    atomic_initialise(&executor.workers[0].sleeping, ASLEEP);
    atomic_initialise(&crew.sleepers, 1);
    this_worker = &executor.workers[1];
    ready_wake(&boxes[0]);
    ready_wake(&boxes[1]);
    assert_int_equal(atomic_load_relaxed(&executor.workers[0].sleeping), ASLEEP);
}

/* A thief looks for loot now and then, and so sleeps no longer than LOOT_CHECK_NS. */
static void test_thieves_wake_by_themselves(void **state) {
    (void)state;
    executor.options.steal = STEAL_RANDOM;
    sleep_worker(&executor.workers[0]);
    assert_int_equal(atomic_load_relaxed(&executor.workers[0].sleeping), AWAKE);
    assert_null(executor.workers[0].inbox.sleepers);
}

#define PROTOCOL(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        PROTOCOL(test_a_woken_actor_wakes_its_worker), PROTOCOL(test_as_many_wake_as_there_are_actors),
        PROTOCOL(test_reasons_to_stay_awake),          PROTOCOL(test_stop_wakes_the_sleeper),
        PROTOCOL(test_a_busy_worker_wakes_one),        PROTOCOL(test_nobody_is_told_in_vain),
        PROTOCOL(test_thieves_wake_by_themselves),
    };
    return cmocka_run_group_tests_name("sleep", tests, NULL, NULL);
}
