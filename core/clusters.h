/* Clusters: the workers in groups, each with a scheduler of its own (React++, 3.1 "Actor Clusters", 3.7 "Actor Placement").
 *
 * An actor is in one cluster, and it is that one's workers that run it: ready queues, thefts and placement stay within. It is
 * made in the cluster of the worker whose behaviour makes it; what other threads make is dealt to the clusters in turn. A
 * program may name a cluster, have an actor migrate, and bind one to a worker. Messages cross as if there were no clusters.
 *
 * The actor-centric design has as many as --clusters says; by default, and in the other designs always, all workers are one.
 */
#ifndef ACTORBENCH_CLUSTERS_H
#define ACTORBENCH_CLUSTERS_H

#include "actor.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* How many clusters there are, none of them without a worker. While the executor runs, from any thread, as the next two. */
unsigned actorbench_clusters(void);

/* The cluster of a worker, 0 .. actorbench_clusters() - 1; actorbench_clusters() of what is no worker's number. */
unsigned actorbench_cluster_of(unsigned worker);

/* The cluster of the worker that runs the caller; actorbench_clusters() on a thread that is no worker. */
unsigned actorbench_cluster(void);

/* The three below return NULL, or one line that says why it cannot be; then nothing has been done. From any thread; the last
 * two under the conditions of a send to the actor. */

/* As actorbench_actor_init, in this cluster. */
#define actorbench_actor_init_in(A, pointer, cluster) \
    actorbench_actor_construct_in(ACTORBENCH_BASE(A, pointer, actor), &A##_type, cluster)

/* Moves an actor to a cluster, and ends its being bound. It goes once it is idle: a message that comes then makes it ready
 * there; what it has still to do before, it does where it is. It stays until it is moved again. */
#define actorbench_actor_migrate(A, pointer, cluster) actorbench_actor_move(ACTORBENCH_BASE(A, pointer, actor), cluster)

/* Binds an actor to a worker, and so to that one's cluster: once it is idle no other runs it, whatever there is to be stolen,
 * until it is bound to another, or migrates. (React++ only puts it there: a thief does not respect that.) */
#define actorbench_actor_bind(A, pointer, worker) actorbench_actor_fix(ACTORBENCH_BASE(A, pointer, actor), worker)

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

const char *actorbench_actor_construct_in(struct actorbench_actor *actor, const struct actorbench_actor_type *type,
                                          unsigned cluster);
const char *actorbench_actor_move(struct actorbench_actor *actor, unsigned cluster);
const char *actorbench_actor_fix(struct actorbench_actor *actor, unsigned worker);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
