/* Workers sorted by distance into groups. */
#include "neighbours.h"

#include <stdlib.h>

#include "platform/distance.h"
#include "platform/memory.h"

static unsigned distance(const struct node_distances *nodes, const struct neighbours *neighbours, unsigned one,
                         unsigned other) {
    return nodes->rank[neighbours->node[one] * nodes->count + neighbours->node[other]];
}

/* Sorts the other workers by distance: one pass a distance, since there are few. */
static void sort_others(struct neighbours *neighbours, const struct node_distances *nodes, unsigned worker) {
    unsigned *order = &neighbours->order[worker * (neighbours->count - 1)];
    unsigned *ends = &neighbours->ends[worker * neighbours->groups];
    unsigned sorted = 0;
    for (unsigned group = 0; group < neighbours->groups; group++) {
        for (unsigned other = 0; other < neighbours->count; other++)
            if (other != worker && distance(nodes, neighbours, worker, other) == group)
                order[sorted++] = other;
        ends[group] = sorted;
    }
}

const char *neighbours_make(struct neighbours *neighbours, const char *description, enum pin_plan pin,
                            unsigned workers) {
    struct cpu_plan plan = {0};
    const char *why = topology_plan(description, pin, &plan);
    if (why != NULL)
        return why;
    struct node_distances nodes;
    node_distances_read(&nodes, description);
    neighbours->count = workers;
    neighbours->groups = nodes.ranks;
    neighbours->node = memory_zeroed(workers, sizeof *neighbours->node, "the workers' nodes");
    neighbours->order = memory_zeroed((size_t)workers * workers, sizeof *neighbours->order, "the workers' neighbours");
    neighbours->ends = memory_zeroed((size_t)workers * nodes.ranks, sizeof *neighbours->ends, "the workers' groups");
    for (unsigned i = 0; i < workers; i++)
        neighbours->node[i] = node_distances_index(&nodes, plan.places[i % plan.count].node);
    for (unsigned i = 0; i < workers; i++)
        sort_others(neighbours, &nodes, i);
    node_distances_release(&nodes);
    free(plan.places);
    return NULL;
}

void neighbours_keep_within(struct neighbours *neighbours, const unsigned *cluster_of) {
    for (unsigned worker = 0; worker < neighbours->count; worker++) {
        unsigned *order = &neighbours->order[worker * (neighbours->count - 1)];
        unsigned *ends = &neighbours->ends[worker * neighbours->groups];
        unsigned kept = 0, seen = 0;
        for (unsigned group = 0; group < neighbours->groups; group++) {
            for (; seen < ends[group]; seen++)
                if (cluster_of[order[seen]] == cluster_of[worker])
                    order[kept++] = order[seen];
            ends[group] = kept;
        }
    }
}

void neighbours_release(struct neighbours *neighbours) {
    free(neighbours->node);
    free(neighbours->order);
    free(neighbours->ends);
    *neighbours = (struct neighbours){0};
}
