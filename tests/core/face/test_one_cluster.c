/* Clusters by their face: one by default, in every design; what cannot be is refused with a line, and does nothing. */
#include "clusters.h"
#include "harness.h"

enum { WORKERS = 4 };

typedef struct {
    struct actorbench_message message;
} question;
ACTORBENCH_MESSAGE_TYPE(question)

typedef struct {
    struct actorbench_actor actor;
    unsigned cluster, worker; /* where it ran last */
} witness;
#define BEHAVIOURS_witness(ON) ON(witness, question, witness_answers)
ACTORBENCH_ACTOR_TYPE(witness)

static enum actorbench_allocation witness_answers(witness *self, question *message) {
    (void)message;
    self->cluster = actorbench_cluster();
    self->worker = actorbench_worker();
    return ACTORBENCH_FINISHED;
}

static bool can_bind(void) {
    return strcmp(actorbench_design, "actor-centric") == 0;
}

static void test_one_by_default(void **state) {
    (void)state;
    static question asked;
    witness asked_one;
    actorbench_message_init(question, &asked, ACTORBENCH_NODELETE);
    start_workers(WORKERS);
    assert_int_equal(actorbench_clusters(), 1);
    assert_int_equal(actorbench_cluster(), 1); /* main is in none */
    for (unsigned i = 0; i < WORKERS; i++)
        assert_int_equal(actorbench_cluster_of(i), 0);
    assert_int_equal(actorbench_cluster_of(WORKERS), 1);
    assert_null(actorbench_actor_init_in(witness, &asked_one, 0));
    assert_null(actorbench_actor_migrate(witness, &asked_one, 0));
    assert_int_equal(actorbench_actor_bind(witness, &asked_one, WORKERS - 1) == NULL, can_bind());
    actorbench_send(witness, &asked_one, &asked);
    actorbench_stop();
    assert_int_equal(asked_one.cluster, 0);
    assert_in_range(asked_one.worker, can_bind() ? WORKERS - 1 : 0, WORKERS - 1);
}

static void assert_one_line(const char *why) {
    assert_non_null(why);
    assert_null(strchr(why, '\n'));
}

static void test_refusals(void **state) {
    (void)state;
    static question asked;
    witness asked_one, not_made = {0};
    actorbench_message_init(question, &asked, ACTORBENCH_NODELETE);
    start_workers(WORKERS);
    assert_one_line(actorbench_actor_init_in(witness, &not_made, 1));
    actorbench_actor_init(witness, &asked_one);
    assert_one_line(actorbench_actor_migrate(witness, &asked_one, 1));
    assert_one_line(actorbench_actor_bind(witness, &asked_one, WORKERS));
    actorbench_send(witness, &asked_one, &asked);
    actorbench_stop(); /* which would wait for the one that was not made */
    assert_int_equal(asked_one.cluster, 0);
}

static int watch(void **state) {
    (void)state;
    watchdog_start(30, "clusters by their face");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_by_default),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("clusters by their face", tests, watch, NULL);
}
