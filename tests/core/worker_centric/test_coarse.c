/* Coarse messages, on two workers made by hand: mailboxes are not held, given by every other one, and taken by thieves. */
#include "pair.h"

#include "stats.h"
#include "worker_centric/give.h"
#include "worker_centric/hold.h"
#include "worker_centric/steal.h"

enum { EACH = 10 };

/* The first worker has a message in each mailbox, holds all of them, and knows what its messages are. */
static void hold_all(uint32_t work_ns) {
    for (unsigned i = 0; i < SHARE; i++)
        queue_up(i, 100 * i, 1);
    (void)hold_collect(first, COLLECT_ALL);
    atomic_store_relaxed(&first->work_ns, work_ns);
}

static unsigned count_held(const struct worker *worker) {
    unsigned count = 0;
    for (unsigned i = 0; i < 2 * SHARE; i++)
        count += mailbox_holder(&boxes[i]) == worker;
    return count;
}

/* How many of the first worker's former mailboxes the second has now. */
static unsigned count_moved(void) {
    unsigned count = 0;
    for (unsigned i = 0; i < SHARE; i++)
        count += slot_mailbox(sharding_slots(1) + i) < &boxes[SECOND];
    return count;
}

static void let_all_go(void) {
    (void)hold_leave(first, LEAVE_ALL);
    (void)hold_leave(second, LEAVE_ALL);
}

/* ---- Letting go ---------------------------------------------------------------------------------------------------- */

static void test_let_go_at_the_end_of_a_run(void **state) {
    (void)state;
    hold_all(COARSE_NS);
    give_end_of_coarse(first, 2);
    assert_int_equal(count_held(first), 0);
    for (unsigned i = 0; i < SHARE; i++) {
        assert_true(take(i));
        expect_seen(1, (int)(100 * i));
    }
}

static void expect_held(uint32_t work_ns) {
    hold_all(work_ns);
    give_end_of_coarse(first, 2);
    assert_int_equal(count_held(first), SHARE);
    run_all(first);
    assert_int_equal(seen_count, SHARE);
    seen_count = 0;
    let_all_go();
}

static void test_what_is_short_or_unknown_is_held(void **state) {
    (void)state;
    expect_held(COARSE_NS - 1);
    expect_held(UNKNOWN_NS);
}

static void test_who_is_alone_or_cannot_be_robbed_holds(void **state) {
    (void)state;
    executor.options.steal = STEAL_NONE;
    expect_held(COARSE_NS);
    executor.options.steal = STEAL_LONGEST;
    crew.count = 1;
    expect_held(COARSE_NS);
    crew.count = 2;
}

/* A lone message that goes round is no other worker's to run: its mailboxes would cross for nothing. */
static void test_who_has_one_message_holds(void **state) {
    (void)state;
    hold_all(COARSE_NS);
    run_all(first);
    seen_count = 0;
    for (unsigned waiting = 0; waiting < 2; waiting++) {
        give_end_of_coarse(first, 1);
        assert_int_equal(count_held(first), SHARE);
        send(first, 0, waiting);
    }
    give_end_of_coarse(first, 1);
    assert_int_equal(count_held(first), 0);
    assert_true(take(0));
    expect_seen(2, 0, 1);
}

/* What takes longer to sort out than a message takes stays until there is less of it. */
static void test_a_long_run_queue_is_held(void **state) {
    (void)state;
    if (SORT_NS == 0)
        skip(); /* in this build nothing takes long to sort out */
    queue_up(0, 0, COARSE_NS / SORT_NS + 1);
    (void)hold_collect(first, COLLECT_ALL);
    atomic_store_relaxed(&first->work_ns, COARSE_NS);
    give_end_of_coarse(first, 2);
    assert_int_equal(count_held(first), 1);
    assert_int_equal(run_queue_run(&first->runs, &first->pool, 1, see), 1);
    give_end_of_coarse(first, 2);
    assert_int_equal(count_held(first), 0);
    assert_true(take(0));
    expect_seen_from(0, COARSE_NS / SORT_NS + 1);
}

/* ---- Giving -------------------------------------------------------------------------------------------------------- */

/* All mailboxes are let go of, and every other one is given, so that any thief finds the rest. */
static void test_every_other_one_is_given(void **state) {
    (void)state;
    hold_all(COARSE_NS);
    give_ask(first, second);
    give_answer(first);
    assert_int_equal(count_moved(), SHARE / 2);
    assert_int_equal(first->statistics.messages_stolen, SHARE / 2);
    assert_int_equal(atomic_load_relaxed(&second->work_ns), COARSE_NS);
    assert_int_equal(count_held(first), 0);
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, SHARE / 2);
    assert_int_equal(hold_collect(second, COLLECT_ALL).queues, SHARE / 2);
    let_all_go();
}

/* What is for one mailbox stays, as ever. */
static void test_one_mailbox_is_kept(void **state) {
    (void)state;
    queue_up(0, 100, EACH);
    (void)hold_collect(first, COLLECT_ALL);
    atomic_store_relaxed(&first->work_ns, COARSE_NS);
    give_ask(first, second);
    give_answer(first);
    assert_int_equal(count_moved(), 0);
    assert_int_equal(first->statistics.refusals, STATISTICS_BUILD);
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 1);
    run_all(first);
    expect_seen_from(100, EACH);
    let_all_go();
}

/* ---- Taking -------------------------------------------------------------------------------------------------------- */

/* The first worker runs something, and a message waits in each of so many of its mailboxes; whether the second has taken one at once. */
static bool is_taken(unsigned mailboxes, uint32_t work_ns) {
    for (unsigned i = 0; i < mailboxes; i++)
        queue_up(i, i, 1);
    atomic_store_relaxed(&first->waiting, 1);
    atomic_store_relaxed(&first->begun, atomic_load_relaxed(&first->begun) + 1);
    atomic_store_relaxed(&first->work_ns, work_ns);
    second->suspect.victim = NULL;
    unsigned before = count_moved();
    steal_attempt(second);
    unsigned moved = count_moved() - before;
    for (unsigned i = 0; i < mailboxes; i++)
        box_empty(&boxes[i]);
    assert_in_range(moved, 0, 1);
    assert_int_equal(second->statistics.steals, moved);
    second->statistics.steals = 0;
    return moved == 1;
}

/* At once, where the victim is left with another. */
static void test_one_of_two_is_taken(void **state) {
    (void)state;
    assert_false(is_taken(1, COARSE_NS));
    assert_true(is_taken(2, COARSE_NS));
    assert_int_equal(atomic_load_relaxed(&first->call) % CALL_ASKED, CALL_MOVED);
}

static void test_of_short_messages_none_is_taken(void **state) {
    (void)state;
    assert_false(is_taken(2, COARSE_NS - 1));
    assert_false(is_taken(2, UNKNOWN_NS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_A_PAIR(test_let_go_at_the_end_of_a_run),
        WITH_A_PAIR(test_what_is_short_or_unknown_is_held),
        WITH_A_PAIR(test_who_is_alone_or_cannot_be_robbed_holds),
        WITH_A_PAIR(test_who_has_one_message_holds),
        WITH_A_PAIR(test_a_long_run_queue_is_held),
        WITH_A_PAIR(test_every_other_one_is_given),
        WITH_A_PAIR(test_one_mailbox_is_kept),
        WITH_A_PAIR(test_one_of_two_is_taken),
        WITH_A_PAIR(test_of_short_messages_none_is_taken),
    };
    return cmocka_run_group_tests_name("coarse", tests, NULL, NULL);
}
