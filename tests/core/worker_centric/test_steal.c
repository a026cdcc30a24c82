/* A thief's attempt, on workers made by hand: whom it asks, whom it suspects, and what it takes from who is stuck. */
#include "sharded/workers.h"

#include "platform/clock.h"
#include "stats.h"
#include "worker_centric/give.h"
#include "worker_centric/hold.h"
#include "worker_centric/steal.h"

enum { SHARE = 4, VICTIMS = 2, THIEF = VICTIMS, THIEFS = THIEF * SHARE };

static struct worker *thief, *victim;

/* Victims 0 and 1, of which 0 is the older, and thief 2. */
static int set_up(void **state) {
    (void)state;
    executor.options = (struct options){.steal = STEAL_LONGEST};
    make_workers(VICTIMS + 1, SHARE);
    victim = &executor.workers[0];
    thief = &executor.workers[THIEF];
    atomic_store_relaxed(&executor.workers[1].stamp, 1);
    return 0;
}

/* What a worker says as its run begins. */
static void begin_run(struct worker *worker, uint32_t waiting) {
    atomic_store_relaxed(&worker->waiting, waiting);
    atomic_store_relaxed(&worker->begun, atomic_load_relaxed(&worker->begun) + 1);
}

/* Whether the thief has asked the worker since the last time. */
static bool was_asked(struct worker *worker) {
    return (atomic_exchange_acq_rel(&worker->call, uncalled(worker)) & ~(uintptr_t)CALL_MOVED) ==
           (THIEF + 1) * CALL_ASKED;
}

/* As the thief's first one, whose victim is the older; then long enough for whoever has begun nothing to be stuck. */
static void attempt_and_wait(void) {
    steal_attempt(thief);
    pause_ns(20 * STUCK_NS);
}

static bool has(unsigned worker, unsigned mailbox) {
    for (unsigned i = 0; i < SHARE; i++)
        if (slot_mailbox(sharding_slots(worker) + i) == &boxes[mailbox])
            return true;
    return false;
}

static void queue_up(unsigned mailbox, unsigned count) {
    while (count-- > 0)
        (void)box_append(&boxes[mailbox], to(mailbox, count));
}

/* ---- Asking -------------------------------------------------------------------------------------------------------- */

static void test_asks_for_what_is_worth_it(void **state) {
    (void)state;
    static const struct {
        uint32_t waiting, work_ns;
        bool asked;
    } cases[] = {{0, UNKNOWN_NS, false}, {1, UNKNOWN_NS, false}, {2, UNKNOWN_NS, true}, {6, 1000, true},
                 {5, 1000, false},       {1, 1000000, false},    {2, 10000, true},      {0, 1000000, false}};
    for (size_t i = 0; i < LENGTH(cases); i++) {
        begin_run(victim, cases[i].waiting);
        atomic_store_relaxed(&victim->work_ns, cases[i].work_ns);
        chase_begin(&thief->chase);
        thief->statistics = (struct actorbench_statistics){0};
        steal_attempt(thief);
        assert_int_equal(was_asked(victim), cases[i].asked);
        assert_int_equal(thief->statistics.steal_attempts, STATISTICS_BUILD);
        assert_int_equal(thief->statistics.asks, STATISTICS_BUILD && cases[i].asked);
        assert_int_equal(thief->statistics.steal_no_candidate, STATISTICS_BUILD && !cases[i].asked);
    }
}

/* In vain it goes from one to the other, and says that it tries. */
static void test_goes_on_to_another(void **state) {
    (void)state;
    begin_run(victim, 10);
    begin_run(&executor.workers[1], 10);
    for (unsigned i = 0; i < 6; i++) {
        begin_run(victim, 10); /* neither is stuck */
        begin_run(&executor.workers[1], 10);
        steal_attempt(thief);
        assert_int_equal(was_asked(victim), i % 2 == 0);
        assert_int_equal(was_asked(&executor.workers[1]), i % 2 != 0);
    }
    assert_true(atomic_load_relaxed(&thief->stamp) > 1);
}

/* What it gives for loot must not be held. */
static void test_lets_go_of_all(void **state) {
    (void)state;
    queue_up(THIEFS, 1);
    (void)hold_collect(thief, COLLECT_ALL);
    assert_ptr_equal(thief->held, &boxes[THIEFS]);
    steal_attempt(thief);
    assert_null(thief->held);
    assert_null(mailbox_holder(&boxes[THIEFS]));
    assert_int_equal(mailbox_count(&boxes[THIEFS]), 1);
}

