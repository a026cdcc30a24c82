/* Sleeping, on two workers made by hand: one parks only if there is nothing for it, and whatever comes then wakes it. */
#include "sharded/sleeper.h"

enum { WORKERS = 2, SHARE = 2 };

static struct worker *other;

static int set_up(void **state) {
    (void)state;
    watchdog_start(20, "the protocol of sleeping");
    executor.options.steal = STEAL_NONE;
    make_workers(WORKERS, SHARE);
    sleeper = &executor.workers[0];
    other = &executor.workers[1];
    return 0;
}

static void test_send_wakes_the_sleeper(void **state) {
    (void)state;
    for (unsigned i = 0; i < SHARE; i++) {
        pthread_t thread = put_to_sleep();
        assert_int_equal(box_append(&boxes[i], to(i, 1)), sleeper->index);
        sleep_wake_owner(sleeper->index);
        await_waking(thread);
        assert_int_equal(box_append(&boxes[i], to(i, 2)), NO_SLEEPER);
        box_empty(&boxes[i]);
    }
}

/* All of these return by themselves, or the watchdog ends them. */
static void test_reasons_to_stay_awake(void **state) {
    (void)state;
    (void)box_append(&boxes[1], to(1, 1));
    sleep_worker(sleeper);
    assert_int_equal(atomic_load_relaxed(&sleeper->sleeping), AWAKE);
    assert_int_equal(box_sleeper(&boxes[1]), NO_SLEEPER);
    box_empty(&boxes[1]);
    atomic_store_seq_cst(&executor_round.stopping, 1);
    sleep_worker(sleeper);
    assert_int_equal(atomic_load_relaxed(&sleeper->sleeping), AWAKE);
}

static void test_stop_wakes_the_sleeper(void **state) {
    (void)state;
    pthread_t thread = put_to_sleep();
    atomic_store_seq_cst(&executor_round.stopping, 1);
    design_wake(sleeper->index);
    await_waking(thread);
}

/* A thief, or one that gives, puts another mailbox, with a message in it, into the sleeper's range: see sleep.h, (b). */
static void test_a_swap_wakes_the_sleeper(void **state) {
    (void)state;
    pthread_t thread = put_to_sleep();
    assert_true(slots_swap(sharding_slots(1), &boxes[SHARE], sharding_slots(0), &boxes[0]));
    assert_int_equal(box_append(&boxes[SHARE], to(SHARE, 1)), NO_SLEEPER);
    sleep_wake_swapped(sleeper);
    await_waking(thread);
    sleep_worker(sleeper); /* stays awake: the message is in its range now */
    assert_ptr_equal(slot_mailbox(sharding_slots(0)), &boxes[SHARE]);
}

static void test_a_busy_worker_wakes_one(void **state) {
    (void)state;
    sleep_wake_one(other); /* nobody sleeps */
    pthread_t thread = put_to_sleep();
    sleep_wake_one(other);
    await_waking(thread);
}

/* A thief looks for loot now and then, and so sleeps no longer than LOOT_CHECK_NS. */
static void test_thieves_wake_by_themselves(void **state) {
    (void)state;
    executor.options.steal = STEAL_LONGEST;
    sleep_worker(sleeper);
    assert_int_equal(atomic_load_relaxed(&sleeper->sleeping), AWAKE);
}

#define PROTOCOL(test) cmocka_unit_test_setup_teardown(test, set_up, release_workers)

int main(void) {
    const struct CMUnitTest tests[] = {
        PROTOCOL(test_send_wakes_the_sleeper),  PROTOCOL(test_reasons_to_stay_awake),
        PROTOCOL(test_stop_wakes_the_sleeper),  PROTOCOL(test_a_swap_wakes_the_sleeper),
        PROTOCOL(test_a_busy_worker_wakes_one), PROTOCOL(test_thieves_wake_by_themselves),
    };
    return cmocka_run_group_tests_name("sleep", tests, NULL, NULL);
}
