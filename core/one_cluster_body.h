/* The clusters of a design that has one, of all workers; nobody can be bound, since a thief takes many actors at once. Included
 * by a file of a design's. */
#include "clusters.h"
#include "crew.h"

unsigned actorbench_clusters(void) {
    return 1;
}

unsigned actorbench_cluster_of(unsigned worker) {
    return worker < crew.count ? 0 : 1;
}

unsigned actorbench_cluster(void) {
    return actorbench_cluster_of(actorbench_worker());
}

static const char *refusal(unsigned cluster) {
    return cluster == 0 ? NULL : "there is no such cluster: this design has one, number 0";
}

const char *actorbench_actor_construct_in(struct actorbench_actor *actor, const struct actorbench_actor_type *type,
                                          unsigned cluster) {
    const char *why = refusal(cluster);
    if (why == NULL)
        actorbench_actor_construct(actor, type);
    return why;
}

const char *actorbench_actor_move(struct actorbench_actor *actor, unsigned cluster) {
    (void)actor;
    return refusal(cluster);
}

const char *actorbench_actor_fix(struct actorbench_actor *actor, unsigned worker) {
    (void)actor, (void)worker;
    return "an actor cannot be bound to a worker in this design: use the actor-centric one";
}