/* ---- Who is stuck -------------------------------------------------------------------------------------------------- */

static void test_takes_from_who_is_stuck(void **state) {
    (void)state;
    begin_run(victim, 1); /* a long behaviour, the only one it had */
    queue_up(0, 5);
    attempt_and_wait();
    assert_true(has(0, 0));
    assert_false(was_asked(victim));
    atomic_store_relaxed(&victim->sleeping, ASLEEP);
    steal_attempt(thief);
    assert_true(has(THIEF, 0));
    assert_int_equal(atomic_load_relaxed(&victim->call), (THIEF + 1) * CALL_ASKED + CALL_MOVED);
    assert_int_equal(atomic_load_relaxed(&victim->sleeping), AWAKE);
    assert_int_equal(thief->statistics.steals, 1);
    assert_int_equal(thief->statistics.messages_stolen, 5);
    assert_int_equal(hold_collect(thief, COLLECT_ALL).queues, 1);
    (void)hold_leave(thief, LEAVE_ALL);
}

/* Where there is more than one mailbox to be taken, who takes one wakes somebody for the next. */
static void test_who_takes_wakes_another(void **state) {
    (void)state;
    struct worker *other = &executor.workers[1];
    atomic_store_relaxed(&crew.sleepers, 1);
    for (unsigned mailboxes = 1; mailboxes <= 2; mailboxes++) {
        begin_run(victim, 1);
        for (unsigned i = 0; i < mailboxes; i++)
            queue_up(2 * (mailboxes - 1) + i, 5);
        chase_begin(&thief->chase);
        thief->suspect.victim = NULL;
        attempt_and_wait();
        atomic_store_relaxed(&other->sleeping, ASLEEP);
        steal_attempt(thief);
        assert_int_equal(thief->statistics.steals, mailboxes);
        assert_int_equal(atomic_load_relaxed(&other->sleeping), mailboxes == 1 ? ASLEEP : AWAKE);
    }
}

/* Not for what a victim of coarse messages will come to itself. */
static void test_who_takes_what_is_coarse_wakes_nobody(void **state) {
    (void)state;
    struct worker *other = &executor.workers[1];
    atomic_store_relaxed(&crew.sleepers, 1);
    atomic_store_relaxed(&other->sleeping, ASLEEP);
    atomic_store_relaxed(&victim->work_ns, COARSE_NS);
    begin_run(victim, 1);
    queue_up(0, 5);
    queue_up(1, 5);
    steal_attempt(thief);
    assert_int_equal(thief->statistics.steals, 1);
    assert_true(has(THIEF, 0) != has(THIEF, 1));
    assert_int_equal(atomic_load_relaxed(&other->sleeping), ASLEEP);
}

/* It is asked for what it holds, even if that is said not to be worth it, or one message. */
static void test_who_is_stuck_is_asked_anyway(void **state) {
    (void)state;
    for (unsigned waiting = 1; waiting < 3; waiting++) {
        begin_run(victim, waiting);
        atomic_store_relaxed(&victim->work_ns, 0);
        chase_begin(&thief->chase);
        thief->suspect.victim = NULL;
        attempt_and_wait();
        assert_false(was_asked(victim));
        steal_attempt(thief);
        assert_true(was_asked(victim));
    }
}

static void test_what_is_held_is_not_taken(void **state) {
    (void)state;
    queue_up(0, 5);
    (void)hold_collect(victim, COLLECT_ALL);
    queue_up(0, 5);
    begin_run(victim, 5);
    attempt_and_wait();
    steal_attempt(thief);
    assert_true(has(0, 0));
    (void)hold_leave(victim, LEAVE_ALL);
}

static void test_what_has_no_messages_is_not_taken(void **state) {
    (void)state;
    begin_run(victim, 5);
    attempt_and_wait();
    steal_attempt(thief);
    for (unsigned i = 0; i < SHARE; i++)
        assert_true(has(0, i));
    assert_int_equal(thief->statistics.steals, 0);
}

/* Nothing is given for it but an empty mailbox. */
static void test_no_place_for_loot(void **state) {
    (void)state;
    begin_run(victim, 5);
    queue_up(0, 5);
    for (unsigned i = 0; i < SHARE; i++)
        queue_up(THIEFS + i, 1);
    attempt_and_wait();
    steal_attempt(thief);
    assert_true(has(0, 0));
    for (unsigned i = 0; i < SHARE - 1; i++)
        box_empty(&boxes[THIEFS + i]);
    chase_begin(&thief->chase);
    attempt_and_wait();
    steal_attempt(thief);
    assert_true(has(THIEF, 0));
    assert_true(has(THIEF, THIEFS + SHARE - 1)); /* the one with a message */
}

