/* Clusters, each step by hand: whom thieves choose, where a woken actor goes, what is bound. Workers 0 and 1 are
 * one cluster, 2 and 3 the other. */
#include "actor_centric/placement.h"
#include "actor_centric/steal.h"
#include "census.h"
#include "workers.h"

static void divide(unsigned clusters) {
    division_release(&executor.division);
    assert_null(division_make(&executor.division, clusters, NULL, PIN_NONE, WORKERS));
    neighbours_keep_within(&executor.neighbours, executor.division.cluster_of);
    atomic_store_relaxed(&executor.looks, 1);
}

static int make_clusters(void **state) {
    (void)make_workers(state);
    divide(2);
    free(executor.global);
    executor.global = memory_on_node(2 * sizeof *executor.global, CACHE_LINE, ANY_NODE, "a ready queue a cluster");
    for (unsigned i = 0; i < 2; i++)
        ready_list_init(&executor.global[i]);
    return 0;
}

static struct worker *worker(unsigned index) {
    return &executor.workers[index];
}

/* ---- Thieves ---------------------------------------------------------------------------------------------------------- */

/* Loot lies with everybody else; a thief has that of its own cluster, and then nothing. */
static void steal_all(enum ready_kind kind, enum steal_heuristic steal) {
    use_ready(kind);
    executor.options.steal = steal;
    for (unsigned thief = 0; thief < WORKERS; thief++) {
        for (unsigned i = 0; i < WORKERS; i++)
            list_actors(&worker(i)->inbox, 2 * i, 2 * i + 1);
        unsigned friend = thief ^ 1u, stolen = 0;
        for (unsigned i = 0; i < 100; i++) {
            const struct mailbox *loot = steal_attempt(worker(thief));
            stolen += loot != NULL;
            assert_true(loot == NULL || loot == &boxes[2 * friend] || loot == &boxes[2 * friend + 1]);
        }
        assert_int_equal(stolen, kind == READY_LQOQ ? 1 : 2);
        for (unsigned i = 0; i < WORKERS; i++)
            assert_int_equal(ready_list_take_all(&worker(i)->inbox).count, i == friend ? 0 : 2);
        worker(thief)->local = (struct ready_chain){0};
    }
}

static void test_a_thief_does_not_cross(void **state) {
    (void)state;
    steal_all(READY_DEQUE, STEAL_RANDOM);
    steal_all(READY_DEQUE, STEAL_NEAREST);
    steal_all(READY_LQOQ, STEAL_RANDOM);
    steal_all(READY_LQOQ, STEAL_NEAREST);
}

static void test_who_is_alone_does_not_steal(void **state) {
    (void)state;
    divide(4);
    for (unsigned i = 1; i < WORKERS; i++)
        list_actors(&worker(i)->inbox, i, i);
    for (unsigned i = 0; i < 100; i++)
        assert_null(steal_attempt(worker(0)));
    assert_int_equal(worker(0)->statistics.steal_attempts, 0);
}

/* A worker tells of what it has to spare those alone who may take it. */
static void test_only_its_own_are_told(void **state) {
    (void)state;
    atomic_initialise(&worker(0)->sleeping, ASLEEP);
    atomic_initialise(&worker(2)->sleeping, ASLEEP);
    atomic_initialise(&crew.sleepers, 2);
    sleep_wake_one(worker(1));
    sleep_wake_one(worker(1));
    assert_int_equal(atomic_load_relaxed(&worker(0)->sleeping), AWAKE);
    assert_int_equal(atomic_load_relaxed(&worker(2)->sleeping), ASLEEP);
    atomic_initialise(&crew.sleepers, 0);
}

/* ---- Placement -------------------------------------------------------------------------------------------------------- */

/* Who gets an actor that was dealt to `initial`, lives at `home` and is to be in `cluster`. */
static unsigned chosen(unsigned cluster, struct worker *sender, uint16_t initial, uint16_t home) {
    struct mailbox mailbox = {.initial = initial, .home = home};
    unsigned worker = placement_choose_in(cluster, sender, &mailbox)->index;
    assert_int_equal(executor.division.cluster_of[worker], cluster);
    assert_int_equal(executor.division.cluster_of[mailbox.initial], cluster);
    return worker;
}

static void test_a_foreign_sender_is_as_main(void **state) {
    (void)state;
    executor.options.placement = PLACE_SENDER;
    assert_int_equal(chosen(0, worker(1), 0, NO_HOME), 1);
    assert_int_equal(chosen(0, worker(2), 0, NO_HOME), 0);
    assert_int_equal(chosen(1, worker(0), 3, NO_HOME), 3);
    assert_int_equal(chosen(1, NULL, 3, NO_HOME), 3);
    executor.options.placement = PLACE_HOME;
    assert_int_equal(chosen(1, worker(0), 2, 3), 3);
    assert_int_equal(chosen(0, worker(1), 0, 0), 1); /* a direct neighbour of its home */
}

static void test_turns_go_round_the_cluster(void **state) {
    (void)state;
    executor.options.placement = PLACE_ROUND_ROBIN;
    unsigned given[WORKERS] = {0};
    for (unsigned i = 0; i < 20; i++)
        given[chosen(1, worker(i % WORKERS), 2, NO_HOME)]++;
    assert_int_equal(given[2], 10);
    assert_int_equal(given[3], 10);
}

