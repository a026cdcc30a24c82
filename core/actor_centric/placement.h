/* Placement: which worker's ready queue a woken actor goes to (--placement).
 *
 *     round-robin     the next worker in turn, whoever wakes it (a turn a sending thread)
 *     sender          its sender's, which has the message in its cache (React++, 3.7; CAF's communication locality)
 *     home            softly pinned (locality paper, 3.2): its home's, or its sender's if that is a direct neighbour of
 *                     home. Home is the worker that first runs the actor, unless that is no direct neighbour of the worker
 *                     it was dealt to at its creation: then it is the latter, so that actors that were made together are
 *                     not torn apart by a theft before their first message. Until it is run the actor goes there as well.
 *     home-anywhere   the same without the last rule: home is the worker that first runs the actor (the paper's LGS-Alt)
 *
 * An actor that a thread which is no worker wakes goes, where its sender would decide, to the worker it was dealt to.
 * That is (--spawn; locality paper, 3.2 "Initial Actor Placement")
 *
 *     round-robin     the next in turn, so that work is spread
 *     parent          the one whose behaviour makes the actor, whose caches know it; an actor that is made by a thread which is
 *                     no worker is dealt in turn
 *
 * An actor that was stolen goes back when it is woken next.
 *
 * Where there are clusters (core/clusters.h) all of this is within the actor's: a sender of another cluster is as a thread that is no
 * worker, turns go round the cluster's workers, and what main makes is dealt to the clusters by turns, in each to its workers. Where
 * an actor is to be is a word of its mailbox, `place`, which any thread may set. Who finds the actor idle, and so is the only
 * one that touches its mailbox then, reads the word, and if that is another cluster than the actor was in deals the actor to
 * one of its workers anew: that is all there is to a migration, and its messages know nothing of it.
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_PLACEMENT_H
#define ACTORBENCH_ACTOR_CENTRIC_PLACEMENT_H

#include "state.h"
#include "stats.h"

/* The next worker of a cluster in turn (a turn a thread, whatever the cluster). */
uint16_t placement_next_of(unsigned cluster);

/* placement_deal, but for who goes to its parent, where there is more than one cluster. */
uint16_t placement_deal_to_cluster(const struct worker *parent, uint64_t number);

/* The worker for actor `number`, counted from the start of the executor, which `parent` (NULL: no worker) makes. */
static inline uint16_t placement_deal(const struct worker *parent, uint64_t number) {
    if (executor.options.spawn == SPAWN_PARENT && parent != NULL)
        return (uint16_t)parent->index;
    if (unlikely(executor.division.count > 1))
        return placement_deal_to_cluster(parent, number);
    return (uint16_t)(number % crew.count);
}

/* Whether placement, or a heuristic, asks who is near whom. */
static inline bool placement_has_homes(void) {
    return executor.options.placement == PLACE_HOME || executor.options.placement == PLACE_HOME_ANYWHERE;
}

/* For the worker that is about to run an actor: makes it, or the actor's first worker, the actor's home, if it has none. */
static inline void placement_settle(const struct worker *worker, struct mailbox *mailbox) {
    if (!placement_has_homes() || mailbox->home != NO_HOME)
        return;
    bool stays = executor.options.placement == PLACE_HOME_ANYWHERE ||
                 neighbours_are_direct(&executor.neighbours, worker->index, mailbox->initial);
    mailbox->home = stays ? (uint16_t)worker->index : mailbox->initial;
}

static inline struct worker *placement_at_home(struct worker *sender, const struct mailbox *mailbox) {
    if (mailbox->home == NO_HOME)
        return &executor.workers[mailbox->initial];
    if (sender != NULL && neighbours_are_direct(&executor.neighbours, sender->index, mailbox->home))
        return sender;
    if (sender != NULL)
        count_statistic(&sender->statistics, home_returns, 1);
    return &executor.workers[mailbox->home];
}

/* The worker for an actor that `sender` (NULL: no worker) has found idle, and that is its cluster's; for the sender, before
 * anybody else sees the actor ready. */
static inline struct worker *placement_choose(struct worker *sender, const struct mailbox *mailbox) {
    static _Thread_local unsigned turn;
    switch (executor.options.placement) {
    case PLACE_ROUND_ROBIN:
        turn = turn + 1 < crew.count ? turn + 1 : 0;
        return &executor.workers[turn];
    case PLACE_SENDER:
        return sender != NULL ? sender : &executor.workers[mailbox->initial];
    default:
        return placement_at_home(sender, mailbox);
    }
}

/* The same of an actor that is to be in this cluster, wherever it was. */
struct worker *placement_choose_in(unsigned cluster, struct worker *sender, struct mailbox *mailbox);

/* The same of an actor that is to be bound to this worker. */
struct worker *placement_bind(unsigned worker, struct mailbox *mailbox);

#endif
