/* Holding and letting go, on two workers made by hand: what runs where, what goes back, and in which order. */
#include "pair.h"

#include "worker_centric/hold.h"

static void test_collect(void **state) {
    (void)state;
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 0);
    assert_null(first->held);
    queue_up(0, 1, 1);
    queue_up(1, 2, 1);
    queue_up(SECOND, 99, 1);
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 2);
    assert_ptr_equal(mailbox_holder(&boxes[0]), first);
    assert_ptr_equal(mailbox_holder(&boxes[1]), first);
    assert_null(mailbox_holder(&boxes[2])); /* it had nothing */
    assert_null(mailbox_holder(&boxes[SECOND]));
    assert_false(take(0));
    queue_up(0, 3, 1);
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 1);
    assert_int_equal(mailbox_count(&boxes[0]), 0);
    run_all(first);
    assert_int_equal(seen_count, 3);
    assert_int_equal(seen[2], 3);
    seen_count = 0;
    (void)hold_leave(first, LEAVE_ALL);
}

/* What another worker holds is not taken, and comes when that one lets go. */
static void test_collect_what_another_holds(void **state) {
    (void)state;
    queue_up(0, 1, 1);
    assert_true(mailbox_hold(&boxes[0], &elsewhere));
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 0);
    assert_ptr_equal(mailbox_holder(&boxes[0]), &elsewhere);
    mailbox_release(&boxes[0]);
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 1);
    run_all(first);
    expect_seen(1, 1);
    (void)hold_leave(first, LEAVE_ALL);
}

/* Room is left in a queue that is put into one by one, and not in one that blocks are appended to. */
static void test_room_left(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        queue_up(0, 1, 1);
        assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 1);
        assert_true(block_queue_has_room(&boxes[0].queue));
        struct block *block = block_take(NULL);
        block_put(block, to(0, 2));
        (void)mailbox_append_block(&boxes[0], block);
        assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 1);
        assert_null(boxes[0].queue.last);
        run_all(first);
        expect_seen(2, 1, 2);
    }
    (void)hold_leave(first, LEAVE_ALL);
}

/* Before a mailbox is taken, what was sent to it while it was not held is in its queue, and what is there comes first. */
static void test_taken_after_what_was_sent(void **state) {
    (void)state;
    queue_up(0, 1, 1);
    (void)hold_collect(first, COLLECT_ALL);
    hold_pass_on(first, &boxes[1], &actors[1], (struct actorbench_message *)2, NULL); /* lies in an out-box */
    send(first, 1, 3);
    queue_up(1, 4, 1); /* makes it worth taking */
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 1);
    run_all(first);
    expect_seen(4, 1, 4, 2, 3);
    (void)hold_leave(first, LEAVE_ALL);
}

/* Who is alone runs all of its run queue (worker.c), so what it sent to a mailbox that it does not hold stays there, ahead of
 * what it sends next. */
static void test_alone(void **state) {
    (void)state;
    crew.count = 1;
    send(first, 0, 1);
    queue_up(1, 2, 1); /* makes the next mailbox worth taking, when the first has been looked at */
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 1);
    send(first, 0, 3);
    run_all(first);
    expect_seen(3, 1, 2, 3);
    (void)hold_leave(first, LEAVE_ALL);
    crew.count = 2;
}

/* Who does not know that its work is short takes one mailbox at a time, each in turn, and what comes to those that it holds. */
static void test_collect_one(void **state) {
    (void)state;
    queue_up(0, 1, 2);
    queue_up(1, 5, 1);
    queue_up(3, 7, 1);
    struct collected collected = hold_collect(first, COLLECT_ONE);
    assert_int_equal(collected.queues, 1);
    assert_int_equal(collected.left, 2);
    run_all(first);
    expect_seen(2, 1, 2);
    (void)hold_leave(first, LEAVE_ALL);
    queue_up(0, 3, 1); /* once more, and is not taken before the others are */
    assert_int_equal(hold_collect(first, COLLECT_ONE).left, 2);
    run_all(first);
    expect_seen(1, 5);
    assert_true(take(3));
    expect_seen(1, 7);
    queue_up(1, 6, 1);
    collected = hold_collect(first, COLLECT_ONE);
    assert_int_equal(collected.queues, 2);
    assert_int_equal(collected.left, 0);
    run_all(first);
    assert_int_equal(seen_count, 2);
    seen_count = 0;
    assert_int_equal(hold_collect(first, COLLECT_ONE).left, 0);
    (void)hold_leave(first, LEAVE_ALL);
}

