/* Neighbours: the groups in which a thief looks for victims, and how many attempts it makes on each. */
#include "machines.h"
#include "neighbours.h"

static struct neighbours near;

static void make(const char *description, unsigned workers) {
    const char *why = neighbours_make(&near, description, PIN_NONE, workers);
    if (why != NULL)
        fail_msg("%s", why);
    assert_int_equal(near.count, workers);
}

static unsigned group_size(unsigned worker, unsigned group) {
    return near.ends[worker * near.groups + group];
}

static bool is_in_group(unsigned worker, unsigned group, unsigned other) {
    for (unsigned i = 0; i < group_size(worker, group); i++)
        if (near.order[worker * (near.count - 1) + i] == other)
            return true;
    return false;
}

/* The last group of everyone has everyone else, once. */
static void assert_whole(void) {
    for (unsigned worker = 0; worker < near.count; worker++) {
        assert_int_equal(group_size(worker, near.groups - 1), near.count - 1);
        for (unsigned other = 0; other < near.count; other++)
            assert_int_equal(is_in_group(worker, near.groups - 1, other), other != worker);
    }
}

/* ---- The paper's ring --------------------------------------------------------------------------------------------- */

/* Cores are numbered from 1 there. */
enum { CORE_1 = 0, CORE_6 = 5 };

static char ring_file[] = MACHINE_FILE;

static int make_ring(void **state) {
    (void)state;
    static const char template[] = MACHINE_FILE;
    memcpy(ring_file, template, sizeof template);
    write_ring(ring_file);
    make(ring_file, RING_CORES);
    return 0;
}

static int release_ring(void **state) {
    (void)state;
    neighbours_release(&near);
    return unlink(ring_file);
}

static void assert_group(unsigned worker, unsigned group, const char *cores) {
    for (unsigned core = 1; core <= RING_CORES; core++)
        assert_int_equal(is_in_group(worker, group, core - 1), strchr(cores, '0' + (int)core) != NULL);
}

static void test_ring_groups(void **state) {
    (void)state;
    assert_int_equal(near.groups, 3);
    assert_whole();
    assert_group(CORE_6, 0, "5");
    assert_group(CORE_6, 1, "34578");
    assert_group(CORE_6, 2, "1234578");
    assert_group(CORE_1, 0, "2");
    assert_group(CORE_1, 1, "23478");
}

static void test_ring_direct_neighbours(void **state) {
    (void)state;
    for (unsigned i = 0; i < RING_CORES; i++)
        for (unsigned j = 0; j < RING_CORES; j++)
            assert_int_equal(neighbours_are_direct(&near, i, j), i / 2 == j / 2);
}

/* One attempt on the first group, five on the second, then the last for good; and anew after a success. */
static void test_ring_attempts(void **state) {
    (void)state;
    struct random random = random_seed(test_seed(), 0);
    struct prowl prowl = {0};
    for (unsigned round = 0; round < 100; round++) {
        for (unsigned attempt = 1; attempt <= 50; attempt++) {
            unsigned victim = neighbours_next_victim(&near, CORE_6, &prowl, &random);
            unsigned group = attempt <= 1 ? 0 : attempt <= 1 + 5 ? 1 : 2;
            assert_int_equal(prowl.group, group);
            assert_true(is_in_group(CORE_6, group, victim));
        }
        prowl_succeeded(&prowl);
    }
}

/* In its last group a thief finds everyone as often: the paper's one in seven. */
static void test_ring_chances(void **state) {
    (void)state;
    enum { TRIALS = 7000 };
    struct random random = random_seed(test_seed(), 1);
    struct prowl prowl = {0};
    unsigned chosen[RING_CORES] = {0};
    for (unsigned i = 0; i < 6; i++)
        (void)neighbours_next_victim(&near, CORE_6, &prowl, &random);
    for (unsigned i = 0; i < TRIALS; i++)
        chosen[neighbours_next_victim(&near, CORE_6, &prowl, &random)]++;
    for (unsigned i = 0; i < RING_CORES; i++) {
        if (i == CORE_6)
            assert_int_equal(chosen[i], 0);
        else /* ten standard deviations are 293 */
            assert_in_range(chosen[i], TRIALS / 7 - 293, TRIALS / 7 + 293);
    }
}

