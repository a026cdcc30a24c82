/* The layout of the simulated machine: its processing units, cores, caches and nodes, and who is how far from whom. */
#ifndef ACTORBENCH_MACHINE_LAYOUT_H
#define ACTORBENCH_MACHINE_LAYOUT_H

#include <stdbool.h>

#include "description.h"

enum { MOST_CORES = 256, MOST_UNITS = 1024, MOST_NODES = 64, MOST_CACHES = 256 };

/* From one core, or node, to another. */
enum distance { SAME_CORE, SAME_L2, SAME_L3, SAME_PACKAGE, REMOTE, FAR, DISTANCES };

struct core_place {
    unsigned l2, l3, package, node; /* numbers from 0 */
};

struct layout {
    unsigned units, cores, l2s, l3s, packages, nodes;
    unsigned core_of[MOST_UNITS];
    struct core_place place[MOST_CORES];
    unsigned package_of_node[MOST_NODES];
    unsigned char between_nodes[MOST_NODES][MOST_NODES]; /* enum distance; SAME_L3 for a node to itself */
    unsigned char between_cores[MOST_CORES][MOST_CORES];
};

extern struct layout layout;

/* Reads the topology. On a failure it prints one line and ends the program with status 2. */
void layout_make(const struct description *description);

#endif