/* ---- Lanes --------------------------------------------------------------------------------------------------------- */

/* What is taken of a lane at a time, where there is more. */
enum { LANE_TAKE = LANE_BLOCKS * BLOCK_ENVELOPES };

/* So much at a time, behind what was in the queues of all that is held. */
static void test_lanes(void **state) {
    (void)state;
    send_by_lane(0, 10, LANE_TAKE + 5);
    queue_up(0, 8, 1);
    queue_up(1, 9, 1);
    struct collected collected = hold_collect(first, COLLECT_ALL);
    assert_int_equal(collected.queues, 2);
    assert_int_equal(collected.from_lanes, LANE_TAKE);
    assert_int_equal(collected.in_lanes, 5);
    run_all(first);
    assert_int_equal(seen[0] + seen[1], 8 + 9);
    for (size_t i = 2; i < seen_count; i++)
        assert_int_equal(seen[i], 8 + i);
    seen_count = 0;
    collected = hold_collect(first, COLLECT_ALL);
    assert_int_equal(collected.queues, 0);
    assert_int_equal(collected.from_lanes, 5);
    assert_int_equal(collected.in_lanes, 0);
    run_all(first);
    expect_seen_from(10 + LANE_TAKE, 5);
    (void)hold_leave(first, LEAVE_ALL);
}

/* What was taken from a lane goes back to the queue, ahead of what the lane still has. */
static void test_leaving_with_a_lane(void **state) {
    (void)state;
    send_by_lane(0, 1, LANE_TAKE + 5);
    (void)hold_collect(first, COLLECT_ALL);
    (void)hold_leave(first, LEAVE_ALL);
    assert_true(run_queue_is_empty(&first->runs));
    assert_int_equal(atomic_load_relaxed(&boxes[0].queue.count), LANE_TAKE);
    assert_int_equal(mailbox_count_in_lanes(&boxes[0]), 5);
    struct collected collected = hold_collect(first, COLLECT_ALL);
    assert_int_equal(collected.queues, 1);
    assert_int_equal(collected.from_lanes, 5);
    run_all(first);
    expect_seen_from(1, LANE_TAKE + 5);
    (void)hold_leave(first, LEAVE_ALL);
}

/* ---- Letting go ---------------------------------------------------------------------------------------------------- */

static void test_leave_all(void **state) {
    (void)state;
    assert_int_equal(hold_leave(first, LEAVE_ALL), 0);
    queue_up(0, 1, 1);
    (void)hold_collect(first, COLLECT_ALL);
    send(first, 0, 2);
    send(first, SECOND, 3); /* another worker's */
    queue_up(0, 4, 1);
    (void)hold_leave(first, LEAVE_ALL);
    assert_true(run_queue_is_empty(&first->runs));
    assert_null(first->held);
    assert_true(take(0));
    expect_seen(3, 1, 2, 4); /* what goes back is in front of what came meanwhile */
    assert_true(take(SECOND));
    expect_seen(1, 3);
}

/* Over many blocks, and with an order for each mailbox of its own. */
static void test_leave_with_much(void **state) {
    (void)state;
    enum { MUCH = 2 * BLOCK_ENVELOPES + 10 };
    queue_up(0, 0, 1);
    queue_up(1, 0, 1);
    (void)hold_collect(first, COLLECT_ALL);
    run_all(first);
    seen_count = 0;
    for (uintptr_t i = 1; i <= 3 * MUCH; i++)
        send(first, i % 3 == 2 ? SECOND : (unsigned)(i % 3), i);
    (void)hold_leave(first, LEAVE_ALL);
    for (unsigned mailbox = 0; mailbox < 3; mailbox++) {
        assert_true(take(mailbox == 2 ? SECOND : mailbox));
        assert_int_equal(seen_count, MUCH);
        for (size_t i = 0; i < seen_count; i++)
            assert_int_equal(seen[i], mailbox == 0 ? 3 * (i + 1) : 3 * i + mailbox);
        seen_count = 0;
    }
}

