/* What a worker does at the end of a run with what it has for other mailboxes, on two workers made by hand: which it borrows, which it hands over. */
#include "pair.h"

#include "worker_centric/give.h"
#include "worker_centric/hold.h"
#include "worker_centric/pace.h"

/* The first worker, whose messages take `work_ns`, ends a run that has passed on so many to a mailbox; whether it holds that then. */
static bool ends_a_run(unsigned mailbox, uintptr_t number, unsigned count, uint32_t work_ns) {
    atomic_store_relaxed(&first->work_ns, work_ns);
    for (unsigned i = 0; i < count; i++)
        hold_pass_on(first, &boxes[mailbox], &actors[mailbox], (struct actorbench_message *)(number + i), NULL);
    hold_end_run(first);
    assert_int_equal(first->outboxes.used_count, 0);
    return mailbox_holder(&boxes[mailbox]) == first;
}

/* Another's mailbox, for the little that there is for it, until the worker lets go of what is not in its slots. */
static void test_borrowing(void **state) {
    (void)state;
    send(first, SECOND, 2);
    assert_true(ends_a_run(SECOND, 1, 1, 0));
    assert_int_equal(hold_collect(second, COLLECT_ALL).queues, 0);
    run_all(first);
    expect_seen(2, 1, 2);
    (void)hold_leave(first, LEAVE_MOVED);
    assert_null(mailbox_holder(&boxes[SECOND]));
}

/* Each for what there is for it, however many there are. */
static void test_borrowing_several(void **state) {
    (void)state;
    enum { MAILBOXES = 3 };
    for (unsigned i = 1; i < MAILBOXES; i++)
        hold_pass_on(first, &boxes[SECOND + i], &actors[SECOND + i], (struct actorbench_message *)(uintptr_t)(1 + i),
                     NULL);
    assert_true(ends_a_run(SECOND, 1, 1, CROSSING_NS / MAILBOXES));
    for (unsigned i = 1; i < MAILBOXES; i++)
        assert_ptr_equal(mailbox_holder(&boxes[SECOND + i]), first);
    assert_int_equal(run_queue_length(&first->runs), MAILBOXES);
    (void)hold_leave(first, LEAVE_ALL);
}

/* What takes as long as to hand it over is handed over; and what is for a mailbox that is held; and all, where nobody borrows. */
static void test_what_is_not_borrowed(void **state) {
    (void)state;
    assert_false(ends_a_run(SECOND, 1, 2, CROSSING_NS / 2));
    assert_true(mailbox_hold(&boxes[SECOND + 1], &elsewhere));
    assert_false(ends_a_run(SECOND + 1, 3, 1, 0));
    executor.options.steal = STEAL_NONE;
    assert_false(ends_a_run(SECOND + 2, 4, 1, 0));
    executor.options = (struct options){.steal = STEAL_LONGEST, .without = MECHANISM_BORROWING};
    assert_false(ends_a_run(SECOND + 3, 5, 1, 0));
    assert_false(ends_a_run(0, 6, 1, 0));
    const unsigned handed_over[] = {SECOND, SECOND + 1, SECOND + 2, SECOND + 3, 0};
    for (size_t i = 0; i < LENGTH(handed_over); i++)
        assert_int_equal(mailbox_count(&boxes[handed_over[i]]), i == 0 ? 2 : 1);
    mailbox_release(&boxes[SECOND + 1]);
}

/* What has just been borrowed runs first, and so is known to be in front. Where it took long, no more is borrowed, however short the worker's
 * other messages are. */
static void test_what_took_long_is_not_borrowed_again(void **state) {
    (void)state;
    send(first, 0, 9);
    assert_true(ends_a_run(SECOND, 1, 2, 0));
    assert_true(ends_a_run(SECOND + 1, 3, 1, 0));
    assert_int_equal(first->borrowed, 3);
    pace_judge_borrowed(first, 1, first->pace.since, first->pace.since + CROSSING_NS + 1);
    assert_false(ends_a_run(SECOND + 2, 4, 1, 0));
    assert_int_equal(first->borrowed, 3);
    assert_true(ends_a_run(1, 5, 1, 0)); /* its own */
    (void)hold_leave(first, LEAVE_ALL);
}

