/* Made-up machines with tables of distances, written to files as hwloc writes its own. */
#ifndef ACTORBENCH_TESTS_MACHINES_H
#define ACTORBENCH_TESTS_MACHINES_H

#include <hwloc.h>
#include <hwloc/distances.h>
#include <hwloc/export.h>

#include "harness.h"
#include "platform/distance.h"

/* For mkstemp(3). */
#define MACHINE_FILE "/tmp/actorbench-machine-XXXXXX"

enum { MOST_NODES = 8 };

enum table_kind { LATENCY = HWLOC_DISTANCES_KIND_MEANS_LATENCY, BANDWIDTH = HWLOC_DISTANCES_KIND_MEANS_BANDWIDTH };

/* Adds a table, row by row, for the nodes of a machine. */
static inline void add_table_of_nodes(hwloc_topology_t machine, enum table_kind kind, const uint64_t *values,
                                      unsigned nodes) {
    hwloc_obj_t objects[MOST_NODES];
    hwloc_uint64_t copy[MOST_NODES * MOST_NODES];
    assert_in_range(nodes, 1, MOST_NODES);
    for (unsigned i = 0; i < nodes; i++)
        objects[i] = hwloc_get_obj_by_type(machine, HWLOC_OBJ_NUMANODE, i);
    for (unsigned i = 0; i < nodes * nodes; i++)
        copy[i] = values[i];
    hwloc_distances_add_handle_t table =
        hwloc_distances_add_create(machine, NULL, (unsigned long)kind | HWLOC_DISTANCES_KIND_FROM_USER, 0);
    assert_non_null(table);
    assert_int_equal(hwloc_distances_add_values(machine, table, nodes, objects, copy, 0), 0);
    assert_int_equal(hwloc_distances_add_commit(machine, table, 0), 0);
}

/* Writes a machine with a table to a new file, whose name takes the place of the template; the caller unlinks it. */
static inline void write_machine(char *file, const char *description, enum table_kind kind, const uint64_t *values,
                                 unsigned nodes) {
    hwloc_topology_t machine;
    int opened = mkstemp(file);
    assert_true(opened != -1);
    (void)close(opened);
    assert_int_equal(hwloc_topology_init(&machine), 0);
    assert_int_equal(hwloc_topology_set_synthetic(machine, description), 0);
    assert_int_equal(hwloc_topology_load(machine), 0);
    add_table_of_nodes(machine, kind, values, nodes);
    assert_int_equal(hwloc_topology_export_xml(machine, file, 0), 0);
    hwloc_topology_destroy(machine);
}

/* The locality paper's example (3.1, figures 1 and 2): four CPUs of two cores in a ring. */
enum { RING = 4, RING_CORES = 2 * RING };

static inline void write_ring(char *file) {
    static const uint64_t hops_apart[] = {10, 16, 22, 16};
    uint64_t latencies[RING * RING];
    for (unsigned i = 0; i < RING; i++)
        for (unsigned j = 0; j < RING; j++)
            latencies[i * RING + j] = hops_apart[(j + RING - i) % RING];
    write_machine(file, "numa:4 core:2 pu:1", LATENCY, latencies, RING);
}

#endif