/* Only what is no longer in the worker's slots leaves. */
static void test_leave_moved(void **state) {
    (void)state;
    queue_up(0, 1, 1);
    queue_up(1, 2, 1);
    (void)hold_collect(first, COLLECT_ALL);
    send(first, 0, 3);
    send(first, 1, 4);
    (void)hold_leave(first, LEAVE_MOVED);
    assert_ptr_equal(mailbox_holder(&boxes[0]), first);
    assert_true(slots_swap(sharding_slots(1), &boxes[SECOND], sharding_slots(0), &boxes[0]));
    assert_int_equal(hold_collect(second, COLLECT_ALL).queues, 0); /* still the first one's */
    (void)hold_leave(first, LEAVE_MOVED);
    assert_null(mailbox_holder(&boxes[0]));
    assert_ptr_equal(mailbox_holder(&boxes[1]), first);
    run_all(first);
    expect_seen(2, 2, 4);
    assert_int_equal(hold_collect(second, COLLECT_ALL).queues, 1);
    assert_ptr_equal(mailbox_holder(&boxes[0]), second);
    run_all(second);
    expect_seen(2, 1, 3);
    (void)hold_leave(first, LEAVE_ALL);
    (void)hold_leave(second, LEAVE_ALL);
}

/* Mailboxes with half of what waits at most, with what is in the run queue for others, which is passed on. */
static void test_leave_half(void **state) {
    (void)state;
    enum { STRAYS = 2 };
    static const unsigned waiting[SHARE] = {4, 3, 2, 1};
    for (unsigned i = 0; i < SHARE; i++)
        queue_up(i, 100 * i, waiting[i]);
    (void)hold_collect(first, COLLECT_ALL);
    for (unsigned i = 0; i < STRAYS; i++)
        send(first, SECOND, i);
    uint64_t left = hold_leave(first, LEAVE_HALF) - STRAYS, found = 0;
    assert_in_range(left, 1, 4);
    for (unsigned i = 0; i < SHARE; i++) {
        bool held = mailbox_holder(&boxes[i]) == first;
        assert_int_equal(mailbox_count(&boxes[i]), held ? 0 : waiting[i]);
        found += mailbox_count(&boxes[i]);
    }
    assert_int_equal(found, left);
    assert_int_equal(run_queue_length(&first->runs), 10 - left);
    assert_int_equal(mailbox_count(&boxes[SECOND]), STRAYS);
    (void)hold_leave(first, LEAVE_ALL);
}

/* What is no longer in the worker's slots is of the half. */
static void test_leave_half_with_moved(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        queue_up(i, 100 * i, 4);
    (void)hold_collect(first, COLLECT_ALL);
    assert_true(slots_swap(sharding_slots(1), &boxes[SECOND], sharding_slots(0), &boxes[0]));
    assert_int_equal(hold_leave(first, LEAVE_HALF), 4);
    assert_null(mailbox_holder(&boxes[0]));
    assert_int_equal(run_queue_length(&first->runs), 8);
    (void)hold_leave(first, LEAVE_ALL);
}

/* What waits in lanes counts. */
static void test_leave_half_by_lanes(void **state) {
    (void)state;
    send_by_lane(0, 1, 2 * LANE_TAKE);
    send_by_lane(1, 1001, LANE_TAKE);
    (void)hold_collect(first, COLLECT_ALL);
    assert_int_equal(hold_leave(first, LEAVE_HALF), LANE_TAKE);
    assert_ptr_equal(mailbox_holder(&boxes[0]), first);
    assert_null(mailbox_holder(&boxes[1]));
    (void)hold_leave(first, LEAVE_ALL);
}

/* What is in the run queue goes where it belongs by the row, in order, however long the rows are, with out-boxes and without: the first of these
 * mailboxes leaves, the second stays, the others are not held. */
static void test_rows(void **state) {
    (void)state;
    static const unsigned receivers[] = {0, 1, 2, SECOND + 1, SECOND + 2};
    enum { ROUNDS = 2, MESSAGES = 1500 };
    struct random random = random_seed(test_seed(), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned sent[LENGTH(receivers)] = {0};
        executor.options.without = round == 0 ? 0 : MECHANISM_OUTBOXES;
        queue_up(0, 0, 1);
        queue_up(1, 0, 1);
        (void)hold_collect(first, COLLECT_ALL);
        run_all(first);
        seen_count = 0;
        struct mailbox *moved = slot_mailbox(sharding_slots(1));
        assert_true(slots_swap(sharding_slots(1), moved, sharding_slots(0), &boxes[0]));
        for (unsigned i = 0; i < MESSAGES;) {
            unsigned to = random_below(&random, LENGTH(receivers)), row = 1 + random_below(&random, 3);
            if (random_below(&random, 4) == 0)
                row += random_below(&random, BLOCK_ENVELOPES);
            for (; row != 0 && i < MESSAGES; row--, i++)
                send(first, receivers[to], sent[to]++);
        }
        (void)hold_leave(first, LEAVE_MOVED);
        assert_int_equal(run_queue_length(&first->runs), sent[1]);
        run_all(first);
        expect_seen_from(0, sent[1]);
        for (unsigned i = 0; i < LENGTH(receivers); i++) {
            if (i == 1)
                continue;
            assert_true(take(receivers[i]));
            expect_seen_from(0, sent[i]);
        }
        assert_true(slots_swap(sharding_slots(1), &boxes[0], sharding_slots(0), moved));
        (void)hold_leave(first, LEAVE_ALL);
    }
}

