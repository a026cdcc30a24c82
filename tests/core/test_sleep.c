/* Sleeping: a worker parks only if there is nothing for it, and whatever comes then wakes it. */
#include <pthread.h>

#include "harness.h"
#include "message_centric/sleep.h"
#include "platform/memory.h"

/* ---- The protocol, on two workers made by hand ------------------------------------------------------------------- */

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
        mailbox_init(&boxes[i], QUEUE_COPY, ANY_NODE);
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
        queue_destroy(&boxes[i].queue, QUEUE_COPY);
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
    return mailbox_append(mailbox, QUEUE_COPY, envelope);
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
    assert_int_equal(boxes[1].sleeper, NO_SLEEPER);
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

/* ---- Through the face --------------------------------------------------------------------------------------------- */

typedef struct {
    struct message message;
} ping;
MESSAGE_TYPE(ping)

typedef struct {
    struct actor actor;
} receiver;
#define BEHAVIOURS_receiver(ON) ON(receiver, ping, receiver_acknowledges)
ACTOR_TYPE(receiver)

static ATOMIC(unsigned) acknowledged;

static enum allocation receiver_acknowledges(receiver *self, ping *message) {
    (void)self, (void)message;
    (void)atomic_fetch_add_relaxed(&acknowledged, 1);
    return NODELETE;
}

/* Up to twice the time after which idle workers park: many sends come just as a worker goes to sleep. */
static void pause_about_patience(struct random *random) {
    pause_ns(random_below(random, 2 * PATIENCE_NS));
}

/* One send after another, each when the last was received and the workers have had time to park, or nearly. */
static void ping_sleepers(unsigned workers, const char *steal, unsigned pings) {
    enum { RECEIVERS = 8 };
    receiver receivers[RECEIVERS];
    ping message;
    struct executor_config config = executor_defaults();
    struct random random = random_seed(test_seed(), workers);
    config.workers = workers;
    set_option(&config, "steal", steal);
    set_option(&config, "mailboxes-per-worker", "2");
    watchdog_start(60, "pings of %u sleepers, steal %s; ACTORBENCH_TEST_SEED=%llu", workers, steal,
                   (unsigned long long)test_seed());
    atomic_initialise(&acknowledged, 0);
    message_init(ping, &message, NODELETE);
    start_executor(&config);
    for (unsigned i = 0; i < RECEIVERS; i++)
        actor_init(receiver, &receivers[i]);
    for (unsigned i = 1; i <= pings; i++) {
        pause_about_patience(&random);
        actor_send(receiver, &receivers[random_below(&random, RECEIVERS)], &message);
        while (atomic_load_relaxed(&acknowledged) != i)
            cpu_yield();
    }
    for (unsigned i = 0; i < RECEIVERS; i++)
        actor_send(receiver, &receivers[i], &finished_message);
    executor_stop();
    watchdog_stop();
    assert_int_equal(atomic_load_relaxed(&acknowledged), pings);
}

static void test_pings(void **state) {
    (void)state;
    static const char *const heuristics[] = {"none", "random", "longest"};
    static const unsigned workers[] = {1, 2, 4};
    for (size_t i = 0; i < LENGTH(heuristics); i++)
        for (size_t j = 0; j < LENGTH(workers); j++)
            ping_sleepers(workers[j], heuristics[i], 1000);
}

#define PROTOCOL(test) cmocka_unit_test_setup_teardown(test, make_workers, release_workers)

int main(void) {
    const struct CMUnitTest tests[] = {
        PROTOCOL(test_send_wakes_the_sleeper),  PROTOCOL(test_reasons_to_stay_awake),
        PROTOCOL(test_stop_wakes_the_sleeper),  PROTOCOL(test_robbed_sleeper_is_woken),
        PROTOCOL(test_a_busy_worker_wakes_one), PROTOCOL(test_thieves_wake_by_themselves),
        cmocka_unit_test(test_pings),
    };
    return cmocka_run_group_tests_name("sleep", tests, NULL, NULL);
}
