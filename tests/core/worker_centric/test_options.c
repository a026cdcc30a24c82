/* This design's options: defaults, what the runtime reads of them, sets, and what is refused; it has no presets. */
#include "options.h"
#include "worker_centric/options.h"

static void test_defaults(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    assert_int_equal(config.workers, 0);
    assert_value(&config, "mailboxes", "0");
    assert_value(&config, "mailboxes-per-worker", "16");
    assert_value(&config, "steal", "longest");
    assert_value(&config, "idle", "park");
    assert_value(&config, "pin", "none");
    assert_value(&config, "without", "nothing");
}

static void test_runtime_reads_what_was_set(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    set_option(&config, "mailboxes", "11");
    set_option(&config, "mailboxes-per-worker", "3");
    set_option(&config, "steal", "nearest");
    set_option(&config, "idle", "spin");
    set_option(&config, "pin", "four-nodes");
    set_option(&config, "without", "near,lanes");
    struct options options = options_of(&config);
    assert_int_equal(options.mailboxes, 11);
    assert_int_equal(options.mailboxes_per_worker, 3);
    assert_int_equal(options.steal, STEAL_NEAREST);
    assert_int_equal(options.idle, IDLE_SPIN);
    assert_int_equal(options.pin, PIN_FOUR_NODES);
    assert_int_equal(options.without, MECHANISM_LANES | MECHANISM_NEAR);
}

/* Each name is the mechanism that it says. */
static void test_what_can_be_taken_away(void **state) {
    (void)state;
    static const struct {
        const char *name;
        enum mechanism mechanism;
    } mechanisms[] = {
        {"lanes", MECHANISM_LANES},         {"out-boxes", MECHANISM_OUTBOXES},  {"near", MECHANISM_NEAR},
        {"recycling", MECHANISM_RECYCLING}, {"borrowing", MECHANISM_BORROWING},
    };
    struct actorbench_config config = actorbench_defaults();
    assert_int_equal(options_of(&config).without, 0);
    for (size_t i = 0; i < LENGTH(mechanisms); i++) {
        set_option(&config, "without", mechanisms[i].name);
        assert_int_equal(options_of(&config).without, mechanisms[i].mechanism);
    }
}

/* In whatever order they were said, and however often. */
static void test_sets_as_text(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    set_option(&config, "without", "recycling,near,out-boxes,lanes");
    assert_value(&config, "without", "lanes,out-boxes,near,recycling");
    set_option(&config, "without", "near,near");
    assert_value(&config, "without", "near");
    set_option(&config, "without", "nothing");
    assert_value(&config, "without", "nothing");
    static const char *const bad[] = {"",       "lane",          "lanesx",   "lanes,",      ",lanes",
                                      "lanes;", "lanes,nothing", "nothing,", "lanes, near", "lanes|near",
                                      "all",    "Lanes",         "0",        "lanes,,near"};
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_refused("without", bad[i],
                       "it is lanes|out-boxes|near|recycling|borrowing, several with commas between them, or nothing");
}

static void test_what_is_refused(void **state) {
    (void)state;
    assert_refused("steal", "Longest", "none|random|nearest|longest");
    assert_refused("steal", "", "none|random|nearest|longest");
    assert_refused("pin", "nodes", "--pin cannot be \"nodes\": it is none|cores|smt|spread|four-nodes");
    assert_refused("mailboxes-per-worker", "0", "a whole number from 1");
    static const char *const others[] = {"queue", "loot",   "reclaim", "local",    "out-boxes", "lanes",
                                         "deal",  "census", "recycle", "prefetch", "dispatch"};
    for (size_t i = 0; i < LENGTH(others); i++)
        assert_refused(others[i], "1", " is no option of the worker-centric design");
}

static void test_no_presets(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults(), before = config;
    assert_null(actorbench_presets[0].name);
    assert_string_equal(actorbench_set_preset(&config, "thesis"),
                        "--preset cannot be \"thesis\": the worker-centric design has none");
    assert_memory_equal(&config.options, &before.options, sizeof config.options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_runtime_reads_what_was_set),
        cmocka_unit_test(test_what_can_be_taken_away),
        cmocka_unit_test(test_sets_as_text),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_no_presets),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
