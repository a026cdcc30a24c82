/* A random graph, and the shortest paths in it by one loop: what apsp's actors get, and what they must find. */
#ifndef ACTORBENCH_WORKLOADS_GRAPH_H
#define ACTORBENCH_WORKLOADS_GRAPH_H

#include <stdint.h>

/* Writes the distances, nodes x nodes by rows: from each node to itself 0, to any other, there and back, a weight from 1 to
 * `heaviest`, drawn from the seed. Both numbers are under 2^32. */
void graph_draw(uint64_t nodes, uint64_t heaviest, uint64_t *distances);

/* Makes them those of the shortest paths (Floyd and Warshall). */
void graph_shorten(uint64_t nodes, uint64_t *distances);

#endif
