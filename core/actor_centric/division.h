/* The division of the workers into clusters (--clusters): so many groups as even as can be, or a cluster for each package or NUMA
 * node that has workers.
 *
 * Worker i is taken to run on the i-th place of the plan of CPUs (--pin), of this machine or of the one that --topology
 * describes. A cluster's workers follow each other where the plan goes from one object to the next; they are listed all the same,
 * since a plan may deal out its places in turn.
 *
 * Made by actorbench_start and constant while workers run.
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_DIVISION_H
#define ACTORBENCH_ACTOR_CENTRIC_DIVISION_H

#include <stdbool.h>

#include "platform/topology.h"

struct cluster {
    unsigned count;          /* of workers, at least 1 */
    const unsigned *workers; /* in their order */
};

struct division {
    unsigned count; /* of clusters */
    struct cluster *clusters;
    unsigned *cluster_of;  /* by worker */
    unsigned *position_of; /* by worker: which of its cluster's it is */
    unsigned *workers;     /* cluster by cluster */
};

/* Divides so many workers; `clusters` is the option's value. Returns NULL, or one line that says what is wrong (valid until the
 * next call); then there is nothing to release. */
const char *division_make(struct division *division, unsigned clusters, const char *description, enum pin_plan pin,
                          unsigned workers);

void division_release(struct division *division);

/* A worker's cluster. */
static inline const struct cluster *division_mine(const struct division *division, unsigned worker) {
    return &division->clusters[division->cluster_of[worker]];
}

static inline bool division_together(const struct division *division, unsigned one, unsigned other) {
    return division->cluster_of[one] == division->cluster_of[other];
}

#endif
