/* What threads outside send, by lanes or under the lock, and that it wakes who sleeps; see sleep.c of the design. */
#include "sharded/sleeper.h"

#include <semaphore.h>

#include "platform/asymmetric.h"
#include "worker_centric/hold.h"

typedef struct {
    struct actorbench_message message;
} word;
ACTORBENCH_MESSAGE_TYPE(word)

enum { SHARE = 2 };

static word a_word;

static int set_up(void **state) {
    (void)state;
    watchdog_start(20, "sends from outside");
    executor.options = (struct options){.steal = STEAL_NONE};
    make_workers(1, SHARE);
    sleeper = &executor.workers[0];
    asymmetric_prepare();
    producers_begin();
    actorbench_message_init(word, &a_word, ACTORBENCH_NODELETE);
    return 0;
}

static enum actorbench_allocation nothing(struct actorbench_actor *actor, struct actorbench_message *message) {
    (void)actor, (void)message;
    return ACTORBENCH_NODELETE;
}

static void *send_to(void *actor) {
    (void)actorbench_post(actor, &a_word.message, nothing);
    return NULL;
}

static void send_from_another_thread(struct actorbench_actor *actor) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, send_to, actor), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void expect_counts(unsigned mailbox, uint64_t in_lane, size_t in_queue) {
    assert_int_equal(mailbox_count_in_lanes(&boxes[mailbox]), in_lane);
    assert_int_equal(atomic_load_relaxed(&boxes[mailbox].queue.count), in_queue);
    assert_int_equal(mailbox_count(&boxes[mailbox]), in_lane + in_queue);
}

/* ---- Lanes --------------------------------------------------------------------------------------------------------- */

/* Adds lanes of threads that do not end; the last one's producer. */
static struct producer *occupy(unsigned mailbox, unsigned lanes) {
    struct producer *producer = NULL;
    ATOMIC(struct lane *) *link = &boxes[mailbox].lanes;
    for (; lane_at(link) != NULL; link = &lane_at(link)->further)
        continue;
    for (; lanes != 0; lanes--, link = &lane_at(link)->further) {
        producer = producer_claim();
        atomic_store_relaxed(link, lane_make(producer));
    }
    return producer;
}

/* The first threads that send to a mailbox have a lane each; others do not disturb them. */
static void test_who_has_a_lane(void **state) {
    (void)state;
    (void)send_to(&actors[0]);
    (void)send_to(&actors[0]);
    expect_counts(0, 2, 0);
    (void)occupy(0, MOST_LANES - 2);
    send_from_another_thread(&actors[0]);
    expect_counts(0, 3, 0);
    (void)producer_claim(); /* that thread's */
    send_from_another_thread(&actors[0]);
    expect_counts(0, 3, 1);
    (void)send_to(&actors[0]);
    expect_counts(0, 4, 1);
    assert_int_equal(lane_count(lane_at(&boxes[0].lanes)), 3);
    send_from_another_thread(&actors[1]);
    (void)send_to(&actors[1]);
    (void)send_to(&actors[1]);
    expect_counts(1, 3, 0);
    assert_int_equal(lane_count(lane_at(&boxes[1].lanes)), 1);
}

/* Who begins to send goes on in the lanes of who has ended. */
static void test_who_goes_on(void **state) {
    (void)state;
    for (unsigned i = 1; i <= 2 * MOST_LANES; i++) {
        send_from_another_thread(&actors[0]);
        expect_counts(0, i, 0);
    }
    assert_null(lane_at(&lane_at(&boxes[0].lanes)->further));
}

/* But who has sent by the lock stays with it, or else it would overtake itself. */
static void test_who_stays_with_the_lock(void **state) {
    (void)state;
    struct producer *producer = occupy(0, MOST_LANES);
    (void)send_to(&actors[0]);
    producer_leave(producer, producers.round);
    (void)send_to(&actors[1]);
    expect_counts(1, 1, 0);
    (void)send_to(&actors[0]);
    expect_counts(0, 0, 2);
}

static pthread_key_t later_end;

static void *send_and_ask(void *actor) {
    assert_int_equal(pthread_setspecific(later_end, actor), 0);
    return send_to(actor);
}

static void claim_and_send(void *actor) {
    assert_ptr_equal(producer_claim(), lane_at(&boxes[0].lanes)->producer);
    (void)send_to(actor);
}

/* What a thread sends once it has left its lanes goes by others. */
static void test_who_sends_in_the_end(void **state) {
    (void)state;
    assert_int_equal(pthread_key_create(&later_end, claim_and_send), 0); /* called after an older key's */
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, send_and_ask, &actors[0]), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_key_delete(later_end), 0);
    expect_counts(0, 2, 0);
    assert_int_equal(lane_count(lane_at(&boxes[0].lanes)), 1);
}

/* What a thread leaves too late is no longer there. */
static void test_who_leaves_too_late(void **state) {
    (void)state;
    struct producer *producer = producer_claim();
    producer_leave(producer, producers.round - 1);
    assert_ptr_not_equal(producer_claim(), producer);
    producer_leave(producer, producers.round);
    assert_ptr_equal(producer_claim(), producer);
}

static void *send_and_tell(void *sent) {
    (void)send_to(&actors[0]);
    assert_int_equal(sem_post(sent), 0);
    return NULL;
}

