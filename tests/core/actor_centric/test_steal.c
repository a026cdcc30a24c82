/* Thefts, each step by hand: from which end, how many, and what is loot. */
#include "actor_centric/steal.h"
#include "platform/clock.h"
#include "stats.h"
#include "workers.h"

static struct worker *thief, *victim;

static int set_up(void **state) {
    (void)make_workers(state);
    crew.count = 2; /* so that the thief has no choice */
    division_release(&executor.division);
    assert_null(division_make(&executor.division, 1, NULL, PIN_NONE, 2));
    thief = &executor.workers[0];
    victim = &executor.workers[1];
    return 0;
}

static int tear_down(void **state) {
    crew.count = WORKERS;
    return release_workers(state);
}

static void assert_counted(uint64_t attempts, uint64_t nothing, uint64_t steals, uint64_t actors) {
    assert_int_equal(thief->statistics.steal_attempts, STATISTICS_BUILD ? attempts : 0);
    assert_int_equal(thief->statistics.steal_no_candidate, STATISTICS_BUILD ? nothing : 0);
    assert_int_equal(thief->statistics.steals, steals);
    assert_int_equal(thief->statistics.actors_stolen, actors);
}

static void test_nothing_to_take(void **state) {
    (void)state;
    assert_null(steal_attempt(thief));
    assert_counted(1, 1, 0, 0);
}

/* The victim itself runs the newest of its deque; the thief takes the oldest, then what others gave the victim. */
static void test_a_deque(void **state) {
    (void)state;
    list_actors(&victim->inbox, 3, 4);
    for (unsigned i = 0; i < 3; i++)
        deque_push(&victim->deque, &boxes[i]);
    assert_ptr_equal(steal_attempt(thief), &boxes[0]);
    assert_ptr_equal(ready_next(victim), &boxes[2]);
    assert_ptr_equal(steal_attempt(thief), &boxes[1]);
    assert_ptr_equal(steal_attempt(thief), &boxes[3]);
    assert_ptr_equal(steal_attempt(thief), &boxes[4]);
    assert_null(steal_attempt(thief));
    assert_counted(5, 1, 4, 4);
}

/* All at once: the first is run, the others become the thief's local queue. The victim's local queue is its own. */
static void test_a_whole_orchestration_queue(void **state) {
    (void)state;
    executor.options.ready = READY_LQOQ;
    list_actors(&victim->inbox, 0, 3);
    assert_ptr_equal(ready_next(victim), &boxes[0]);
    list_actors(&victim->inbox, 4, 6);
    assert_ptr_equal(steal_attempt(thief), &boxes[2]);
    assert_int_equal(ready_list_count(&victim->inbox), 0);
    assert_no_chain(&victim->inbox.chain);
    assert_chain(&thief->local, 3, 6);
    assert_null(steal_attempt(&executor.workers[0]));
    assert_ptr_equal(ready_next(victim), &boxes[1]);
    for (unsigned i = 3; i <= 6; i++)
        assert_ptr_equal(ready_next(thief), &boxes[i]);
    assert_null(ready_next(thief));
    assert_counted(2, 1, 1, 5);
}

/* ---- Loot --------------------------------------------------------------------------------------------------------- */

static void test_any_takes_a_single_actor(void **state) {
    (void)state;
    list_actors(&victim->inbox, 0, 0);
    assert_ptr_equal(steal_attempt(thief), &boxes[0]);
}

static void test_of_two_one_waits(void **state) {
    (void)state;
    executor.options.loot = LOOT_WAITING;
    list_actors(&victim->inbox, 0, 0);
    deque_push(&victim->deque, &boxes[1]);
    assert_ptr_equal(steal_attempt(thief), &boxes[1]);
    assert_null(steal_attempt(thief)); /* of the single one that is left it takes note */
    assert_ptr_equal(thief->suspect.victim, victim);
    assert_counted(2, 0, 1, 1);
}

