/* Options by name: every choice, what is refused and how, the preset. */
#include "harness.h"
#include "message_centric/options.h"

static const struct executor_option *option_named(const char *name) {
    for (const struct executor_option *option = executor_options; option->name != NULL; option++)
        if (strcmp(option->name, name) == 0)
            return option;
    fail_msg("there is no option %s", name);
    return NULL;
}

static void assert_value(const struct executor_config *config, const char *name, const char *expected) {
    char value[32];
    executor_get_option(config, option_named(name), value, sizeof value);
    assert_string_equal(value, expected);
}

static void assert_refused(const char *name, const char *value, const char *words) {
    struct executor_config config = executor_defaults(), before = config;
    const char *complaint = executor_set_option(&config, name, value);
    assert_non_null(complaint);
    if (strstr(complaint, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", complaint, words);
    assert_null(strchr(complaint, '\n'));
    assert_memory_equal(&config.options, &before.options, sizeof config.options);
}

static void test_defaults(void **state) {
    (void)state;
    struct executor_config config = executor_defaults();
    assert_int_equal(config.workers, 0);
    assert_value(&config, "queue", "copy");
    assert_value(&config, "reclaim", "half");
    assert_value(&config, "mailboxes-per-worker", "16");
    assert_value(&config, "steal", "longest");
    assert_value(&config, "loot", "worthwhile");
    assert_value(&config, "idle", "park");
    assert_value(&config, "pin", "none");
}

/* Each choice of each option is set and read back, and the others stay. */
static void test_every_choice(void **state) {
    (void)state;
    unsigned choices_seen = 0;
    for (const struct executor_option *option = executor_options; option->name != NULL; option++) {
        char choices[128];
        (void)snprintf(choices, sizeof choices, "%s", option->choices == NULL ? "1|2|16|65536" : option->choices);
        char *rest = choices;
        for (char *choice = strtok_r(choices, "|", &rest); choice != NULL; choice = strtok_r(NULL, "|", &rest)) {
            struct executor_config config = executor_defaults();
            set_option(&config, option->name, choice);
            assert_value(&config, option->name, choice);
            for (const struct executor_option *other = executor_options; other->name != NULL; other++)
                if (other != option)
                    assert_int_equal(config.options[other - executor_options], other->initial);
            choices_seen++;
        }
    }
    assert_in_range(choices_seen, 21, 100);
}

static void test_runtime_reads_what_was_set(void **state) {
    (void)state;
    struct executor_config config = executor_defaults();
    set_option(&config, "queue", "list");
    set_option(&config, "reclaim", "naive");
    set_option(&config, "mailboxes-per-worker", "3");
    set_option(&config, "steal", "random");
    set_option(&config, "loot", "waiting");
    set_option(&config, "idle", "spin");
    set_option(&config, "pin", "spread");
    struct message_centric_options options = message_centric_options(&config);
    assert_int_equal(options.queue, QUEUE_LIST);
    assert_int_equal(options.reclaim, RECLAIM_NAIVE);
    assert_int_equal(options.mailboxes_per_worker, 3);
    assert_int_equal(options.steal, STEAL_RANDOM);
    assert_int_equal(options.loot, LOOT_WAITING);
    assert_int_equal(options.idle, IDLE_SPIN);
    assert_int_equal(options.pin, PIN_SPREAD);
}

static void test_bad_choices(void **state) {
    (void)state;
    assert_refused("queue", "foo", "--queue cannot be \"foo\": it is copy|list");
    assert_refused("queue", "", "copy|list");
    assert_refused("queue", "cop", "copy|list");
    assert_refused("queue", "copyx", "copy|list");
    assert_refused("queue", "copy|list", "copy|list");
    assert_refused("queue", "|", "copy|list");
    assert_refused("steal", "Longest", "none|random|longest");
    assert_refused("steal", "0", "none|random|longest");
}

static void test_bad_numbers(void **state) {
    (void)state;
    static const char *const bad[] = {
        "", "0", "-1", "+1", " 1", "1 ", "1.5", "0x10", "ten", "4294967296", "99999999999999999999999"};
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_refused("mailboxes-per-worker", bad[i], "a whole number from 1");
    struct executor_config config = executor_defaults();
    set_option(&config, "mailboxes-per-worker", "4294967295");
    assert_value(&config, "mailboxes-per-worker", "4294967295");
}

static void test_bad_names(void **state) {
    (void)state;
    assert_refused("", "1", "is no option of the message-centric design");
    assert_refused("que", "copy", "--que is no option");
    assert_refused("mailbox", "swap", "--mailbox is no option");
    assert_refused("a-name-that-is-much-too-long-to-be-repeated-in-full-anywhere", "1", "is no option");
}

static void test_preset(void **state) {
    (void)state;
    struct executor_config config = executor_defaults();
    config.workers = 3;
    assert_null(executor_set_preset(&config, "thesis"));
    assert_int_equal(config.workers, 3);
    assert_value(&config, "queue", "copy");
    assert_value(&config, "reclaim", "half");
    assert_value(&config, "mailboxes-per-worker", "16");
    assert_value(&config, "steal", "longest");
    assert_value(&config, "loot", "any");
    assert_value(&config, "idle", "spin");
    assert_value(&config, "pin", "none");
}

static void test_bad_preset(void **state) {
    (void)state;
    struct executor_config config = executor_defaults(), before = config;
    assert_string_equal(executor_set_preset(&config, "mine"), "--preset cannot be \"mine\": it is thesis");
    assert_memory_equal(&config.options, &before.options, sizeof config.options);
}

static void test_get_cuts_what_is_too_long(void **state) {
    (void)state;
    struct executor_config config = executor_defaults();
    char value[4];
    executor_get_option(&config, option_named("steal"), value, sizeof value);
    assert_string_equal(value, "lon");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_every_choice),
        cmocka_unit_test(test_runtime_reads_what_was_set),
        cmocka_unit_test(test_bad_choices),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_bad_names),
        cmocka_unit_test(test_preset),
        cmocka_unit_test(test_bad_preset),
        cmocka_unit_test(test_get_cuts_what_is_too_long),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
