/* Asking and giving, on two workers made by hand: the first has work, the second asks for it. */
#include "pair.h"

#include "platform/clock.h"
#include "stats.h"
#include "worker_centric/give.h"
#include "worker_centric/hold.h"
#include "worker_centric/pace.h"

enum { EACH = 10 };

/* What a worker is called for; 0: nothing. */
static uintptr_t called(const struct worker *worker) {
    uintptr_t call = atomic_load_relaxed(&worker->call);
    return call == uncalled(worker) ? 0 : call;
}

static void expect_counted(uint64_t steals, uint64_t messages, uint64_t refusals) {
    assert_int_equal(first->statistics.steals, steals);
    assert_int_equal(first->statistics.messages_stolen, messages);
    assert_int_equal(first->statistics.refusals, STATISTICS_BUILD ? refusals : 0);
}

/* Which of the first worker's former mailboxes the second has now; 0 .. SHARE - 1, or SHARE: none. */
static unsigned given(void) {
    for (unsigned i = 0; i < SHARE; i++) {
        const struct mailbox *mailbox = slot_mailbox(sharding_slots(1) + i);
        if (mailbox != NULL && mailbox < &boxes[SECOND])
            return (unsigned)(mailbox - boxes);
    }
    return SHARE;
}

/* Each mailbox is in one slot. */
static void expect_all_slots(void) {
    bool found[2 * SHARE] = {false};
    for (unsigned i = 0; i < 2 * SHARE; i++) {
        assert_non_null(slot_mailbox(&sharding.slots[i]));
        found[slot_mailbox(&sharding.slots[i]) - boxes] = true;
    }
    for (unsigned i = 0; i < 2 * SHARE; i++)
        assert_true(found[i]);
}

/* The first holds two mailboxes with as many messages each, numbered from 100 and from 200 on. */
static void two_mailboxes(void) {
    queue_up(0, 100, EACH);
    queue_up(1, 200, EACH);
    (void)hold_collect(first, COLLECT_ALL);
}

static void ask_and_answer(void) {
    give_ask(first, second);
    give_answer(first);
    assert_int_equal(called(first), 0);
    expect_all_slots();
}

static void let_all_go(void) {
    (void)hold_leave(first, LEAVE_ALL);
    (void)hold_leave(second, LEAVE_ALL);
}

/* ---- Asking -------------------------------------------------------------------------------------------------------- */

/* The first who asks is heard; that mailboxes were moved goes beside it, in whatever order. */
static void test_asking(void **state) {
    (void)state;
    give_ask(first, second);
    assert_int_equal(called(first), 2 * CALL_ASKED);
    give_ask(first, first);
    assert_int_equal(called(first), 2 * CALL_ASKED);
    give_tell(first);
    assert_int_equal(called(first), 2 * CALL_ASKED + CALL_MOVED);
    give_ask(first, second);
    assert_int_equal(called(first), 2 * CALL_ASKED + CALL_MOVED);
    give_tell(second);
    give_tell(second);
    assert_int_equal(called(second), CALL_MOVED);
    give_ask(second, first);
    assert_int_equal(called(second), CALL_ASKED + CALL_MOVED);
}

/* ---- Giving -------------------------------------------------------------------------------------------------------- */

static void test_half_is_given(void **state) {
    (void)state;
    two_mailboxes();
    atomic_store_relaxed(&first->work_ns, 1000);
    atomic_store_relaxed(&second->sleeping, ASLEEP);
    ask_and_answer();
    assert_in_range(given(), 0, 1);
    uintptr_t gone = given() == 0 ? 100 : 200, kept = 300 - gone;
    assert_int_equal(called(second), CALL_MOVED);
    assert_int_equal(atomic_load_relaxed(&second->sleeping), AWAKE);
    assert_int_equal(atomic_load_relaxed(&second->work_ns), 1000);
    expect_counted(1, EACH, 0);
    assert_int_equal(hold_collect(second, COLLECT_ALL).queues, 1);
    run_all(second);
    expect_seen_from(gone, EACH);
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 0);
    run_all(first);
    expect_seen_from(kept, EACH);
    let_all_go();
}