/* If one mailbox has more than half, and no other anything, nothing leaves, and nothing is touched. */
static void test_no_half(void **state) {
    (void)state;
    queue_up(0, 1, 9);
    (void)hold_collect(first, COLLECT_ALL);
    assert_int_equal(hold_leave(first, LEAVE_HALF), 0);
    assert_ptr_equal(mailbox_holder(&boxes[0]), first);
    assert_int_equal(run_queue_length(&first->runs), 9);
    (void)hold_leave(first, LEAVE_ALL);
}

/* A sample says as much, and nothing leaves by it. */
static void test_seems_divisible(void **state) {
    (void)state;
    queue_up(0, 1, 9 * SAMPLE_STEP);
    (void)hold_collect(first, COLLECT_ALL);
    assert_false(hold_seems_divisible(first));
    queue_up(1, 1000, 3 * SAMPLE_STEP);
    (void)hold_collect(first, COLLECT_ALL);
    assert_true(hold_seems_divisible(first));
    assert_true(slots_swap(sharding_slots(1), &boxes[SECOND], sharding_slots(0), &boxes[0]));
    (void)hold_seems_divisible(first);
    for (unsigned i = 0; i < 2; i++) {
        assert_ptr_equal(mailbox_holder(&boxes[i]), first);
        assert_false(boxes[i].held.leaves);
    }
    assert_int_equal(run_queue_length(&first->runs), 12 * SAMPLE_STEP);
    (void)hold_leave(first, LEAVE_ALL);
}

/* Where one has more than half: what is for others is passed on, and to a mailbox of the worker's own that it does not hold, which can be given then. */
static void test_strays_are_passed_on(void **state) {
    (void)state;
    queue_up(0, 1, 9);
    (void)hold_collect(first, COLLECT_ALL);
    send(first, SECOND, 99);
    send(first, 1, 98);
    send(first, 1, 97);
    assert_int_equal(hold_leave(first, LEAVE_HALF), 3);
    assert_ptr_equal(mailbox_holder(&boxes[0]), first);
    assert_int_equal(run_queue_length(&first->runs), 9);
    assert_int_equal(mailbox_count(&boxes[SECOND]), 1);
    assert_int_equal(mailbox_count(&boxes[1]), 2);
    (void)hold_leave(first, LEAVE_ALL);
}

/* Who sleeps on a mailbox is woken by what goes back to it. */
static void test_leaving_wakes(void **state) {
    (void)state;
    queue_up(0, 1, 1);
    (void)hold_collect(first, COLLECT_ALL);
    mailbox_set_sleeper(&boxes[0], second->index);
    atomic_store_relaxed(&second->sleeping, ASLEEP);
    (void)hold_leave(first, LEAVE_ALL);
    assert_int_equal(atomic_load_relaxed(&second->sleeping), AWAKE);
    assert_int_equal(box_sleeper(&boxes[0]), NO_SLEEPER);
    assert_true(take(0));
    expect_seen(1, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_A_PAIR(test_collect),
        WITH_A_PAIR(test_collect_what_another_holds),
        WITH_A_PAIR(test_room_left),
        WITH_A_PAIR(test_collect_one),
        WITH_A_PAIR(test_taken_after_what_was_sent),
        WITH_A_PAIR(test_alone),
        WITH_A_PAIR(test_lanes),
        WITH_A_PAIR(test_leaving_with_a_lane),
        WITH_A_PAIR(test_leave_all),
        WITH_A_PAIR(test_leave_with_much),
        WITH_A_PAIR(test_leave_moved),
        WITH_A_PAIR(test_leave_half),
        WITH_A_PAIR(test_leave_half_with_moved),
        WITH_A_PAIR(test_leave_half_by_lanes),
        WITH_A_PAIR(test_rows),
        WITH_A_PAIR(test_no_half),
        WITH_A_PAIR(test_seems_divisible),
        WITH_A_PAIR(test_strays_are_passed_on),
        WITH_A_PAIR(test_leaving_wakes),
    };
    return cmocka_run_group_tests_name("hold", tests, NULL, NULL);
}
