/* Distances between nodes: their order is what counts, from a machine's own table or from its tree. */
#include "machines.h"

static struct node_distances nodes;

static void read_machine(const char *description, unsigned count, unsigned ranks) {
    node_distances_read(&nodes, description);
    assert_int_equal(nodes.count, count);
    assert_int_equal(nodes.ranks, ranks);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(nodes.rank[i * count + i], 0);
        assert_int_equal(node_distances_index(&nodes, nodes.number[i]), i);
    }
}

static void assert_rank(unsigned one, unsigned other, unsigned rank) {
    assert_int_equal(nodes.rank[one * nodes.count + other], rank);
    assert_int_equal(nodes.rank[other * nodes.count + one], rank);
}

static void test_ring(void **state) {
    (void)state;
    char file[] = MACHINE_FILE;
    write_ring(file);
    read_machine(file, RING, 3);
    for (unsigned i = 0; i < RING; i++) {
        assert_rank(i, (i + 1) % RING, 1);
        assert_rank(i, (i + 2) % RING, 2);
    }
    node_distances_release(&nodes);
    (void)unlink(file);
}

/* One far node: only those who look at it have a third rank. */
static void test_uneven_distances(void **state) {
    (void)state;
    static const uint64_t latencies[] = {10, 12, 90, 12, 10, 90, 90, 90, 10};
    char file[] = MACHINE_FILE;
    write_machine(file, "numa:3 core:1 pu:1", LATENCY, latencies, 3);
    read_machine(file, 3, 3);
    assert_rank(0, 1, 1);
    assert_int_equal(nodes.rank[0 * 3 + 2], 2);
    assert_int_equal(nodes.rank[2 * 3 + 0], 1);
    assert_int_equal(nodes.rank[2 * 3 + 1], 1);
    node_distances_release(&nodes);
    (void)unlink(file);
}

/* A table of bandwidths says nothing of distances: far is little there. The tree is asked. */
static void test_bandwidths_are_no_distances(void **state) {
    (void)state;
    static const uint64_t bandwidths[] = {90, 50, 10, 50, 90, 50, 10, 50, 90};
    char file[] = MACHINE_FILE;
    write_machine(file, "numa:3 core:1 pu:1", BANDWIDTH, bandwidths, 3);
    read_machine(file, 3, 2);
    for (unsigned i = 0; i < 3; i++)
        assert_rank(i, (i + 1) % 3, 1);
    node_distances_release(&nodes);
    (void)unlink(file);
}

/* Without a table: nodes of one package are nearer than nodes of two. */
static void test_tree(void **state) {
    (void)state;
    read_machine("pack:2 numa:2 core:2 pu:1", 4, 3);
    assert_rank(0, 1, 1);
    assert_rank(2, 3, 1);
    assert_rank(0, 2, 2);
    assert_rank(1, 3, 2);
    node_distances_release(&nodes);
    read_machine("pack:2 numa:1 core:24 pu:2", 2, 2);
    assert_rank(0, 1, 1);
    node_distances_release(&nodes);
}

/* Found by fuzzing: the ranks of some hundred nodes took half a minute. */
static void test_many_nodes(void **state) {
    (void)state;
    watchdog_start(20, "the distances of 512 nodes");
    read_machine("pack:2 numa:256 pu:1", 512, 3);
    watchdog_stop();
    assert_rank(0, 255, 1);
    assert_rank(0, 256, 2);
    node_distances_release(&nodes);
}

static void test_machines_of_one_node(void **state) {
    (void)state;
    static const char *const machines[] = {"core:7 pu:1", "numa:1 core:8 pu:2", "pack:4 core:2 pu:1", "pu:1"};
    for (size_t i = 0; i < LENGTH(machines); i++) {
        read_machine(machines[i], 1, 1);
        assert_int_equal(node_distances_index(&nodes, 12345), 0);
        node_distances_release(&nodes);
    }
}

static void test_this_machine(void **state) {
    (void)state;
    node_distances_read(&nodes, NULL);
    assert_true(nodes.count >= 1 && nodes.ranks >= 1 && nodes.ranks <= nodes.count);
    for (unsigned i = 0; i < nodes.count * nodes.count; i++)
        assert_in_range(nodes.rank[i], 0, nodes.ranks - 1);
    node_distances_release(&nodes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),
        cmocka_unit_test(test_uneven_distances),
        cmocka_unit_test(test_bandwidths_are_no_distances),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_many_nodes),
        cmocka_unit_test(test_machines_of_one_node),
        cmocka_unit_test(test_this_machine),
    };
    return cmocka_run_group_tests_name("distance", tests, NULL, NULL);
}