/* What is stolen is not given for the next loot in turn: the empty ones take turns. */
static void test_empty_ones_take_turns(void **state) {
    (void)state;
    bool gave[SHARE] = {false};
    for (unsigned i = 0; i < SHARE; i++) {
        begin_run(victim, 1);
        queue_up(i, 1);
        chase_begin(&thief->chase);
        thief->suspect.victim = NULL;
        attempt_and_wait();
        steal_attempt(thief);
        assert_true(has(THIEF, i));
        box_empty(&boxes[i]);
    }
    for (unsigned i = 0; i < SHARE; i++)
        gave[i] = has(0, THIEFS + i);
    for (unsigned i = 0; i < SHARE; i++)
        assert_true(gave[i]);
}

/* ---- Suspects ------------------------------------------------------------------------------------------------------ */

/* Who has begun a run since is not stuck: another is suspected from now on. */
static void test_progress_clears_a_suspect(void **state) {
    (void)state;
    begin_run(victim, 1);
    queue_up(0, 5);
    attempt_and_wait();
    assert_ptr_equal(thief->suspect.victim, victim);
    for (unsigned i = 0; i < 5; i++) {
        begin_run(victim, 1);
        chase_begin(&thief->chase);
        attempt_and_wait();
        assert_true(has(0, 0));
        assert_false(was_asked(victim));
        assert_ptr_equal(thief->suspect.victim, victim);
        assert_int_equal(thief->suspect.begun, atomic_load_relaxed(&victim->begun));
    }
    steal_attempt(thief);
    assert_true(has(THIEF, 0));
}

/* Before STUCK_NS nobody is stuck. What takes longer than that, on a busy machine, says nothing. */
static void test_patience(void **state) {
    (void)state;
    begin_run(victim, 1);
    queue_up(0, 5);
    steal_attempt(thief);
    for (unsigned i = 0; i < 5; i++) {
        uint64_t since = clock_monotonic_ns();
        thief->suspect.since = since;
        steal_attempt(thief);
        if (clock_monotonic_ns() - since < STUCK_NS) {
            assert_true(has(0, 0));
            assert_ptr_equal(thief->suspect.victim, victim);
        }
    }
}

/* Who has nothing waiting, not even what it runs, is idle, and no suspect. */
static void test_the_idle_are_no_suspects(void **state) {
    (void)state;
    begin_run(victim, 0);
    queue_up(0, 5);
    attempt_and_wait();
    assert_null(thief->suspect.victim);
    steal_attempt(thief);
    assert_true(has(0, 0));
}

/* One that is stuck, and has nothing to take, is not the suspect for ever: the other's mailbox is found. */
static void test_another_suspect_after_one_that_is_stuck(void **state) {
    (void)state;
    begin_run(victim, 1);
    begin_run(&executor.workers[1], 1);
    queue_up(SHARE, 5);
    bool suspected[VICTIMS] = {false};
    for (unsigned i = 0; i < 6; i++) {
        attempt_and_wait();
        if (thief->suspect.victim != NULL)
            suspected[thief->suspect.victim->index] = true;
    }
    assert_true(suspected[0]);
    assert_true(suspected[1]);
    assert_true(has(THIEF, SHARE));
}

#define WITH_WORKERS(test) cmocka_unit_test_setup_teardown(test, set_up, release_workers)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_WORKERS(test_asks_for_what_is_worth_it),
        WITH_WORKERS(test_goes_on_to_another),
        WITH_WORKERS(test_lets_go_of_all),
        WITH_WORKERS(test_takes_from_who_is_stuck),
        WITH_WORKERS(test_who_takes_wakes_another),
        WITH_WORKERS(test_who_takes_what_is_coarse_wakes_nobody),
        WITH_WORKERS(test_who_is_stuck_is_asked_anyway),
        WITH_WORKERS(test_what_is_held_is_not_taken),
        WITH_WORKERS(test_what_has_no_messages_is_not_taken),
        WITH_WORKERS(test_no_place_for_loot),
        WITH_WORKERS(test_empty_ones_take_turns),
        WITH_WORKERS(test_progress_clears_a_suspect),
        WITH_WORKERS(test_patience),
        WITH_WORKERS(test_the_idle_are_no_suspects),
        WITH_WORKERS(test_another_suspect_after_one_that_is_stuck),
    };
    return cmocka_run_group_tests_name("steal", tests, NULL, NULL);
}
