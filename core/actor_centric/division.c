/* Who is in which cluster. */
#include "division.h"

#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "platform/memory.h"

static char line[128];

/* Groups that differ by one worker at most. */
static void divide_evenly(struct division *division, unsigned clusters, unsigned workers) {
    division->count = clusters;
    for (unsigned i = 0; i < workers; i++)
        division->cluster_of[i] = (unsigned)((uint64_t)i * clusters / workers);
}

/* A cluster for each object on which a worker runs, in the order of their first workers. */
static void divide_by_objects(struct division *division, bool packages, const struct cpu_plan *plan, unsigned workers) {
    unsigned places = workers < plan->count ? workers : plan->count;
    for (unsigned i = 0; i < workers; i++) {
        const struct cpu_place *place = &plan->places[i % places], *other = plan->places;
        while (packages ? other->package != place->package : other->node != place->node)
            other++;
        unsigned first = (unsigned)(other - plan->places);
        division->cluster_of[i] = first == i ? division->count++ : division->cluster_of[first];
    }
}

/* Lists the workers of each cluster. */
static void list_workers(struct division *division, unsigned workers) {
    division->clusters = memory_zeroed(division->count, sizeof *division->clusters, "the clusters");
    unsigned listed = 0;
    for (unsigned i = 0; i < division->count; i++) {
        struct cluster *cluster = &division->clusters[i];
        cluster->workers = &division->workers[listed];
        for (unsigned worker = 0; worker < workers; worker++)
            if (division->cluster_of[worker] == i) {
                division->position_of[worker] = cluster->count++;
                division->workers[listed++] = worker;
            }
    }
}

const char *division_make(struct division *division, unsigned clusters, const char *description, enum pin_plan pin,
                          unsigned workers) {
    bool by_objects = clusters == CLUSTERS_PACKAGE || clusters == CLUSTERS_NUMA;
    struct cpu_plan plan = {0};
    if (!by_objects && clusters > workers) {
        (void)snprintf(line, sizeof line, "%u clusters are too many for %u workers: choose 1 to %u, package or numa",
                       clusters, workers, workers);
        return line;
    }
    const char *why = by_objects ? topology_plan(description, pin, &plan) : NULL;
    if (why != NULL)
        return why;
    *division = (struct division){0};
    division->cluster_of = memory_zeroed(workers, sizeof *division->cluster_of, "the workers' clusters");
    division->position_of = memory_zeroed(workers, sizeof *division->position_of, "the workers' places in clusters");
    division->workers = memory_zeroed(workers, sizeof *division->workers, "the clusters' workers");
    if (by_objects)
        divide_by_objects(division, clusters == CLUSTERS_PACKAGE, &plan, workers);
    else
        divide_evenly(division, clusters, workers);
    list_workers(division, workers);
    free(plan.places);
    return NULL;
}

void division_release(struct division *division) {
    free(division->clusters);
    free(division->cluster_of);
    free(division->position_of);
    free(division->workers);
    *division = (struct division){0};
}
