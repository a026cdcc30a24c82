/* This design's options: defaults, what the runtime reads of them, what is refused and how. */
#include "message_centric/options.h"
#include "options.h"

#define STRING(number)  STRING_(number)
#define STRING_(number) #number

static void test_defaults(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    assert_int_equal(config.workers, 0);
    assert_value(&config, "queue", "copy");
    assert_value(&config, "reclaim", "half");
    assert_value(&config, "copy-queue-size", "10");
    assert_value(&config, "copy-queue-growth", "200");
    assert_value(&config, "mailboxes", "0");
    assert_value(&config, "mailboxes-per-worker", "16");
    assert_value(&config, "steal", "longest");
    assert_value(&config, "search", "first");
    assert_value(&config, "scans-before-steal", STRING(SCANS_BEFORE_STEAL));
    assert_value(&config, "steal-backoff", "none");
    assert_value(&config, "idle", "park");
    assert_value(&config, "pin", "none");
}

static void test_runtime_reads_what_was_set(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    set_option(&config, "queue", "list");
    set_option(&config, "reclaim", "naive");
    set_option(&config, "copy-queue-size", "100");
    set_option(&config, "copy-queue-growth", "150");
    set_option(&config, "mailboxes", "11");
    set_option(&config, "mailboxes-per-worker", "3");
    set_option(&config, "steal", "random");
    set_option(&config, "search", "random");
    set_option(&config, "scans-before-steal", "7");
    set_option(&config, "steal-backoff", "double");
    set_option(&config, "idle", "spin");
    set_option(&config, "pin", "four-nodes");
    struct options options = options_of(&config);
    assert_int_equal(options.queue, QUEUE_LIST);
    assert_int_equal(options.reclaim, RECLAIM_NAIVE);
    assert_int_equal(options.copy_queue_size, 100);
    assert_int_equal(options.copy_queue_growth, 150);
    assert_int_equal(options.mailboxes, 11);
    assert_int_equal(options.mailboxes_per_worker, 3);
    assert_int_equal(options.steal, STEAL_RANDOM);
    assert_int_equal(options.search, SEARCH_RANDOM);
    assert_int_equal(options.scans_before_steal, 7);
    assert_int_equal(options.steal_backoff, BACKOFF_DOUBLE);
    assert_int_equal(options.idle, IDLE_SPIN);
    assert_int_equal(options.pin, PIN_FOUR_NODES);
}

static void test_bad_choices(void **state) {
    (void)state;
    assert_refused("queue", "foo", "--queue cannot be \"foo\": it is copy|list");
    assert_refused("queue", "", "copy|list");
    assert_refused("queue", "cop", "copy|list");
    assert_refused("queue", "copyx", "copy|list");
    assert_refused("queue", "copy|list", "copy|list");
    assert_refused("queue", "|", "copy|list");
    assert_refused("steal", "Longest", "none|random|nearest|longest");
    assert_refused("steal", "0", "none|random|nearest|longest");
    assert_refused("pin", "nodes", "--pin cannot be \"nodes\": it is none|cores|smt|spread|four-nodes");
}

static void test_bad_numbers(void **state) {
    (void)state;
    static const char *const bad[] = {
        "", "0", "-1", "+1", " 1", "1 ", "1.5", "0x10", "ten", "4294967296", "99999999999999999999999"};
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_refused("mailboxes-per-worker", bad[i], "a whole number from 1");
    struct actorbench_config config = actorbench_defaults();
    set_option(&config, "mailboxes-per-worker", "4294967295");
    assert_value(&config, "mailboxes-per-worker", "4294967295");
}

/* An executor that was started has its copy queues as the options say. */
static void test_shape_of_copy_queues(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    set_option(&config, "copy-queue-size", "3");
    set_option(&config, "copy-queue-growth", "300");
    start_executor(&config);
    assert_int_equal(copy_queue_shape.size, 3);
    assert_int_equal(copy_queue_shape.growth, 300);
    actorbench_stop();
    assert_refused("copy-queue-size", "0", "a whole number from 1");
    assert_refused("copy-queue-growth", "100", "a whole number from 101");
    set_option(&config, "copy-queue-size", "1048577");
    assert_string_equal(actorbench_start(&config), "--copy-queue-size 1048577 is too much: choose 1 to 1048576");
    set_option(&config, "copy-queue-size", "1048576");
    set_option(&config, "copy-queue-growth", "10001");
    assert_string_equal(actorbench_start(&config), "--copy-queue-growth 10001 is too much: choose 101 to 10000");
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
    struct actorbench_config config = actorbench_defaults();
    config.workers = 3;
    assert_null(actorbench_set_preset(&config, "thesis"));
    assert_int_equal(config.workers, 3);
    assert_value(&config, "queue", "copy");
    assert_value(&config, "reclaim", "half");
    assert_value(&config, "copy-queue-size", "10");
    assert_value(&config, "copy-queue-growth", "200");
    assert_value(&config, "mailboxes", "0");
    assert_value(&config, "mailboxes-per-worker", "16");
    assert_value(&config, "steal", "longest");
    assert_value(&config, "search", "first");
    assert_value(&config, "scans-before-steal", STRING(SCANS_BEFORE_STEAL));
    assert_value(&config, "steal-backoff", "none");
    assert_value(&config, "idle", "spin");
    assert_value(&config, "pin", "none");
}

static void test_bad_preset(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults(), before = config;
    assert_string_equal(actorbench_set_preset(&config, "mine"), "--preset cannot be \"mine\": it is thesis");
    assert_memory_equal(&config.options, &before.options, sizeof config.options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),    cmocka_unit_test(test_runtime_reads_what_was_set),
        cmocka_unit_test(test_bad_choices), cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_bad_names),   cmocka_unit_test(test_preset),
        cmocka_unit_test(test_bad_preset),  cmocka_unit_test(test_shape_of_copy_queues),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
