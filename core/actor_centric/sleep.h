/* Sleeping: an idle worker parks, and an actor that becomes ready for it wakes it.
 *
 * A worker V sleeps on its inbox, or where there is one ready queue for all on that (ready_list_of). It
 *     1. says that it sleeps: V.sleeping = ASLEEP;
 *     2. gives up if the executor is stopping;
 *     3. puts itself on the list's sleepers, under the list's lock; gives up if the list has an actor;
 *     4. parks while V.sleeping == ASLEEP;
 *     5. takes itself off the sleepers, if no push has.
 *
 * A push to the list takes a sleeper off it, under the lock, and wakes that worker: it sets AWAKE, and if it was ASLEEP,
 * unparks. If the push came before step 3, V saw the actor and gave up; if after, V was among the sleepers, and the push
 * wakes V or, on a list for all, another one. So no actor lies on a list all of whose workers sleep. What V's own
 * deque or local queue holds V has seen: only V puts it there.
 *
 * Stopping: executor_stop stores `stopping`, then wakes all; V stores ASLEEP before it loads `stopping`, all of it
 * sequentially consistent.
 *
 * Loot. What a busy worker has queued wakes nobody by itself. So a worker that has made ready more than it will run next
 * wakes one sleeper, and thieves sleep no longer than LOOT_CHECK_NS, in case the busy worker is held up in one long
 * behaviour.
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_SLEEP_H
#define ACTORBENCH_ACTOR_CENTRIC_SLEEP_H

#include "platform/small.h"
#include "state.h"

enum sleep_state { AWAKE, ASLEEP };

enum {
    /* How long an idle worker looks for work and loot before it sleeps: about what a wake costs. */
    PATIENCE_NS = TESTED(50 * 1000, 100),
    /* How long a thief sleeps at most: PATIENCE_NS in this is 0.5 % of a CPU. */
    LOOT_CHECK_NS = TESTED(10 * 1000 * 1000, 5000),
};

/* Sleeps until there may be work for the worker, or loot, or the end. May return at once. */
void sleep_worker(struct worker *worker);

/* Wakes a worker if it sleeps or is about to. From any thread. */
void sleep_wake(struct worker *worker);

/* Wakes one sleeping worker, if any, so that it may steal from the caller. */
void sleep_wake_one(struct worker *caller);

#endif
