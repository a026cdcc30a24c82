/* Placement: to which worker each rule gives a woken actor, and which worker becomes its home. Workers 0 and 1 are on one
 * node, 2 and 3 on the other. */
#include "actor_centric/placement.h"
#include "census.h"
#include "workers.h"

static void place(enum placement placement) {
    executor.options.placement = placement;
}

static struct worker *worker(unsigned index) {
    return &executor.workers[index];
}

/* Who gets an actor that was dealt to `initial` and lives at `home`, when `sender` wakes it. */
static unsigned chosen(struct worker *sender, uint16_t initial, uint16_t home) {
    const struct mailbox mailbox = {.initial = initial, .home = home};
    return placement_choose(sender, &mailbox)->index;
}

/* The home of an actor that was dealt to `initial` and is first run by `first`. */
static unsigned settled(unsigned first, uint16_t initial) {
    struct mailbox mailbox = {.initial = initial, .home = NO_HOME};
    placement_settle(worker(first), &mailbox);
    return mailbox.home;
}

static void test_round_robin(void **state) {
    (void)state;
    place(PLACE_ROUND_ROBIN);
    unsigned given[WORKERS] = {0}, before = chosen(worker(0), 0, NO_HOME);
    for (unsigned i = 0; i < 10 * WORKERS; i++) {
        unsigned next = chosen(i % 2 == 0 ? NULL : worker(1), 2, 3);
        assert_int_equal(next, (before + 1) % WORKERS);
        given[before = next]++;
    }
    for (unsigned i = 0; i < WORKERS; i++)
        assert_int_equal(given[i], 10);
}

static void test_sender(void **state) {
    (void)state;
    place(PLACE_SENDER);
    for (unsigned sender = 0; sender < WORKERS; sender++)
        assert_int_equal(chosen(worker(sender), 2, NO_HOME), sender);
    assert_int_equal(chosen(NULL, 2, NO_HOME), 2); /* main */
    assert_int_equal(settled(3, 2), NO_HOME);      /* no homes here */
}

/* The flowchart of figure 4: an actor that was stolen from afar before its first run keeps its first worker as home. */
static void test_first_execution(void **state) {
    (void)state;
    place(PLACE_HOME);
    assert_int_equal(settled(0, 0), 0);
    assert_int_equal(settled(1, 0), 1);
    assert_int_equal(settled(2, 0), 0);
    assert_int_equal(settled(3, 0), 0);
    assert_int_equal(settled(0, 3), 3);
    assert_int_equal(settled(2, 3), 2);
    place(PLACE_HOME_ANYWHERE);
    for (unsigned first = 0; first < WORKERS; first++)
        assert_int_equal(settled(first, 1), first);
}

/* A home is for life, wherever thieves run the actor later. */
static void test_settled_once(void **state) {
    (void)state;
    for (int rule = PLACE_HOME; rule <= PLACE_HOME_ANYWHERE; rule++) {
        struct mailbox mailbox = {.initial = 1, .home = NO_HOME};
        place((enum placement)rule);
        placement_settle(worker(0), &mailbox);
        for (unsigned i = 1; i < WORKERS; i++)
            placement_settle(worker(i), &mailbox);
        assert_int_equal(mailbox.home, 0);
    }
}

/* The flowchart of figure 3, and what is counted: a sender elsewhere that wakes an actor at its home. */
static void test_at_home(void **state) {
    (void)state;
    for (int rule = PLACE_HOME; rule <= PLACE_HOME_ANYWHERE; rule++) {
        place((enum placement)rule);
        for (unsigned i = 0; i < WORKERS; i++)
            worker(i)->statistics.home_returns = 0;
        assert_int_equal(chosen(worker(2), 1, NO_HOME), 1); /* not yet run: where it was dealt to */
        assert_int_equal(chosen(worker(0), 3, 0), 0);       /* the sender is its home */
        assert_int_equal(chosen(worker(1), 3, 0), 1);       /* or a direct neighbour of it */
        for (unsigned i = 0; i < WORKERS; i++)
            assert_int_equal(worker(i)->statistics.home_returns, 0);
        assert_int_equal(chosen(worker(2), 3, 0), 0); /* or neither: the actor goes back */
        assert_int_equal(chosen(worker(3), 3, 1), 1);
        assert_int_equal(chosen(NULL, 3, 1), 1); /* main is nobody's neighbour */
        assert_int_equal(worker(2)->statistics.home_returns, STATISTICS_BUILD);
        assert_int_equal(worker(3)->statistics.home_returns, STATISTICS_BUILD);
    }
}

/* The worker to which an actor is dealt that `parent` makes. */
static unsigned dealt(struct worker *parent) {
    static const struct actorbench_actor_type type = {"dealt", NULL, sizeof(struct actorbench_actor)};
    struct actorbench_actor actor;
    this_worker = parent;
    actorbench_actor_construct(&actor, &type);
    struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&actor.ticket);
    unsigned initial = mailbox->initial;
    assert_int_equal(mailbox->home, NO_HOME); /* it may still be stolen, and then live elsewhere */
    free(mailbox);
    return initial;
}

static void test_spawn(void **state) {
    (void)state;
    executor_round.running = true;
    for (int rule = SPAWN_ROUND_ROBIN; rule <= SPAWN_PARENT; rule++) {
        executor.options.spawn = (enum spawn_rule)rule;
        census_init();
        for (unsigned number = 0; number < 3 * WORKERS; number += 2) {
            assert_int_equal(dealt(NULL), number % WORKERS); /* made by main */
            assert_int_equal(dealt(worker(2)), rule == SPAWN_PARENT ? 2 : (number + 1) % WORKERS);
        }
    }
    executor_round.running = false;
}

/* A sender's own choice goes to its deque, another's to the inbox; with one queue for all nobody chooses. */
static void test_where_it_is_put(void **state) {
    (void)state;
    place(PLACE_SENDER);
    this_worker = worker(1);
    ready_wake(&boxes[0]);
    assert_int_equal(deque_count(&worker(1)->deque), 1);
    place(PLACE_HOME);
    boxes[1].home = 3;
    ready_wake(&boxes[1]);
    assert_chain(&worker(3)->inbox.chain, 1, 1);
    this_worker = NULL;
    boxes[2].initial = 1;
    ready_wake(&boxes[2]);
    assert_chain(&worker(1)->inbox.chain, 2, 2);
    use_ready(READY_GLOBAL);
    ready_wake(&boxes[3]);
    assert_chain(&executor.global->chain, 3, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_WORKERS(test_round_robin),  WITH_WORKERS(test_sender),  WITH_WORKERS(test_first_execution),
        WITH_WORKERS(test_settled_once), WITH_WORKERS(test_at_home), WITH_WORKERS(test_where_it_is_put),
        WITH_WORKERS(test_spawn),
    };
    return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
