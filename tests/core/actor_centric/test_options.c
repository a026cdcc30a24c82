/* This design's options: defaults, what the runtime reads of them, what is refused, and what the sources' systems do. */
#include "actor_centric/options.h"
#include "options.h"

static void test_defaults(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    assert_int_equal(config.workers, 0);
    assert_value(&config, "mailbox", "swap");
    assert_value(&config, "link", "release");
    assert_value(&config, "ready", "deque");
    assert_value(&config, "placement", "sender");
    assert_value(&config, "spawn", "round-robin");
    assert_value(&config, "dispatch", "1024");
    assert_value(&config, "steal", "random");
    assert_value(&config, "loot", "waiting");
    assert_value(&config, "idle", "park");
    assert_value(&config, "pin", "none");
    assert_value(&config, "clusters", "1");
}

static void test_runtime_reads_what_was_set(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    set_option(&config, "mailbox", "chunk");
    set_option(&config, "link", "ordered");
    set_option(&config, "ready", "lqoq");
    set_option(&config, "placement", "home-anywhere");
    set_option(&config, "spawn", "parent");
    set_option(&config, "dispatch", "7");
    set_option(&config, "steal", "nearest");
    set_option(&config, "loot", "any");
    set_option(&config, "idle", "spin");
    set_option(&config, "pin", "four-nodes");
    struct options options = options_of(&config);
    assert_int_equal(options.mailbox, MAILBOX_CHUNK);
    assert_int_equal(options.link, LINK_ORDERED);
    assert_int_equal(options.ready, READY_LQOQ);
    assert_int_equal(options.placement, PLACE_HOME_ANYWHERE);
    assert_int_equal(options.spawn, SPAWN_PARENT);
    assert_int_equal(options.dispatch, 7);
    assert_int_equal(options.steal, STEAL_NEAREST);
    assert_int_equal(options.loot, LOOT_ANY);
    assert_int_equal(options.idle, IDLE_SPIN);
    assert_int_equal(options.pin, PIN_FOUR_NODES);
    assert_int_equal(options.clusters, 1);
    set_option(&config, "clusters", "3");
    assert_int_equal(options_of(&config).clusters, 3);
    set_option(&config, "clusters", "package");
    assert_int_equal(options_of(&config).clusters, CLUSTERS_PACKAGE);
    set_option(&config, "clusters", "numa");
    assert_int_equal(options_of(&config).clusters, CLUSTERS_NUMA);
}

static void test_bad_values(void **state) {
    (void)state;
    assert_refused("mailbox", "queue", "swap|stack|chunk|locked");
    assert_refused("ready", "dequeue", "global|fifo|deque|lqoq");
    assert_refused("placement", "home-", "round-robin|sender|home|home-anywhere");
    assert_refused("spawn", "child", "round-robin|parent");
    assert_refused("pin", "nodes", "none|cores|smt|spread|four-nodes");
    assert_refused("steal", "longest", "none|random|nearest");
    static const char *const bad[] = {"", "-1", "+1", " 1", "1.5", "0x10", "ten", "4294967296"};
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_refused("dispatch", bad[i], "a whole number from 0");
    static const char *const no_clusters[] = {"", "0", "-1", "nodes", "package|numa", "1 ", "4294967296"};
    for (size_t i = 0; i < LENGTH(no_clusters); i++)
        assert_refused("clusters", no_clusters[i], "a whole number from 1, or package|numa");
    assert_refused("queue", "copy", "--queue is no option of the actor-centric design");
}

/* ---- Presets ------------------------------------------------------------------------------------------------------ */

/* What each preset says, in the order of the columns; the rest is as by default. */
static void test_presets(void **state) {
    (void)state;
    static const struct {
        const char *name, *said;
    } presets[] = {
        {"caf", "mailbox=stack spawn=parent dispatch=0 loot=any"},
        {"caf-locality", "mailbox=stack placement=home spawn=parent dispatch=0 steal=nearest loot=any"},
        {"react", "ready=lqoq dispatch=0 loot=any"},
        {"scalaz", "ready=global"},
    };
    for (size_t i = 0; i < LENGTH(presets); i++) {
        char said[256];
        assert_string_equal(actorbench_presets[i].name, presets[i].name);
        actorbench_describe_preset(&actorbench_presets[i], said, sizeof said);
        assert_string_equal(said, presets[i].said);
    }
    assert_null(actorbench_presets[LENGTH(presets)].name);
    struct actorbench_config config = actorbench_defaults(), before = config;
    assert_string_equal(actorbench_set_preset(&config, "thesis"),
                        "--preset cannot be \"thesis\": it is caf|caf-locality|react|scalaz");
    assert_memory_equal(&config.options, &before.options, sizeof config.options);
}

/* ---- What actorbench_start turns off, and notes --------------------------------------------------------------------- */

static const char *note_of(unsigned workers, const char *ready, const char *steal, const char *clusters) {
    struct actorbench_config config = actorbench_defaults();
    config.workers = workers;
    set_option(&config, "clusters", clusters);
    set_option(&config, "ready", ready);
    set_option(&config, "steal", steal);
    start_executor(&config);
    const char *note = actorbench_note();
    if (strcmp(clusters, "1") == 0)
        assert_int_equal(actorbench_place(workers + 1), 1 % workers);
    actorbench_stop();
    return note;
}

static void test_notes(void **state) {
    (void)state;
    assert_string_equal(note_of(2, "global", "random", "1"),
                        "stealing and placement are off: all workers share one ready queue");
    assert_string_equal(note_of(2, "fifo", "nearest", "1"),
                        "stealing is off: a queue of kind fifo is its worker's alone");
    assert_string_equal(note_of(1, "deque", "random", "1"), "stealing is off: one worker has nobody to steal from");
    assert_null(note_of(2, "deque", "nearest", "1"));
    assert_null(note_of(2, "lqoq", "random", "1"));
    assert_null(note_of(2, "fifo", "none", "1"));
    assert_null(note_of(1, "deque", "none", "1"));
    assert_null(note_of(4, "deque", "random", "2"));
    assert_string_equal(note_of(2, "deque", "random", "2"), "stealing is off: each cluster has one worker");
    assert_string_equal(note_of(4, "global", "random", "2"),
                        "stealing and placement are off: all workers of a cluster share one ready queue");
}

static void test_too_many_clusters(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    config.workers = 2;
    set_option(&config, "clusters", "3");
    assert_not_started(&config, "3 clusters are too many for 2 workers: choose 1 to 2, package or numa");
    set_option(&config, "clusters", "numa");
    config.topology = "nonsense";
    assert_not_started(&config, "synthetic");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),   cmocka_unit_test(test_runtime_reads_what_was_set),
        cmocka_unit_test(test_bad_values), cmocka_unit_test(test_presets),
        cmocka_unit_test(test_notes),      cmocka_unit_test(test_too_many_clusters),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
