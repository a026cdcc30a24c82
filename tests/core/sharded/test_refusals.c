/* What actorbench_start refuses in the designs with mailboxes that actors share: numbers of mailboxes. */
#include "children.h"

static unsigned *option_of(struct actorbench_config *config, const char *name) {
    unsigned i = 0;
    while (strcmp(actorbench_options[i].name, name) != 0)
        i++;
    return &config->options[i];
}

static void test_no_mailboxes(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    config.workers = 2;
    *option_of(&config, "mailboxes-per-worker") = 0;
    assert_not_started(&config, "fewer mailboxes than workers");
}

static void test_too_many_mailboxes(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    config.workers = 2;
    set_option(&config, "mailboxes-per-worker", "65537");
    assert_not_started(&config, "65537 mailboxes a worker are too many: choose 1 to 65536");
}

/* As many of each as is allowed alone; in a child, which would be stopped where memory is short. */
static void start_with_too_many_together(void) {
    struct actorbench_config config = actorbench_defaults();
    config.workers = 4096;
    *option_of(&config, "mailboxes-per-worker") = 65536;
    const char *complaint = actorbench_start(&config);
    (void)fprintf(stderr, "%s\n", complaint == NULL ? "started" : complaint);
}

static void test_too_many_mailboxes_together(void **state) {
    (void)state;
    struct child child = run_child(start_with_too_many_together);
    if (child.status != 0)
        fail_msg("the child ended with status %#x, and said \"%s\"", (unsigned)child.status, child.said);
    assert_said(&child, "too many");
    assert_said(&child, "4096");
    assert_said(&child, "65536");
}

static void test_numbers_of_all_mailboxes(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    config.workers = 5;
    set_option(&config, "mailboxes", "4");
    assert_not_started(&config, "4 mailboxes for 5 workers are fewer mailboxes than workers");
    set_option(&config, "mailboxes", "1048577");
    assert_not_started(&config, "1048577 mailboxes are too many: choose 5 to 1048576");
    set_option(&config, "mailboxes", "5");
    assert_not_started(&config, "stealing needs more mailboxes than workers");
}

static void test_stealing_with_one_mailbox_each(void **state) {
    (void)state;
    static const char *const heuristics[] = {"random", "nearest", "longest"};
    struct actorbench_config config = actorbench_defaults();
    config.workers = 2;
    set_option(&config, "mailboxes-per-worker", "1");
    for (size_t i = 0; i < LENGTH(heuristics); i++) {
        set_option(&config, "steal", heuristics[i]);
        assert_not_started(&config, "stealing needs more mailboxes than workers");
    }
    set_option(&config, "steal", "none");
    start_executor(&config);
    assert_null(actorbench_note());
    assert_int_equal(actorbench_place(1), 1);
    actorbench_stop();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_mailboxes),
        cmocka_unit_test(test_too_many_mailboxes),
        cmocka_unit_test(test_too_many_mailboxes_together),
        cmocka_unit_test(test_numbers_of_all_mailboxes),
        cmocka_unit_test(test_stealing_with_one_mailbox_each),
    };
    return cmocka_run_group_tests_name("refusals", tests, NULL, NULL);
}