/* Threads may end while the executor does. */
static void test_ends_beside_the_executors(void **state) {
    (void)state;
    sem_t sent;
    assert_int_equal(sem_init(&sent, 0, 0), 0);
    for (unsigned i = 0; i < 50; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, send_and_tell, &sent), 0);
        while (sem_wait(&sent) != 0)
            continue;
        release_workers(NULL);
        assert_int_equal(pthread_join(thread, NULL), 0);
        make_workers(1, SHARE);
    }
    assert_int_equal(sem_destroy(&sent), 0);
}

/* What is in all of them is taken in one round. */
static void test_all_lanes_are_taken(void **state) {
    (void)state;
    (void)occupy(0, MOST_LANES);
    for (struct lane *lane = lane_at(&boxes[0].lanes); lane != NULL; lane = lane_at(&lane->further))
        lane_send(lane, (struct envelope){.actor = &actors[0]});
    struct collected collected = hold_collect(sleeper, COLLECT_ALL);
    assert_int_equal(collected.from_lanes, MOST_LANES);
    assert_int_equal(collected.in_lanes, 0);
    assert_int_equal(run_queue_length(&sleeper->runs), MOST_LANES);
    expect_counts(0, 0, 0);
}

/* Who is sent to again is not looked up, until an actor has ended there. */
static void test_who_is_remembered(void **state) {
    (void)state;
    (void)send_to(&actors[0]);
    (void)send_to(&actors[0]);
    assert_true(atomic_load_relaxed(&executor.remembers));
    atomic_store_relaxed(&actors[0].ticket, (uintptr_t)&boxes[1]);
    (void)send_to(&actors[0]);
    expect_counts(0, 3, 0);
    atomic_store_relaxed(&boxes[0].ends, 1);
    (void)send_to(&actors[0]);
    expect_counts(1, 1, 0);
    (void)send_to(&actors[0]);
    (void)send_to(&actors[1]);
    expect_counts(0, 3, 0);
    expect_counts(1, 3, 0);
}

/* What was remembered of an executor that has ended is not used. */
static void test_nothing_is_remembered_of_the_last_round(void **state) {
    (void)state;
    (void)send_to(&actors[0]);
    (void)send_to(&actors[0]);
    release_workers(NULL);
    make_workers(1, SHARE);
    (void)send_to(&actors[0]);
    expect_counts(0, 1, 0);
}

static void test_without_lanes(void **state) {
    (void)state;
    executor.options.without = MECHANISM_LANES;
    (void)send_to(&actors[0]);
    expect_counts(0, 0, 1);
    assert_null(lane_at(&boxes[0].lanes));
}

/* ---- Sleep --------------------------------------------------------------------------------------------------------- */

static void take_from_lanes(unsigned mailbox) {
    for (struct lane *lane = lane_at(&boxes[mailbox].lanes); lane != NULL; lane = lane_at(&lane->further))
        if (lane_count(lane) != 0)
            lane_take(lane, lane_count(lane), &sleeper->runs, &sleeper->pool);
}

/* It returns by itself, or the watchdog ends it. */
static void test_what_is_in_a_lane_keeps_awake(void **state) {
    (void)state;
    (void)send_to(&actors[1]);
    sleep_worker(sleeper);
    assert_int_equal(atomic_load_relaxed(&sleeper->sleeping), AWAKE);
    expect_counts(1, 1, 0);
}

/* A first send, which makes the lane, a later one, one that makes a further lane, one that goes on in that, and one under the lock beside
 * them. */
static void every_send_wakes(void) {
    for (unsigned i = 0; i < 5; i++) {
        pthread_t thread = put_to_sleep();
        (void)send_to(&actors[i % SHARE]);
        await_waking(thread);
        assert_int_equal(box_sleeper(&boxes[i % SHARE]), NO_SLEEPER);
        take_from_lanes(i % SHARE);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (i == 2) {
            (void)producer_claim(); /* who has sent before */
            (void)occupy(0, MOST_LANES - 2);
        }
        pthread_t thread = put_to_sleep();
        send_from_another_thread(&actors[0]);
        await_waking(thread);
        take_from_lanes(0);
    }
    expect_counts(0, 0, 1);
}

static void test_every_send_wakes(void **state) {
    (void)state;
    every_send_wakes();
}

static void test_every_send_wakes_without_the_light_barrier(void **state) {
    (void)state;
    bool before = asymmetric.is_light;
    asymmetric.is_light = false;
    every_send_wakes();
    asymmetric.is_light = before;
}

#define FROM_OUTSIDE(test) cmocka_unit_test_setup_teardown(test, set_up, release_workers)

int main(void) {
    const struct CMUnitTest tests[] = {
        FROM_OUTSIDE(test_who_has_a_lane),
        FROM_OUTSIDE(test_who_goes_on),
        FROM_OUTSIDE(test_who_stays_with_the_lock),
        FROM_OUTSIDE(test_who_sends_in_the_end),
        FROM_OUTSIDE(test_who_leaves_too_late),
        FROM_OUTSIDE(test_ends_beside_the_executors),
        FROM_OUTSIDE(test_all_lanes_are_taken),
        FROM_OUTSIDE(test_who_is_remembered),
        FROM_OUTSIDE(test_nothing_is_remembered_of_the_last_round),
        FROM_OUTSIDE(test_without_lanes),
        FROM_OUTSIDE(test_what_is_in_a_lane_keeps_awake),
        FROM_OUTSIDE(test_every_send_wakes),
        FROM_OUTSIDE(test_every_send_wakes_without_the_light_barrier),
    };
    return cmocka_run_group_tests_name("outside", tests, NULL, NULL);
}
