/* Sends of a long behaviour that look: when what they send leaves at once, to whom, and what stays. */
#include "pair.h"

#include "worker_centric/worker.c"

/* Mailboxes of the first worker's: of the actor whose behaviour runs, and others. */
enum { RUNNING, OTHER, OTHERS = SHARE - 1 };

static uintptr_t number; /* of the next message */

static void make_overdue(void) {
    first->heed.since = 0;
}

/* Until then, however slow the machine is. */
static void make_recent(void) {
    first->heed.since = UINT64_MAX - OVERDUE_NS;
}

/* A run of coarse messages has begun, with one of the first mailbox's; the worker holds all of its own. */
static int start(void **state) {
    (void)make_pair(state);
    give_init();
    number = 0;
    this_worker = first;
    this_delivery.is_in_place = true;
    atomic_store_relaxed(&first->work_ns, COARSE_NS);
    for (unsigned i = SHARE; i-- != 0; first->held = &boxes[i]) {
        assert_true(mailbox_hold(&boxes[i], first));
        boxes[i].held.next = first->held;
    }
    send(first, RUNNING, number++);
    give_begin_run(first);
    make_recent();
    this_delivery.what = first->heed.ran;
    return 0;
}

static int end(void **state) {
    this_worker = NULL;
    this_delivery = (struct delivery){.what = NULL};
    (void)hold_leave(first, LEAVE_ALL);
    for (unsigned i = 0; i < 2 * SHARE; i++)
        box_empty(&boxes[i]);
    return release_workers(state);
}

static void send_looking(unsigned mailbox) {
    assert_false(run_queue_has_room(&first->runs));
    give_send(first, to(mailbox, number++));
}

static bool is_let_go_of(unsigned mailbox) {
    return mailbox_holder(&boxes[mailbox]) == NULL;
}

static bool is_given(unsigned mailbox) {
    for (unsigned i = 0; i < SHARE; i++)
        if (slot_mailbox(sharding_slots(1) + i) == &boxes[mailbox])
            return true;
    return false;
}

/* All that has been sent is in the run queue, in order, behind what runs. */
static void expect_kept(void) {
    assert_int_equal(run_queue_length(&first->runs), number);
    assert_false(is_called(first));
    run_all(first);
    expect_seen_from(0, number);
}

/* Nobody asks, but what is sent is all that waits: it lies where thieves look, and one is woken. The run ends with the behaviour. */
static void test_few_wait(void **state) {
    (void)state;
    atomic_store_relaxed(&second->sleeping, ASLEEP);
    atomic_store_relaxed(&crew.sleepers, 1);
    make_overdue();
    send_looking(OTHER);
    atomic_store_relaxed(&crew.sleepers, 0);
    assert_int_equal(atomic_load_relaxed(&second->sleeping), AWAKE);
    assert_true(is_let_go_of(OTHER) && !is_given(OTHER));
    assert_int_equal(mailbox_count(&boxes[OTHER]), 1);
    assert_int_equal(atomic_load_relaxed(&first->call), CALL_AWAITED);
    assert_ptr_equal(mailbox_holder(&boxes[RUNNING]), first);
    run_all(first);
    expect_seen(1, 0);
    assert_true(take(OTHER));
    expect_seen(1, 1);
}

/* What is for a mailbox that another holds is passed on; what is for the actor that runs, and what is behind it in its block, stay in order. */
static void test_what_leaves(void **state) {
    (void)state;
    send_looking(RUNNING);
    send_looking(OTHER);
    send_looking(SECOND);
    make_overdue();
    send_looking(RUNNING);
    assert_int_equal(mailbox_count(&boxes[OTHER]), 1);
    assert_int_equal(mailbox_count(&boxes[SECOND]), 1);
    run_all(first);
    expect_seen(3, 0, 1, 4);
}

/* What is sent later to the mailbox that has left is behind what was there. */
static void test_again(void **state) {
    (void)state;
    make_overdue();
    for (unsigned i = 0; i < 3; i++)
        send_looking(OTHER);
    assert_true(take(OTHER));
    expect_seen_from(1, 3);
}

static void test_more_than_few_wait(void **state) {
    (void)state;
    for (unsigned i = 0; i < FEW; i++)
        send_looking(OTHER);
    make_overdue();
    send_looking(OTHER);
    expect_kept();
}