/* Whatever the rule, and wherever it was at home: who migrates is dealt to the workers there in turn. */
static void test_a_migrant_is_dealt_anew(void **state) {
    (void)state;
    for (int rule = PLACE_ROUND_ROBIN; rule <= PLACE_HOME_ANYWHERE; rule++) {
        executor.options.placement = (enum placement)rule;
        unsigned given[WORKERS] = {0};
        for (unsigned i = 0; i < 20; i++)
            given[chosen(1, NULL, i % 2, (uint16_t)(i % 2))]++;
        if (rule != PLACE_ROUND_ROBIN) { /* which has a turn of its own, after that of the dealing */
            assert_int_equal(given[2], 10);
            assert_int_equal(given[3], 10);
        }
    }
}

static unsigned dealt(const struct worker *parent, uint64_t number) {
    return placement_deal(parent, number);
}

static void test_creation(void **state) {
    (void)state;
    static const unsigned by_main[] = {0, 2, 1, 3, 0, 2, 1, 3};
    for (unsigned i = 0; i < LENGTH(by_main); i++) {
        assert_int_equal(dealt(NULL, i), by_main[i]);
        assert_int_equal(actorbench_place(i), by_main[i]);
    }
    unsigned given[WORKERS] = {0};
    for (unsigned i = 0; i < 20; i++)
        given[dealt(worker(3), 2 * i)]++;
    assert_int_equal(given[2], 10);
    assert_int_equal(given[3], 10);
    executor.options.spawn = SPAWN_PARENT;
    assert_int_equal(dealt(worker(3), 0), 3);
    assert_int_equal(dealt(NULL, 1), 2);
}

/* One queue a cluster: only its own find what is there. */
static void test_a_queue_a_cluster(void **state) {
    (void)state;
    use_ready(READY_GLOBAL);
    this_worker = worker(0);
    atomic_initialise(&boxes[1].place, 1);
    ready_wake(&boxes[0]);
    ready_wake(&boxes[1]);
    assert_ptr_equal(ready_next(worker(3)), &boxes[1]);
    assert_null(ready_next(worker(2)));
    assert_ptr_equal(ready_next(worker(1)), &boxes[0]);
    assert_null(ready_next(worker(0)));
}

/* ---- What is bound ---------------------------------------------------------------------------------------------------- */

/* In every kind of queue, woken by anybody and after a yield: its worker finds it, thieves and others do not. */
static void test_bound_to_one_worker(void **state) {
    (void)state;
    for (unsigned kind = READY_GLOBAL; kind <= READY_LQOQ; kind++) {
        use_ready((enum ready_kind)kind);
        atomic_store_relaxed(&executor.looks, 1);
        for (unsigned waker = 0; waker <= WORKERS; waker++) {
            this_worker = waker < WORKERS ? worker(waker) : NULL;
            atomic_initialise(&boxes[0].place, BOUND_TO(3));
            ready_wake(&boxes[0]);
            for (unsigned yields = 0; yields < 2; yields++) {
                for (unsigned i = 0; i < 100; i++)
                    assert_null(steal_attempt(worker(2)));
                for (unsigned i = 0; i < 3; i++)
                    assert_null(ready_next(worker(i)));
                assert_ptr_equal(ready_next(worker(3)), &boxes[0]);
                assert_true(boxes[0].is_bound);
                if (yields == 0)
                    ready_yield(worker(3), &boxes[0]);
            }
            assert_null(ready_next(worker(3)));
        }
    }
}

/* Who was bound and migrates is anybody's there. */
static void test_bound_no_longer(void **state) {
    (void)state;
    executor.options.placement = PLACE_HOME;
    atomic_initialise(&boxes[0].place, BOUND_TO(3));
    ready_wake(&boxes[0]);
    assert_ptr_equal(ready_next(worker(3)), &boxes[0]);
    placement_settle(worker(3), &boxes[0]);
    atomic_initialise(&boxes[0].place, 0);
    ready_wake(&boxes[0]);
    assert_false(boxes[0].is_bound);
    assert_null(ready_next(worker(3)));
    unsigned first = ready_list_count(&worker(0)->inbox) != 0 ? 0 : 1;
    assert_ptr_equal(steal_attempt(worker(1 - first)), &boxes[0]);
}

/* Its turn comes though its worker is never without other work. */
static void test_what_is_bound_has_its_turn(void **state) {
    (void)state;
    for (unsigned kind = READY_GLOBAL; kind <= READY_LQOQ; kind++) {
        use_ready((enum ready_kind)kind);
        (void)ready_list_push(&worker(0)->bound, &boxes[0]);
        unsigned ran = 0;
        worker(0)->activations = 1;
        for (bool found = false; !found; ran++) {
            list_actors(ready_list_of(worker(0)), 1, 1);
            struct mailbox *next = ready_next(worker(0));
            found = next == &boxes[0];
            worker(0)->activations++;
        }
        assert_in_range(ran, 1, 3 * OLDEST_EACH);
        while (ready_next(worker(0)) != NULL)
            continue;
    }
}

#define IN_CLUSTERS(test) cmocka_unit_test_setup_teardown(test, make_clusters, release_workers)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_CLUSTERS(test_a_thief_does_not_cross),
        IN_CLUSTERS(test_who_is_alone_does_not_steal),
        IN_CLUSTERS(test_only_its_own_are_told),
        IN_CLUSTERS(test_a_foreign_sender_is_as_main),
        IN_CLUSTERS(test_turns_go_round_the_cluster),
        IN_CLUSTERS(test_a_migrant_is_dealt_anew),
        IN_CLUSTERS(test_creation),
        IN_CLUSTERS(test_a_queue_a_cluster),
        IN_CLUSTERS(test_bound_to_one_worker),
        IN_CLUSTERS(test_bound_no_longer),
        IN_CLUSTERS(test_what_is_bound_has_its_turn),
    };
    return cmocka_run_group_tests_name("clusters", tests, NULL, NULL);
}
