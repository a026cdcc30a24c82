/* Workers made by hand, without threads, for tests of what they do to each other's queues; and actors to put there. */
#ifndef ACTORBENCH_TESTS_WORKERS_H
#define ACTORBENCH_TESTS_WORKERS_H

#include "actor_centric/ready.h"
#include "actor_centric/sleep.h"
#include "crew.h"
#include "design.h"
#include "harness.h"
#include "platform/memory.h"

enum { WORKERS = 4, BOXES = 16 };

/* The ready actors, by number. */
static struct mailbox boxes[BOXES];

/* Two workers on each of two nodes; this thread is none of them until this_worker says so. */
static inline int make_workers(void **state) {
    (void)state;
    executor.options =
        (struct options){.ready = READY_DEQUE, .placement = PLACE_SENDER, .steal = STEAL_RANDOM, .loot = LOOT_ANY};
    crew.count = WORKERS;
    executor.workers = memory_on_node(WORKERS * sizeof *executor.workers, CACHE_LINE, ANY_NODE, "workers");
    assert_null(neighbours_make(&executor.neighbours, TABLE_MACHINE, PIN_NONE, WORKERS));
    assert_null(division_make(&executor.division, 1, NULL, PIN_NONE, WORKERS));
    executor.global = memory_on_node(sizeof *executor.global, CACHE_LINE, ANY_NODE, "a ready queue for all");
    ready_list_init(executor.global);
    atomic_initialise(&executor.looks, 0);
    atomic_initialise(&executor_round.stopping, 0);
    atomic_initialise(&crew.sleepers, 0);
    for (unsigned i = 0; i < WORKERS; i++) {
        executor.workers[i].index = i;
        executor.workers[i].activations = 1; /* not yet the oldest's turn */
        executor.workers[i].random = random_seed(test_seed(), i);
        atomic_initialise(&executor.workers[i].sleeping, AWAKE);
        ready_list_init(&executor.workers[i].inbox);
        ready_list_init(&executor.workers[i].bound);
        deque_init(&executor.workers[i].deque, 2);
    }
    for (unsigned i = 0; i < BOXES; i++)
        boxes[i] = (struct mailbox){.home = NO_HOME};
    this_worker = NULL;
    return 0;
}

/* As design_make has it. */
static inline void use_ready(enum ready_kind kind) {
    executor.options.ready = kind;
    atomic_store_relaxed(&executor.looks, kind == READY_GLOBAL);
}

static inline int release_workers(void **state) {
    (void)state;
    for (unsigned i = 0; i < WORKERS; i++)
        deque_destroy(&executor.workers[i].deque);
    neighbours_release(&executor.neighbours);
    division_release(&executor.division);
    free(executor.global);
    free(executor.workers);
    memset((void *)&executor, 0, sizeof executor);
    this_worker = NULL;
    return 0;
}

/* Puts the actors first .. last on a list. */
static inline void list_actors(struct ready_list *list, unsigned first, unsigned last) {
    for (unsigned i = first; i <= last; i++)
        (void)ready_list_push(list, &boxes[i]);
}

/* Asserts that a chain holds the actors first .. last, in this order. */
static inline void assert_chain(const struct ready_chain *chain, unsigned first, unsigned last) {
    const struct mailbox *mailbox = chain->first;
    assert_int_equal(chain->count, last - first + 1);
    for (unsigned i = first; i <= last; i++, mailbox = mailbox->next_ready)
        assert_ptr_equal(mailbox, &boxes[i]);
    assert_null(mailbox);
}

static inline void assert_no_chain(const struct ready_chain *chain) {
    assert_int_equal(chain->count, 0);
    assert_null(chain->first);
}

#define WITH_WORKERS(test) cmocka_unit_test_setup_teardown(test, make_workers, release_workers)

#endif
