/* Which mailboxes are whose: any number of them, a block for each worker. */
#include "harness.h"

#include "crew.h"
#include "sharded/sharding.h"

enum { MOST_WORKERS = 9, MOST_MAILBOXES = 40, WORKERS = 3, MAILBOXES = 8 };

static void prepare(unsigned workers, unsigned mailboxes, unsigned share) {
    const struct actorbench_config config = actorbench_defaults();
    enum steal_heuristic steal = STEAL_NONE;
    crew.count = workers;
    assert_null(sharding_prepare(&config, mailboxes, share, &steal, PIN_NONE));
}

/* Contiguous blocks, which differ by one at most, the larger first; and each number is its block's worker's. */
static void expect_blocks(unsigned workers, unsigned mailboxes) {
    unsigned number = 0, least = mailboxes / workers;
    assert_int_equal(sharding.mailbox_count, mailboxes);
    for (unsigned worker = 0; worker < workers; worker++) {
        assert_int_equal(sharding_first(worker), number);
        assert_ptr_equal(sharding_slots(worker), &sharding.slots[number]);
        assert_int_equal(sharding_share(worker), least + (worker < mailboxes - least * workers));
        for (unsigned i = 0; i < sharding_share(worker); i++)
            assert_int_equal(sharding_owner(number++), worker);
    }
    assert_int_equal(number, mailboxes);
}

static void test_any_number(void **state) {
    (void)state;
    for (unsigned workers = 1; workers <= MOST_WORKERS; workers++)
        for (unsigned mailboxes = workers; mailboxes <= MOST_MAILBOXES; mailboxes++) {
            prepare(workers, mailboxes, 16);
            expect_blocks(workers, mailboxes);
            sharding_release();
        }
}

static void test_so_many_for_each(void **state) {
    (void)state;
    for (unsigned workers = 1; workers <= MOST_WORKERS; workers++) {
        prepare(workers, 0, 4);
        expect_blocks(workers, workers == 1 ? 1 : 4 * workers);
        sharding_release();
    }
}

/* ---- In an executor ------------------------------------------------------------------------------------------------- */

enum { ACTORS = 10 * MAILBOXES };

typedef struct {
    struct actorbench_actor actor;
    unsigned ran_on;
} target;
#define BEHAVIOURS_target(ON) ON(target, actorbench_finished_pill, target_ends)
ACTORBENCH_ACTOR_TYPE(target)

static enum actorbench_allocation target_ends(target *self, actorbench_finished_pill *pill) {
    (void)pill;
    self->ran_on = actorbench_worker();
    return ACTORBENCH_FINISHED;
}

/* As many actors as there are mailboxes go to each worker's block, and their messages come to it. */
static void test_actors_are_dealt_out_to_blocks(void **state) {
    (void)state;
    static const unsigned owners[MAILBOXES] = {0, 0, 0, 1, 1, 1, 2, 2};
    static target targets[ACTORS];
    struct actorbench_config config = actorbench_defaults();
    config.workers = WORKERS;
    set_option(&config, "mailboxes", "8");
    set_option(&config, "steal", "none");
    start_executor(&config);
    unsigned places[ACTORS];
    for (unsigned i = 0; i < ACTORS; i++) {
        places[i] = actorbench_place(i);
        actorbench_actor_init(target, &targets[i]);
        actorbench_send(target, &targets[i], &actorbench_finished_message);
    }
    actorbench_stop();
    for (unsigned i = 0; i < ACTORS; i++) {
        if (i < MAILBOXES)
            assert_int_equal(places[i], owners[i]);
        assert_int_equal(targets[i].ran_on, places[i]);
    }
}

/* One worker has one mailbox, unless it is told otherwise. */
static void test_one_worker_has_what_it_is_given(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    config.workers = 1;
    start_executor(&config);
    assert_int_equal(sharding.mailbox_count, 1);
    actorbench_stop();
    set_option(&config, "mailboxes", "5");
    start_executor(&config);
    assert_int_equal(sharding.mailbox_count, 5);
    assert_string_equal(actorbench_note(), "stealing is off: one worker has nobody to steal from");
    actorbench_stop();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number),
        cmocka_unit_test(test_so_many_for_each),
        cmocka_unit_test(test_actors_are_dealt_out_to_blocks),
        cmocka_unit_test(test_one_worker_has_what_it_is_given),
    };
    return cmocka_run_group_tests_name("sharding", tests, NULL, NULL);
}
