/* Distances between the NUMA nodes of a machine (hwloc).
 *
 * What counts is the order of distances, not their size: ranks 0, 1, 2 ... from a node to itself, to the next nearest
 * ones, and so on. They come from the machine's own table of latencies or, where it has none, from the tree: nodes
 * under one package are nearer than nodes of two.
 */
#ifndef ACTORBENCH_PLATFORM_DISTANCE_H
#define ACTORBENCH_PLATFORM_DISTANCE_H

struct node_distances {
    unsigned count; /* nodes, at least 1 */
    int *number;    /* the kernel's number of each, as in struct cpu_place */
    unsigned *rank; /* from node i to node j: rank[i * count + j] */
    unsigned ranks; /* ranks are 0 .. ranks - 1 */
};

/* Reads them for this machine (description NULL) or for a described one that topology_plan accepts. */
void node_distances_read(struct node_distances *nodes, const char *description);

void node_distances_release(struct node_distances *nodes);

/* The index of the node with that number, 0 if there is none. */
unsigned node_distances_index(const struct node_distances *nodes, int number);

#endif