/* To wake a worker takes longer than for one that is awake to find what it is sent; but who has more to do does not wait for that. */
static void test_borrowing_from_a_sleeper(void **state) {
    (void)state;
    for (unsigned i = 0; i < SHARE; i++)
        mailbox_set_sleeper(&boxes[SECOND + i], second->index);
    atomic_store_relaxed(&second->sleeping, ASLEEP);
    assert_true(ends_a_run(SECOND, 1, 1, WORTH_NS - 1));
    assert_int_equal(atomic_load_relaxed(&second->sleeping), ASLEEP);
    assert_int_equal(box_sleeper(&boxes[SECOND]), second->index);
    assert_false(ends_a_run(SECOND + 1, 2, 1, CROSSING_NS));
    assert_int_equal(atomic_load_relaxed(&second->sleeping), AWAKE);
    run_all(first);
    expect_seen(1, 1);
    atomic_store_relaxed(&second->sleeping, ASLEEP);
    assert_false(ends_a_run(SECOND + 2, 3, 1, WORTH_NS));
    assert_int_equal(atomic_load_relaxed(&second->sleeping), AWAKE);
    (void)hold_leave(first, LEAVE_ALL);
}

/* Its own mailbox, however long its messages take, and without stealing. */
static void test_own_at_the_first_message(void **state) {
    (void)state;
    executor.options.steal = STEAL_NONE;
    send(first, 0, 3);
    assert_true(ends_a_run(0, 1, 2, UNKNOWN_NS));
    run_all(first);
    expect_seen(3, 1, 2, 3);
    (void)hold_leave(first, LEAVE_MOVED);
    assert_ptr_equal(mailbox_holder(&boxes[0]), first);
    (void)hold_leave(first, LEAVE_ALL);
}

/* What waits in the mailbox's queue comes first: so the mailbox is not taken ahead of that, but where the run queue is empty. */
static void test_what_waits_is_not_overtaken(void **state) {
    (void)state;
    queue_up(0, 1, 1);
    send(first, 1, 9);
    assert_false(ends_a_run(0, 2, 1, 0));
    assert_null(mailbox_holder(&boxes[0]));
    run_all(first);
    seen_count = 0;
    assert_true(ends_a_run(0, 3, 1, 0));
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 1);
    run_all(first);
    expect_seen(3, 1, 2, 3);
    (void)hold_leave(first, LEAVE_ALL);
}

/* Where the run queue is long, the first message for a mailbox that it will take ends a run. */
static void test_meeting(void **state) {
    (void)state;
    atomic_store_relaxed(&first->work_ns, 0);
    hold_meet(first, &boxes[0]);
    assert_false(is_called(first));
    for (unsigned i = 0; i <= WORTH_NS / SORT_NS; i++)
        send(first, 0, i);
    hold_meet(first, &boxes[SECOND]); /* its worker is awake */
    queue_up(1, 1, 1);
    hold_meet(first, &boxes[1]); /* something waits there */
    assert_false(is_called(first));
    hold_meet(first, &boxes[0]);
    assert_int_equal(atomic_load_relaxed(&first->call), CALL_AWAITED);
    atomic_store_relaxed(&first->call, uncalled(first));
    mailbox_set_sleeper(&boxes[SECOND], second->index);
    atomic_store_relaxed(&second->sleeping, ASLEEP);
    hold_meet(first, &boxes[SECOND]);
    assert_int_equal(atomic_load_relaxed(&first->call), CALL_AWAITED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_A_PAIR(test_borrowing),
        WITH_A_PAIR(test_borrowing_several),
        WITH_A_PAIR(test_what_is_not_borrowed),
        WITH_A_PAIR(test_what_took_long_is_not_borrowed_again),
        WITH_A_PAIR(test_borrowing_from_a_sleeper),
        WITH_A_PAIR(test_own_at_the_first_message),
        WITH_A_PAIR(test_what_waits_is_not_overtaken),
        WITH_A_PAIR(test_meeting),
    };
    return cmocka_run_group_tests_name("borrowing", tests, NULL, NULL);
}
