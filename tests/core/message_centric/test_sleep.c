/* Sleeping, on two workers made by hand: one parks only if there is nothing for it, and whatever comes then wakes it. */
#include <pthread.h>

#include "harness.h"
#include "message_centric/sleep.h"
#include "platform/memory.h"

enum { WORKERS = 2, SHARE = 2 };

static struct mailbox *boxes;

static int make_workers(void **state) {
    (void)state;
    watchdog_start(20, "the protocol of sleeping");
    executor.options = (struct message_centric_options){.queue = QUEUE_COPY, .steal = STEAL_NONE};
    executor.worker_count = WORKERS;
    executor.mailbox_count = WORKERS * SHARE;
    executor.workers = memory_on_node(WORKERS * sizeof *executor.workers, CACHE_LINE, ANY_NODE, "workers");
    executor.slots = memory_zeroed(WORKERS * SHARE, sizeof *executor.slots, "slots");
    boxes = memory_on_node(WORKERS * SHARE * sizeof *boxes, CACHE_LINE, ANY_NODE, "mailboxes");
    atomic_initialise(&executor.stopping, 0);
    atomic_initialise(&executor.sleepers, 0);
    for (unsigned i = 0; i < WORKERS * SHARE; i++) {
        mailbox_init(&boxes[i], i, QUEUE_COPY, ANY_NODE);
        atomic_initialise(&executor.slots[i], &boxes[i]);
    }
    for (unsigned i = 0; i < WORKERS; i++) {
        executor.workers[i].index = i;
        executor.workers[i].first_slot = i * SHARE;
        executor.workers[i].slot_count = SHARE;
        executor.workers[i].random = random_seed(test_seed(), i);
        atomic_initialise(&executor.workers[i].sleeping, AWAKE);
    }
    return 0;
}

static int release_workers(void **state) {
    (void)state;
    for (unsigned i = 0; i < WORKERS * SHARE; i++)
        mailbox_destroy(&boxes[i], QUEUE_COPY);
    free(boxes);
    free(executor.slots);
    free(executor.workers);
    memset((void *)&executor, 0, sizeof executor);
    watchdog_stop();
    return 0;
}

static void *sleep_once(void *worker) {
    sleep_worker(worker);
    return NULL;
}

/* A thread in which worker 0 has parked, or is about to. */
static pthread_t put_to_sleep(void) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, sleep_once, &executor.workers[0]), 0);
    AWAIT(atomic_load_relaxed(&executor.sleepers) == 1);
    return thread;
}

static void await_waking(pthread_t thread) {
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(atomic_load_relaxed(&executor.workers[0].sleeping), AWAKE);
    assert_int_equal(atomic_load_relaxed(&executor.sleepers), 0);
}

static uint32_t send_to(struct mailbox *mailbox) {
    struct envelope envelope = {NULL, NULL, NULL};
    return mailbox_append(mailbox, QUEUE_COPY, NULL, envelope);
}

static void test_send_wakes_the_sleeper(void **state) {
    (void)state;
    for (unsigned i = 0; i < SHARE; i++) {
        pthread_t thread = put_to_sleep();
        assert_int_equal(send_to(&boxes[i]), 0);
        sleep_wake(&executor.workers[0]);
        await_waking(thread);
        assert_int_equal(send_to(&boxes[i]), NO_SLEEPER);
        (void)copy_queue_transfer(&boxes[i].queue.copy, &boxes[WORKERS * SHARE - 1].queue.copy);
    }
}

/* All of these return by themselves, or the watchdog ends them. */
static void test_reasons_to_stay_awake(void **state) {
    (void)state;
    (void)send_to(&boxes[1]);
    sleep_worker(&executor.workers[0]);
    assert_int_equal(atomic_load_relaxed(&executor.workers[0].sleeping), AWAKE);
    assert_int_equal(atomic_load_relaxed(&boxes[1].sleeper), NO_SLEEPER);
    (void)copy_queue_transfer(&boxes[1].queue.copy, &boxes[2].queue.copy);
    atomic_store_seq_cst(&executor.stopping, 1);
    sleep_worker(&executor.workers[0]);
    assert_int_equal(atomic_load_relaxed(&executor.workers[0].sleeping), AWAKE);
}

static void test_stop_wakes_the_sleeper(void **state) {
    (void)state;
    pthread_t thread = put_to_sleep();
    atomic_store_seq_cst(&executor.stopping, 1);
    sleep_wake(&executor.workers[0]);
    await_waking(thread);
}

/* A thief puts another mailbox, with a message in it, into the sleeper's range: see sleep.h, (b). */
static void test_robbed_sleeper_is_woken(void **state) {
    (void)state;
    pthread_t thread = put_to_sleep();
    assert_true(slots_swap(&executor.slots[2], &boxes[2], &executor.slots[0], &boxes[0]));
    assert_int_equal(send_to(&boxes[2]), NO_SLEEPER);
    sleep_wake_robbed(&executor.workers[0]);
    await_waking(thread);
    sleep_worker(&executor.workers[0]); /* stays awake: the message is in its range now */
    assert_ptr_equal(slot_mailbox(&executor.slots[0]), &boxes[2]);
}

static void test_a_busy_worker_wakes_one(void **state) {
    (void)state;
    sleep_wake_one(&executor.workers[1]); /* nobody sleeps */
    pthread_t thread = put_to_sleep();
    sleep_wake_one(&executor.workers[1]);
    await_waking(thread);
}

/* A thief looks for loot now and then, and so sleeps no longer than LOOT_CHECK_NS. */
static void test_thieves_wake_by_themselves(void **state) {
    (void)state;
    executor.options.steal = STEAL_LONGEST;
    sleep_worker(&executor.workers[0]);
    assert_int_equal(atomic_load_relaxed(&executor.workers[0].sleeping), AWAKE);
}

#define PROTOCOL(test) cmocka_unit_test_setup_teardown(test, make_workers, release_workers)

int main(void) {
    const struct CMUnitTest tests[] = {
        PROTOCOL(test_send_wakes_the_sleeper),  PROTOCOL(test_reasons_to_stay_awake),
        PROTOCOL(test_stop_wakes_the_sleeper),  PROTOCOL(test_robbed_sleeper_is_woken),
        PROTOCOL(test_a_busy_worker_wakes_one), PROTOCOL(test_thieves_wake_by_themselves),
    };
    return cmocka_run_group_tests_name("sleep", tests, NULL, NULL);
}
