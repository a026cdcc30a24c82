/* actorbench_start: what it refuses, what it leaves off and says so, and that a refusal leaves nothing behind. */
#include "children.h"
#include "platform/topology.h"

static void test_too_many_workers(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    config.workers = 4097;
    assert_not_started(&config, "4097 workers are too many: at most 4096");
}

static void test_another_machine_is_not_pinned_to(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    config.workers = 2;
    config.topology = TABLE_MACHINE;
    set_option(&config, "pin", "cores");
    assert_not_started(&config, "--topology describes another machine");
}

/* Also where nobody asks for the distances. */
static void test_unreadable_machine(void **state) {
    (void)state;
    static const char *const heuristics[] = {"nearest", "random", "none"};
    for (size_t i = 0; i < LENGTH(heuristics); i++) {
        struct actorbench_config config = actorbench_defaults();
        config.workers = 2;
        config.topology = "nonsense";
        set_option(&config, "steal", heuristics[i]);
        assert_not_started(&config, "the topology is neither a readable hwloc XML file nor a synthetic description");
    }
}

static void test_start_twice(void **state) {
    (void)state;
    start_workers(1);
    const char *complaint = actorbench_start(NULL);
    assert_non_null(complaint);
    assert_non_null(strstr(complaint, "running already"));
    actorbench_stop();
    start_workers(1);
    actorbench_stop();
}

static void test_one_worker_does_not_steal(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    config.workers = 1;
    set_option(&config, "steal", "random");
    start_executor(&config);
    assert_string_equal(actorbench_note(), "stealing is off: one worker has nobody to steal from");
    assert_int_equal(actorbench_place(0), 0);
    actorbench_stop();
    set_option(&config, "steal", "none");
    start_executor(&config);
    assert_null(actorbench_note());
    actorbench_stop();
}

static void test_default_workers(void **state) {
    (void)state;
    assert_null(actorbench_start(NULL));
    assert_int_equal(actorbench_workers(), topology_usable_cpus());
    actorbench_stop();
}

/* A refusal does not spoil the next start. */
static void test_start_after_refusals(void **state) {
    (void)state;
    test_too_many_workers(state);
    test_another_machine_is_not_pinned_to(state);
    start_workers(2);
    assert_int_equal(actorbench_workers(), 2);
    actorbench_stop();
}

/* More workers than CPUs, each pinned by every plan. */
static void test_pinned_workers(void **state) {
    (void)state;
    static const char *const plans[] = {"none", "cores", "smt", "spread", "four-nodes"};
    for (size_t i = 0; i < LENGTH(plans); i++) {
        struct actorbench_config config = actorbench_defaults();
        config.workers = topology_usable_cpus() + 1;
        set_option(&config, "pin", plans[i]);
        start_executor(&config);
        actorbench_stop();
    }
}

/* ---- Where the system has no more threads ----------------------------------------------------------------------- */

/* Room for a few stacks only; then as many workers as fit. */
static void start_without_room(void) {
    const struct rlimit room = {256u << 20, 256u << 20};
    struct actorbench_config config = actorbench_defaults();
    config.workers = 200;
    if (setrlimit(RLIMIT_AS, &room) != 0)
        _exit(101);
    const char *complaint = actorbench_start(&config);
    (void)fprintf(stderr, "%s\n", complaint == NULL ? "started" : complaint);
    config.workers = 2;
    complaint = actorbench_start(&config);
    if (complaint != NULL)
        _exit(102);
    actorbench_stop();
}

static void test_no_more_threads(void **state) {
    (void)state;
    if (SANITIZED_BUILD)
        skip(); /* a sanitizer's shadow memory does not fit into any limit */
    struct child child = run_child(start_without_room);
    assert_int_equal(child.status, 0);
    assert_said(&child, " of 200 cannot be started: ");
    assert_said(&child, "use fewer workers");
}

static int watch(void **state) {
    (void)state;
    watchdog_start(60, "starts");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_many_workers),          cmocka_unit_test(test_another_machine_is_not_pinned_to),
        cmocka_unit_test(test_unreadable_machine),        cmocka_unit_test(test_start_twice),
        cmocka_unit_test(test_one_worker_does_not_steal), cmocka_unit_test(test_default_workers),
        cmocka_unit_test(test_start_after_refusals),      cmocka_unit_test(test_pinned_workers),
        cmocka_unit_test(test_no_more_threads),
    };
    return cmocka_run_group_tests_name("start", tests, watch, NULL);
}