/* What has come to the queues since is given as well. */
static void test_what_came_since_is_given(void **state) {
    (void)state;
    queue_up(0, 100, 1);
    (void)hold_collect(first, COLLECT_ALL);
    queue_up(1, 200, EACH);
    queue_up(2, 300, EACH);
    ask_and_answer();
    expect_counted(1, EACH, 0);
    let_all_go();
}

/* Several mailboxes, each for an empty one of the thief's, as long as there are any; none that is held. */
static void test_several_for_empty_ones(void **state) {
    (void)state;
    for (unsigned i = 0; i < SHARE; i++)
        queue_up(i, 100 * i, EACH);
    (void)hold_collect(first, COLLECT_ALL);
    queue_up(SECOND, 1000, 1);
    assert_true(mailbox_hold(&boxes[SECOND + 1], &elsewhere));
    ask_and_answer();
    expect_counted(2, 2 * EACH, 0);
    assert_ptr_equal(slot_mailbox(sharding_slots(1)), &boxes[SECOND]);
    assert_ptr_equal(slot_mailbox(sharding_slots(1) + 1), &boxes[SECOND + 1]);
    assert_true(slot_mailbox(sharding_slots(1) + 2) < &boxes[SECOND]);
    assert_true(slot_mailbox(sharding_slots(1) + 3) < &boxes[SECOND]);
    let_all_go();
}

/* For one of the thief's that has few messages, the fewest of all, which the first then runs. */
static void test_for_nearly_empty_ones(void **state) {
    (void)state;
    two_mailboxes();
    for (unsigned i = 0; i < SHARE; i++)
        queue_up(SECOND + i, 1000 + 100 * i, i == 2 ? 2 : 3);
    ask_and_answer();
    assert_in_range(given(), 0, 1);
    assert_true(slot_mailbox(sharding_slots(1) + 2) < &boxes[SECOND]);
    expect_counted(1, EACH, 0);
    assert_int_equal(hold_collect(second, COLLECT_ALL).queues, SHARE);
    run_all(second);
    assert_int_equal(seen_count, EACH + 3 * (SHARE - 1));
    seen_count = 0;
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 1);
    run_all(first);
    assert_int_equal(seen_count, EACH + 2);
    assert_int_equal(seen[EACH], 1200);
    assert_int_equal(seen[EACH + 1], 1201);
    seen_count = 0;
    let_all_go();
}

/* What finds no place, since the thief's mailboxes have half as many messages or more, is held again, and nothing of it is lost, nor its
 * order. */
static void test_no_place_for_it(void **state) {
    (void)state;
    two_mailboxes();
    for (unsigned i = 0; i < SHARE; i++)
        queue_up(SECOND + i, 1000, EACH / 2);
    ask_and_answer();
    assert_int_equal(given(), SHARE);
    assert_int_equal(hold_collect(first, COLLECT_ALL).queues, 1);
    run_all(first);
    assert_int_equal(seen_count, 2 * EACH);
    uintptr_t next[] = {100, 200};
    for (size_t i = 0; i < seen_count; i++)
        assert_int_equal(seen[i], next[seen[i] / 200]++);
    seen_count = 0;
    let_all_go();
}

/* A slot in the midst of a swap of the thief's is passed by. */
static void test_a_thief_that_swaps(void **state) {
    (void)state;
    two_mailboxes();
    atomic_store_relaxed(sharding_slots(1), (struct mailbox *)NULL);
    give_ask(first, second);
    give_answer(first);
    assert_null(slot_mailbox(sharding_slots(1)));
    assert_in_range(given(), 0, 1);
    atomic_store_relaxed(sharding_slots(1), &boxes[SECOND]);
    expect_all_slots();
    let_all_go();
}

/* ---- Not giving ---------------------------------------------------------------------------------------------------- */

static void expect_refusal(void) {
    ask_and_answer();
    assert_int_equal(given(), SHARE);
    assert_int_equal(called(second), 0);
    expect_counted(0, 0, 1);
}

/* All is for one mailbox. */
static void test_one_mailbox_is_kept(void **state) {
    (void)state;
    queue_up(0, 100, EACH);
    (void)hold_collect(first, COLLECT_ALL);
    expect_refusal();
    assert_ptr_equal(mailbox_holder(&boxes[0]), first);
    run_all(first);
    expect_seen_from(100, EACH);
    let_all_go();
}

static void test_nothing_to_give(void **state) {
    (void)state;
    expect_refusal();
}

