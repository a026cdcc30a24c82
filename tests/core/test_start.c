/* executor_start: what it refuses, what it leaves off and says so, and that a refusal leaves nothing behind. */
#include "children.h"
#include "platform/topology.h"

static void assert_not_started(const struct executor_config *config, const char *words) {
    const char *complaint = executor_start(config);
    if (complaint == NULL) {
        executor_stop();
        fail_msg("was started in place of refused with \"%s\"", words);
    }
    if (strstr(complaint, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", complaint, words);
    assert_null(strchr(complaint, '\n'));
}

static unsigned *option_of(struct executor_config *config, const char *name) {
    unsigned i = 0;
    while (strcmp(executor_options[i].name, name) != 0)
        i++;
    return &config->options[i];
}

static void test_no_mailboxes(void **state) {
    (void)state;
    struct executor_config config = executor_defaults();
    config.workers = 2;
    *option_of(&config, "mailboxes-per-worker") = 0;
    assert_not_started(&config, "fewer mailboxes than workers");
}

static void test_too_many_mailboxes(void **state) {
    (void)state;
    struct executor_config config = executor_defaults();
    config.workers = 2;
    set_option(&config, "mailboxes-per-worker", "65537");
    assert_not_started(&config, "65537 mailboxes a worker are too many: choose 1 to 65536");
}

static void test_stealing_with_one_mailbox_each(void **state) {
    (void)state;
    static const char *const heuristics[] = {"random", "longest"};
    struct executor_config config = executor_defaults();
    config.workers = 2;
    set_option(&config, "mailboxes-per-worker", "1");
    for (size_t i = 0; i < LENGTH(heuristics); i++) {
        set_option(&config, "steal", heuristics[i]);
        assert_not_started(&config, "stealing needs more mailboxes than workers");
    }
    set_option(&config, "steal", "none");
    start_executor(&config);
    assert_null(executor_note());
    assert_int_equal(executor_share(), 1);
    executor_stop();
}

static void test_too_many_workers(void **state) {
    (void)state;
    struct executor_config config = executor_defaults();
    config.workers = 4097;
    assert_not_started(&config, "4097 workers are too many: at most 4096");
}

static void test_start_twice(void **state) {
    (void)state;
    start_workers(1);
    const char *complaint = executor_start(NULL);
    assert_non_null(complaint);
    assert_non_null(strstr(complaint, "running already"));
    executor_stop();
    start_workers(1);
    executor_stop();
}

static void test_one_worker_does_not_steal(void **state) {
    (void)state;
    struct executor_config config = executor_defaults();
    config.workers = 1;
    set_option(&config, "steal", "random");
    start_executor(&config);
    assert_string_equal(executor_note(), "stealing is off: one worker has nobody to steal from");
    assert_int_equal(executor_share(), 1);
    executor_stop();
    set_option(&config, "steal", "none");
    start_executor(&config);
    assert_null(executor_note());
    executor_stop();
}

static void test_default_workers(void **state) {
    (void)state;
    assert_null(executor_start(NULL));
    assert_int_equal(executor_workers(), topology_usable_cpus());
    executor_stop();
}

/* A refusal does not spoil the next start. */
static void test_start_after_refusals(void **state) {
    (void)state;
    test_too_many_workers(state);
    test_no_mailboxes(state);
    start_workers(2);
    assert_int_equal(executor_workers(), 2);
    executor_stop();
}

/* More workers than CPUs, each pinned by every plan. */
static void test_pinned_workers(void **state) {
    (void)state;
    static const char *const plans[] = {"none", "cores", "smt", "spread"};
    for (size_t i = 0; i < LENGTH(plans); i++) {
        struct executor_config config = executor_defaults();
        config.workers = topology_usable_cpus() + 1;
        set_option(&config, "pin", plans[i]);
        start_executor(&config);
        executor_stop();
    }
}

/* ---- Where the system has no more threads ----------------------------------------------------------------------- */

/* Room for a few stacks only; then as many workers as fit. */
static void start_without_room(void) {
    const struct rlimit room = {256u << 20, 256u << 20};
    struct executor_config config = executor_defaults();
    config.workers = 200;
    if (setrlimit(RLIMIT_AS, &room) != 0)
        _exit(101);
    const char *complaint = executor_start(&config);
    (void)fprintf(stderr, "%s\n", complaint == NULL ? "started" : complaint);
    config.workers = 2;
    complaint = executor_start(&config);
    if (complaint != NULL)
        _exit(102);
    executor_stop();
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
        cmocka_unit_test(test_no_mailboxes),
        cmocka_unit_test(test_too_many_mailboxes),
        cmocka_unit_test(test_stealing_with_one_mailbox_each),
        cmocka_unit_test(test_too_many_workers),
        cmocka_unit_test(test_start_twice),
        cmocka_unit_test(test_one_worker_does_not_steal),
        cmocka_unit_test(test_default_workers),
        cmocka_unit_test(test_start_after_refusals),
        cmocka_unit_test(test_pinned_workers),
        cmocka_unit_test(test_no_more_threads),
    };
    return cmocka_run_group_tests_name("start", tests, watch, NULL);
}
