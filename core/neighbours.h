/* Neighbours: how far the workers are from each other, and the groups in which a thief looks for its victims
 * (locality paper, 3.1 "Weighted Work Stealing").
 *
 * Worker i is taken to run on the i-th place of the plan of CPUs (--pin), of this machine or of the one that --topology
 * describes. Workers on one NUMA node are direct neighbours. The groups of a worker lie in each other: the first holds
 * its direct neighbours, the next also those one step farther, the last all others. On a machine with one node there is
 * one group, and the choice of victims is that of `random`.
 *
 * Made by actorbench_start and constant while workers run. A worker's prowl is its own.
 */
#ifndef ACTORBENCH_NEIGHBOURS_H
#define ACTORBENCH_NEIGHBOURS_H

#include <stdbool.h>

#include "platform/random.h"
#include "platform/topology.h"

struct neighbours {
    unsigned count;  /* workers */
    unsigned *node;  /* each worker's NUMA node */
    unsigned *order; /* for worker i, from order[i * (count - 1)]: all others, or those kept, the nearest first */
    unsigned *ends;  /* for worker i, from ends[i * groups]: group g is the first ends[g] of its order */
    unsigned groups; /* most that a worker has; its last ones may be the same */
};

/* Looks at the machine, or at the described one (NULL: this). Returns NULL, or one line that says what is wrong; then
 * there is nothing to release. */
const char *neighbours_make(struct neighbours *neighbours, const char *description, enum pin_plan pin,
                            unsigned workers);

/* Takes from each worker the others that are not in its cluster, given by worker. */
void neighbours_keep_within(struct neighbours *neighbours, const unsigned *cluster_of);

void neighbours_release(struct neighbours *neighbours);

/* Whether two workers are direct neighbours; a worker is its own. */
static inline bool neighbours_are_direct(const struct neighbours *neighbours, unsigned one, unsigned other) {
    return neighbours->node[one] == neighbours->node[other];
}

/* How far a thief has gone in vain: it makes as many attempts on a group as the group has workers, then turns to the
 * next; it stays with the last, and starts anew after each success. */
struct prowl {
    unsigned group, attempts;
};

/* The victim of a worker's next attempt; there are at least two workers, it and another. */
static inline unsigned neighbours_next_victim(const struct neighbours *neighbours, unsigned thief, struct prowl *prowl,
                                              struct random *random) {
    const unsigned *ends = &neighbours->ends[thief * neighbours->groups];
    while (prowl->group + 1 < neighbours->groups && prowl->attempts >= ends[prowl->group])
        prowl->group++, prowl->attempts = 0;
    prowl->attempts++;
    return neighbours->order[thief * (neighbours->count - 1) + random_below(random, ends[prowl->group])];
}

static inline void prowl_succeeded(struct prowl *prowl) {
    prowl->group = prowl->attempts = 0;
}

#endif