/* ---- Other machines ------------------------------------------------------------------------------------------------ */

static void test_four_nodes_of_eight(void **state) {
    (void)state;
    make("numa:4 core:8 pu:1", 32);
    assert_int_equal(near.groups, 2);
    assert_whole();
    for (unsigned worker = 0; worker < 32; worker++) {
        assert_int_equal(group_size(worker, 0), 7);
        assert_int_equal(group_size(worker, 1), 31);
        for (unsigned other = 0; other < 32; other++)
            assert_int_equal(is_in_group(worker, 0, other), other != worker && other / 8 == worker / 8);
    }
    neighbours_release(&near);
}

/* One node: one group of all, and all are direct neighbours. */
static void test_one_node(void **state) {
    (void)state;
    static const char *const machines[] = {"numa:1 core:8 pu:1", "core:8 pu:1", "pack:2 core:4 pu:1"};
    for (size_t i = 0; i < LENGTH(machines); i++) {
        make(machines[i], 8);
        assert_int_equal(near.groups, 1);
        assert_whole();
        assert_true(neighbours_are_direct(&near, 0, 7));
        neighbours_release(&near);
    }
}

/* A worker without direct neighbours makes no attempt on nobody. */
static void test_alone_on_its_node(void **state) {
    (void)state;
    struct random random = random_seed(test_seed(), 2);
    make("numa:4 core:1 pu:1", 4);
    for (unsigned worker = 0; worker < 4; worker++) {
        struct prowl prowl = {0};
        assert_int_equal(group_size(worker, 0), 0);
        for (unsigned i = 0; i < 100; i++)
            assert_int_not_equal(neighbours_next_victim(&near, worker, &prowl, &random), worker);
    }
    assert_whole();
    neighbours_release(&near);
}

/* Workers are dealt to the places of the plan, round after round. */
static void test_more_workers_than_places(void **state) {
    (void)state;
    make("numa:2 core:2 pu:1", 6);
    assert_whole();
    for (unsigned i = 0; i < 6; i++)
        for (unsigned j = 0; j < 6; j++)
            assert_int_equal(neighbours_are_direct(&near, i, j), i % 4 / 2 == j % 4 / 2);
    neighbours_release(&near);
}

static void test_fewer_workers_than_places(void **state) {
    (void)state;
    make("numa:2 core:2 pu:1", 3);
    assert_whole();
    assert_int_equal(group_size(0, 0), 1);
    assert_int_equal(group_size(2, 0), 0);
    neighbours_release(&near);
    make("numa:2 core:2 pu:1", 1);
    assert_int_equal(group_size(0, near.groups - 1), 0);
    neighbours_release(&near);
}

/* Who is near whom follows the order in which workers are bound. */
static void test_pinned_workers(void **state) {
    (void)state;
    assert_null(neighbours_make(&near, "numa:2 core:2 pu:1", PIN_SPREAD, 4));
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            assert_int_equal(neighbours_are_direct(&near, i, j), i % 2 == j % 2);
    neighbours_release(&near);
}

static void test_bad_description(void **state) {
    (void)state;
    assert_non_null(neighbours_make(&near, "nonsense", PIN_NONE, 4));
}

#define OF_THE_RING(test) cmocka_unit_test_setup_teardown(test, make_ring, release_ring)

int main(void) {
    const struct CMUnitTest tests[] = {
        OF_THE_RING(test_ring_groups),
        OF_THE_RING(test_ring_direct_neighbours),
        OF_THE_RING(test_ring_attempts),
        OF_THE_RING(test_ring_chances),
        cmocka_unit_test(test_four_nodes_of_eight),
        cmocka_unit_test(test_one_node),
        cmocka_unit_test(test_alone_on_its_node),
        cmocka_unit_test(test_more_workers_than_places),
        cmocka_unit_test(test_fewer_workers_than_places),
        cmocka_unit_test(test_pinned_workers),
        cmocka_unit_test(test_bad_description),
    };
    return cmocka_run_group_tests_name("neighbours", tests, NULL, NULL);
}
