/* A cube of nodes that is searched by many at a time, each node claimed by one: what the searchers of a-star share.
 *
 * From a node ways lead to some of those that lie one step on in one or two of the three directions: which, is drawn, and one
 * at least leads on where the cube does not end. As no way leads back, nodes in the order of their numbers are a search, too.
 */
#ifndef ACTORBENCH_WORKLOADS_GRID_H
#define ACTORBENCH_WORKLOADS_GRID_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_NEIGHBOURS = 6 };

/* Makes a cube of `side` nodes each way, at most 1024; the first is claimed. False if memory is out. */
bool grid_make(uint64_t side);
void grid_free(void);

/* The node that is looked for: four fifths of the way through the cube, as in Savina. */
uint64_t grid_target(void);

/* Where ways lead to from a node; how many. */
unsigned grid_neighbours(uint64_t node, uint64_t neighbours[MOST_NEIGHBOURS]);

/* Claims a node for who comes from a neighbour of it: true for the first one. From any thread. */
bool grid_claim(uint64_t node, uint64_t from);

/* What a search of all finds, computed in the order of numbers, when nobody searches any more. */
struct grid_findings {
    uint64_t reachable; /* nodes, the first among them */
    bool target;        /* is one of them */
    uint64_t wrong;     /* that are claimed and not reachable, or the other way round, or from where no way leads */
};
/* False if memory is out. */
bool grid_check(struct grid_findings *findings);

#endif
