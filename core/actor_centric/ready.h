/* Ready queues: where ready actors wait for a worker (--ready).
 *
 *     global   one list for all workers of a cluster (a pool of threads, as under scalaz' actors)
 *     fifo     a list a worker; nothing is stolen
 *     deque    a deque a worker, for what it makes ready itself, run last in, first out, and stolen from at the other end;
 *              and an inbox, for what others give it and for what yields (React++, 3.5; CAF)
 *     lqoq     a local queue that its worker runs through without a lock, and an orchestration queue, under a lock, to which
 *              all come that become ready and from which thieves take all at once; their roles change after each run
 *              (React++, 3.6)
 *
 * Nobody starves behind many: lists are served in their order; a worker with a deque takes, every OLDEST_EACH
 * activations, what has waited longest, in the deque and in the inbox by turns. Behind one behaviour that does not end, thieves see to the others, but for what
 * its worker has taken for itself: the local queue of lqoq, and fifo.
 *
 * What is bound to a worker (core/clusters.h) waits in a list of its own, on which no thief looks, whatever the kind: before and behind
 * global's list by turns; with what fifo, or lqoq as it ends a cycle, takes; of a deque behind all else, but for each third of
 * the turns of what has waited longest.
 *
 * The roles of lqoq, at the end of a run of the local queue, which then holds what yielded (React++, table 3.1):
 *
 *     local     orchestration
 *     empty     empty           no work
 *     empty     one             taken
 *     empty     two or more     half of them are taken, and a sleeping worker is told of the rest
 *     one       empty           run again: one actor is never shared
 *     two, more empty           half of them are given to the orchestration queue, and a sleeping worker is told
 *     any       any             the two are swapped
 *
 * (Algorithm 3 there halves from three on; the table and its text say two.)
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_READY_H
#define ACTORBENCH_ACTOR_CENTRIC_READY_H

#include "platform/small.h"
#include "state.h"

enum { OLDEST_EACH = TESTED(61, 2), INITIAL_DEQUE = TESTED(256, 2) };

/* Puts an actor, which a push has found idle, where its placement says, and wakes who must run it. From any thread. */
void ready_wake(struct mailbox *mailbox);

/* Puts back an actor that has run as much as it may at a time, behind others. */
void ready_yield(struct worker *worker, struct mailbox *mailbox);

/* Takes the next actor that waits for the worker, or NULL. */
struct mailbox *ready_next(struct worker *worker);

/* The list on which the worker sleeps, and others put what is for it. */
static inline struct ready_list *ready_list_of(struct worker *worker) {
    if (executor.options.ready == READY_GLOBAL)
        return &executor.global[executor.division.cluster_of[worker->index]];
    return &worker->inbox;
}

#endif
