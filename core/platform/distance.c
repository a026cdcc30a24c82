/* Ranks of distances, from hwloc's matrix or from its tree. */
#include "distance.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fatal.h"
#include "memory.h"
#include "topology_tree.h"

/* Steps up the tree from one node to what holds both. */
static uint64_t steps_between(hwloc_topology_t topology, hwloc_obj_t one, hwloc_obj_t other) {
    if (one == other)
        return 0;
    hwloc_obj_t common = hwloc_get_common_ancestor_obj(topology, one->parent, other->parent);
    return (uint64_t)(one->parent->depth - common->depth) + 1;
}

/* The machine's own latencies, if it tells them for all of its nodes. */
static bool read_latencies(hwloc_topology_t topology, unsigned count, uint64_t *distance) {
    struct hwloc_distances_s *matrix = NULL;
    unsigned matrices = 1;
    if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &matrices, &matrix,
                                    HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
        matrices == 0 || matrix == NULL)
        return false;
    bool whole = matrix->nbobjs == count;
    for (unsigned i = 0; whole && i < count; i++)
        for (unsigned j = 0; j < count; j++)
            distance[matrix->objs[i]->logical_index * count + matrix->objs[j]->logical_index] =
                matrix->values[i * count + j];
    hwloc_distances_release(topology, matrix);
    return whole;
}

static int compare(const void *left, const void *right) {
    const uint64_t *one = left, *other = right;
    return (*one > *other) - (*one < *other);
}

/* The ranks of the distances from node `from`: how many others are under each, those that are equal counted once. `sorted`
 * is room for a row. There are machines of hundreds of nodes: no more than a pass over a row for each of them. */
static void rank_row(const uint64_t *row, unsigned count, unsigned from, uint64_t *sorted, unsigned *rank) {
    memcpy(sorted, row, count * sizeof *row);
    qsort(sorted, count, sizeof *sorted, compare);
    unsigned different = 1;
    for (unsigned i = 1; i < count; i++)
        if (sorted[i] != sorted[different - 1])
            sorted[different++] = sorted[i];
    for (unsigned i = 0; i < count; i++) {
        rank[i] = 0;
        while (i != from && sorted[rank[i]] < row[i])
            rank[i]++;
    }
}

void node_distances_read(struct node_distances *nodes, const char *description) {
    const char *why = NULL;
    hwloc_topology_t topology = topology_tree(description, &why);
    if (topology == NULL)
        fatal("the distances of the machine's nodes cannot be read: %s", why);
    int found = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    unsigned count = nodes->count = found < 1 ? 1 : (unsigned)found;
    nodes->number = memory_zeroed(count, sizeof *nodes->number, "the nodes' numbers");
    nodes->rank = memory_zeroed((size_t)count * count, sizeof *nodes->rank, "the nodes' distances");
    uint64_t *distance = memory_zeroed((size_t)count * count, sizeof *distance, "the nodes' distances");
    for (unsigned i = 0; i < count && found > 0; i++) {
        hwloc_obj_t one = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, i);
        nodes->number[i] = (int)one->os_index;
        for (unsigned j = 0; j < count; j++)
            distance[i * count + j] =
                steps_between(topology, one, hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, j));
    }
    if (count > 1)
        (void)read_latencies(topology, count, distance);
    nodes->ranks = 1;
    uint64_t *sorted = memory_zeroed(count, sizeof *sorted, "the nodes' distances");
    for (unsigned i = 0; i < count; i++)
        rank_row(&distance[i * count], count, i, sorted, &nodes->rank[i * count]);
    for (unsigned i = 0; i < count * count; i++)
        if (nodes->rank[i] >= nodes->ranks)
            nodes->ranks = nodes->rank[i] + 1;
    free(sorted);
    free(distance);
    hwloc_topology_destroy(topology);
}

void node_distances_release(struct node_distances *nodes) {
    free(nodes->number);
    free(nodes->rank);
}

unsigned node_distances_index(const struct node_distances *nodes, int number) {
    for (unsigned i = 0; i < nodes->count; i++)
        if (nodes->number[i] == number)
            return i;
    return 0;
}