static void test_what_is_not_worth_it_is_kept(void **state) {
    (void)state;
    two_mailboxes();
    atomic_store_relaxed(&first->work_ns, 1);
    expect_refusal();
    assert_int_equal(run_queue_length(&first->runs), 2 * EACH);
    assert_int_equal(atomic_load_relaxed(&second->work_ns), UNKNOWN_NS);
    let_all_go();
}

/* All that waits is worth the way, but not the little that is not for one mailbox. */
static void test_a_little_of_much_is_kept(void **state) {
    (void)state;
    queue_up(0, 100, 9 * EACH);
    queue_up(1, 200, EACH);
    (void)hold_collect(first, COLLECT_ALL);
    atomic_store_relaxed(&first->work_ns, WAY_NS / EACH);
    expect_refusal();
    assert_int_equal(run_queue_length(&first->runs), 10 * EACH);
    assert_false(boxes[0].held.leaves || boxes[1].held.leaves);
    let_all_go();
}

/* A part that is worth the way is given, unless nearly all else would be sorted out for it. */
static void test_a_part_is_given(void **state) {
    (void)state;
    queue_up(0, 1000, 15 * EACH);
    queue_up(1, 200, EACH);
    (void)hold_collect(first, COLLECT_ALL);
    ask_and_answer();
    expect_counted(1, EACH, 0);
    let_all_go();
}

static void test_too_small_a_part_is_kept(void **state) {
    (void)state;
    queue_up(0, 1000, 17 * EACH);
    queue_up(1, 200, EACH);
    (void)hold_collect(first, COLLECT_ALL);
    expect_refusal();
    assert_false(boxes[0].held.leaves || boxes[1].held.leaves);
    let_all_go();
}

/* It has begun at its look at its pace, and is deaf until `times` as long afterwards as it took. */
static void expect_deaf(uint64_t before, uint64_t after, uint64_t times) {
    uint64_t start = first->pace.since;
    assert_in_range(start, before, after);
    assert_int_equal((first->deaf_until - start) % (times + 1), 0);
    assert_in_range(first->deaf_until, start + 1, start + (times + 1) * (after - start));
}

static void test_deaf_after_an_answer(void **state) {
    (void)state;
    two_mailboxes();
    uint64_t before = clock_monotonic_ns();
    ask_and_answer();
    expect_deaf(before, clock_monotonic_ns(), 1);
    let_all_go();
}

static void test_deaf_after_a_refusal(void **state) {
    (void)state;
    two_mailboxes();
    atomic_store_relaxed(&first->work_ns, 1);
    uint64_t before = clock_monotonic_ns();
    ask_and_answer();
    expect_deaf(before, clock_monotonic_ns(), DEAF);
    let_all_go();
}

/* What it takes to answer is not taken for the work of what has run just before, which is too little to be judged. */
static void test_to_answer_is_no_work(void **state) {
    (void)state;
    two_mailboxes();
    first->pace = (struct pace){.since = clock_monotonic_ns(), .messages = 1};
    ask_and_answer();
    assert_in_range(given(), 0, 1);
    assert_int_equal(first->pace.messages, 0);
    let_all_go();
}

static void test_deaf(void **state) {
    (void)state;
    two_mailboxes();
    first->deaf_until = UINT64_MAX;
    ask_and_answer();
    assert_int_equal(given(), SHARE);
    expect_counted(0, 0, 0);
    assert_int_equal(first->deaf_until, UINT64_MAX);
    for (uint64_t waiting = 0; waiting < 3; waiting++)
        assert_int_equal(give_waiting(first, waiting), waiting < 1 ? waiting : 1);
    first->deaf_until = 0;
    for (uint64_t waiting = 0; waiting < 3; waiting++)
        assert_int_equal(give_waiting(first, waiting), waiting);
    let_all_go();
}