/* Looks again and again, until a look surely came before the end of the wait: that one must have been in vain. */
static void test_a_single_actor_that_has_just_come(void **state) {
    (void)state;
    executor.options.loot = LOOT_WAITING;
    watchdog_start(20, "a look before the end of the wait");
    bool in_time = false;
    while (!in_time) {
        list_actors(&victim->inbox, 0, 0);
        assert_null(steal_attempt(thief));
        uint64_t seen = thief->suspect.since;
        struct mailbox *loot = steal_attempt(thief);
        in_time = clock_monotonic_ns() - seen < LOOT_WAIT_NS;
        if (in_time)
            assert_null(loot);
        (void)ready_list_take_all(&victim->inbox);
        thief->suspect.victim = NULL;
    }
    watchdog_stop();
}

/* As if it had been seen long ago. */
static void let_it_wait(void) {
    thief->suspect.since -= LOOT_WAIT_NS;
}

static void test_a_single_actor_that_waits(void **state) {
    (void)state;
    executor.options.loot = LOOT_WAITING;
    for (unsigned kind = READY_DEQUE; kind <= READY_LQOQ; kind++) {
        executor.options.ready = (enum ready_kind)kind;
        list_actors(&victim->inbox, 0, 0);
        assert_null(steal_attempt(thief));
        let_it_wait();
        assert_ptr_equal(steal_attempt(thief), &boxes[0]);
        assert_null(thief->suspect.victim);
    }
}

/* Another actor than the one that was seen: its worker gets on, and is suspected no longer. The wait begins anew. */
static void test_a_single_actor_that_is_another(void **state) {
    (void)state;
    executor.options.loot = LOOT_WAITING;
    for (unsigned kind = READY_DEQUE; kind <= READY_LQOQ; kind++) {
        executor.options.ready = (enum ready_kind)kind;
        list_actors(&victim->inbox, 0, 0);
        assert_null(steal_attempt(thief));
        assert_ptr_equal(ready_next(victim), &boxes[0]);
        list_actors(&victim->inbox, 1, 1);
        let_it_wait();
        assert_null(steal_attempt(thief));
        assert_null(thief->suspect.victim);
        assert_null(steal_attempt(thief));
        assert_ptr_equal(thief->suspect.victim, victim);
        let_it_wait();
        assert_ptr_equal(steal_attempt(thief), &boxes[1]);
    }
}

static void test_a_suspicion_that_was_wrong(void **state) {
    (void)state;
    executor.options.loot = LOOT_WAITING;
    list_actors(&victim->inbox, 0, 0);
    assert_null(steal_attempt(thief));
    assert_ptr_equal(ready_next(victim), &boxes[0]);
    let_it_wait();
    assert_null(steal_attempt(thief));
    assert_null(thief->suspect.victim);
}

/* A success ends the prowl: the next search begins near by. */
static void test_nearest_begins_anew(void **state) {
    (void)state;
    crew.count = WORKERS;
    division_release(&executor.division);
    assert_null(division_make(&executor.division, 1, NULL, PIN_NONE, WORKERS));
    executor.options.steal = STEAL_NEAREST;
    assert_null(steal_attempt(thief));
    assert_null(steal_attempt(thief));
    assert_int_equal(thief->prowl.group, 1);
    for (unsigned i = 1; i < WORKERS; i++)
        list_actors(&executor.workers[i].inbox, i, i);
    assert_non_null(steal_attempt(thief));
    assert_int_equal(thief->prowl.group, 0);
    assert_int_equal(thief->prowl.attempts, 0);
}

#define THEFT(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        THEFT(test_nothing_to_take),
        THEFT(test_a_deque),
        THEFT(test_a_whole_orchestration_queue),
        THEFT(test_any_takes_a_single_actor),
        THEFT(test_of_two_one_waits),
        THEFT(test_a_single_actor_that_has_just_come),
        THEFT(test_a_single_actor_that_waits),
        THEFT(test_a_single_actor_that_is_another),
        THEFT(test_a_suspicion_that_was_wrong),
        THEFT(test_nearest_begins_anew),
    };
    return cmocka_run_group_tests_name("steal", tests, NULL, NULL);
}