/* Who asks is given every other mailbox, from the first on, however much waits; the others lie in the worker's slots. */
static void test_asked(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2 * OTHERS; i++)
        send_looking(OTHER + i % OTHERS);
    make_overdue();
    give_ask(first, second);
    send_looking(OTHER);
    for (unsigned i = 0; i < OTHERS; i++) {
        assert_true(is_let_go_of(OTHER + i));
        assert_int_equal(is_given(OTHER + i), i % 2 == 0);
        assert_int_equal(mailbox_count(&boxes[OTHER + i]), i == 0 ? 3 : 2);
    }
    assert_int_equal(first->statistics.steals, (OTHERS + 1) / 2);
}

/* That mailboxes have moved is no question. */
static void test_called_otherwise(void **state) {
    (void)state;
    for (unsigned i = 0; i < FEW; i++)
        send_looking(OTHER);
    make_overdue();
    give_tell(first);
    send_looking(OTHER);
    assert_int_equal(run_queue_length(&first->runs), number);
    assert_int_equal(atomic_load_relaxed(&first->call), CALL_MOVED);
    assert_false(is_let_go_of(OTHER));
}

static void test_not_yet_overdue(void **state) {
    (void)state;
    give_ask(first, second);
    send_looking(OTHER);
    assert_int_equal(run_queue_length(&first->runs), number);
    assert_false(is_let_go_of(OTHER));
}

/* When a behaviour began is known of the run's first alone: of another when it first sent. */
static void test_second_of_a_run(void **state) {
    (void)state;
    send_looking(RUNNING);
    this_delivery.what = first->heed.ran + 1;
    make_overdue();
    send_looking(OTHER);
    assert_false(is_let_go_of(OTHER));
    make_overdue();
    send_looking(OTHER);
    assert_true(is_let_go_of(OTHER));
    assert_int_equal(mailbox_count(&boxes[OTHER]), 2);
    run_all(first);
    expect_seen(2, 0, 1);
}

/* A layer's callback sends, in no behaviour. */
static void test_no_behaviour(void **state) {
    (void)state;
    this_delivery.what = NULL;
    for (unsigned i = 0; i < 2; i++) {
        make_overdue();
        send_looking(OTHER);
    }
    expect_kept();
}

/* The first sends of a run look, over the end of a block as well. */
static void test_heeds(void **state) {
    (void)state;
    for (unsigned i = 0; i < HEEDS; i++)
        send_looking(OTHER);
    assert_int_equal(first->heed.left, 0);
    assert_ptr_equal(first->runs.end, first->runs.last->envelopes + BLOCK_ENVELOPES);
    expect_kept();
}

static void expect_room(uint32_t work_ns) {
    atomic_store_relaxed(&first->work_ns, work_ns);
    give_begin_run(first);
    assert_int_equal(first->heed.left, 0);
    assert_true(run_queue_has_room(&first->runs));
}

static void test_short_messages(void **state) {
    (void)state;
    expect_room(COARSE_NS - 1);
    give_begin_run(first);
    assert_true(run_queue_has_room(&first->runs));
    atomic_store_relaxed(&first->work_ns, UNKNOWN_NS);
    uint64_t before = clock_monotonic_ns();
    give_begin_run(first);
    assert_in_range(first->heed.since, before, clock_monotonic_ns());
    assert_false(run_queue_has_room(&first->runs));
    assert_int_equal(first->heed.left, HEEDS);
}

static void test_alone(void **state) {
    (void)state;
    crew.count = 1;
    expect_room(COARSE_NS);
    crew.count = 2;
}

static void test_without_stealing(void **state) {
    (void)state;
    executor.options.steal = STEAL_NONE;
    expect_room(COARSE_NS);
}

#define OVERDUE_TEST(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        OVERDUE_TEST(test_few_wait),
        OVERDUE_TEST(test_what_leaves),
        OVERDUE_TEST(test_again),
        OVERDUE_TEST(test_more_than_few_wait),
        OVERDUE_TEST(test_asked),
        OVERDUE_TEST(test_called_otherwise),
        OVERDUE_TEST(test_not_yet_overdue),
        OVERDUE_TEST(test_second_of_a_run),
        OVERDUE_TEST(test_no_behaviour),
        OVERDUE_TEST(test_heeds),
        OVERDUE_TEST(test_short_messages),
        OVERDUE_TEST(test_alone),
        OVERDUE_TEST(test_without_stealing),
    };
    return cmocka_run_group_tests_name("overdue", tests, NULL, NULL);
}