/* A run queue that takes long to go through is run for as long as that takes, and then given of. */
static void test_a_long_run_queue_is_run_first(void **state) {
    (void)state;
    enum { MANY = WORTH_NS / SORT_NS };
    queue_up(0, 0, MANY);
    queue_up(1, 0, MANY);
    uint64_t before = clock_monotonic_ns();
    (void)hold_collect(first, COLLECT_ALL);
    ask_and_answer();
    assert_int_equal(given(), SHARE);
    expect_counted(0, 0, 0);
    assert_in_range(first->deaf_until, before + 2 * MANY * SORT_NS, clock_monotonic_ns() + 2 * MANY * SORT_NS);
    first->deaf_until = 0;
    ask_and_answer();
    assert_in_range(given(), 0, 1);
    expect_counted(1, MANY, 0);
    first->deaf_until = 0;
    queue_up(2, 0, MANY);
    (void)hold_collect(first, COLLECT_ALL);
    ask_and_answer(); /* and so the next time */
    expect_counted(1, MANY, 0);
    let_all_go();
}

/* Of such a one it looks at a sample first, and is deaf for as long as if it had looked at all. What it has borrowed it lets go of. */
static void test_a_long_run_queue_is_sampled(void **state) {
    (void)state;
    queue_up(0, 0, 2 * WORTH_NS / SORT_NS);
    queue_up(1, 0, 1);
    (void)hold_collect(first, COLLECT_ALL);
    assert_true(slots_swap(sharding_slots(1), &boxes[SECOND], sharding_slots(0) + 1, &boxes[1]));
    first->has_put_off = true;
    uint64_t before = clock_monotonic_ns();
    ask_and_answer();
    expect_counted(0, 0, 1);
    assert_ptr_equal(mailbox_holder(&boxes[0]), first);
    assert_null(mailbox_holder(&boxes[1]));
    assert_int_equal(mailbox_count(&boxes[1]), 1);
    expect_deaf(before, clock_monotonic_ns(), DEAF * SAMPLE_STEP);
    let_all_go();
}

static void test_an_asker_that_has_found_work(void **state) {
    (void)state;
    two_mailboxes();
    atomic_store_relaxed(&second->waiting, 1);
    ask_and_answer();
    assert_int_equal(given(), SHARE);
    assert_int_equal(first->deaf_until, 0);
    expect_counted(0, 0, 0);
    let_all_go();
}

/* ---- Moved --------------------------------------------------------------------------------------------------------- */

/* A mailbox that somebody has swapped away is let go of, at the next answer. */
static void test_what_was_swapped_away_is_let_go_of(void **state) {
    (void)state;
    two_mailboxes();
    assert_true(slots_swap(sharding_slots(1), &boxes[SECOND], sharding_slots(0), &boxes[0]));
    give_tell(first);
    give_answer(first);
    assert_int_equal(called(first), 0);
    assert_null(mailbox_holder(&boxes[0]));
    assert_ptr_equal(mailbox_holder(&boxes[1]), first);
    assert_int_equal(hold_collect(second, COLLECT_ALL).queues, 1);
    run_all(second);
    expect_seen_from(100, EACH);
    run_all(first);
    expect_seen_from(200, EACH);
    assert_int_equal(first->deaf_until, 0);
    let_all_go();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_A_PAIR(test_asking),
        WITH_A_PAIR(test_half_is_given),
        WITH_A_PAIR(test_what_came_since_is_given),
        WITH_A_PAIR(test_several_for_empty_ones),
        WITH_A_PAIR(test_for_nearly_empty_ones),
        WITH_A_PAIR(test_no_place_for_it),
        WITH_A_PAIR(test_a_thief_that_swaps),
        WITH_A_PAIR(test_one_mailbox_is_kept),
        WITH_A_PAIR(test_nothing_to_give),
        WITH_A_PAIR(test_what_is_not_worth_it_is_kept),
        WITH_A_PAIR(test_a_little_of_much_is_kept),
        WITH_A_PAIR(test_a_part_is_given),
        WITH_A_PAIR(test_too_small_a_part_is_kept),
        WITH_A_PAIR(test_deaf_after_an_answer),
        WITH_A_PAIR(test_deaf_after_a_refusal),
        WITH_A_PAIR(test_to_answer_is_no_work),
        WITH_A_PAIR(test_deaf),
        WITH_A_PAIR(test_a_long_run_queue_is_run_first),
        WITH_A_PAIR(test_a_long_run_queue_is_sampled),
        WITH_A_PAIR(test_an_asker_that_has_found_work),
        WITH_A_PAIR(test_what_was_swapped_away_is_let_go_of),
    };
    return cmocka_run_group_tests_name("give", tests, NULL, NULL);
}
