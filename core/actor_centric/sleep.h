/* Sleeping: an idle worker parks, and an actor that becomes ready for it wakes it.
 *
 * A worker V sleeps on its inbox, or where there is one ready queue for a cluster on that (ready_list_of). It
 *     1. says that it sleeps: V.sleeping = ASLEEP;
 *     2. gives up if the executor is stopping;
 *     3. gives up if the list of what is bound to it has an actor, by a look under that list's lock;
 *     4. puts itself on the list's sleepers, under the list's lock; gives up if the list has an actor;
 *     5. parks while V.sleeping == ASLEEP;
 *     6. takes itself off the sleepers, if no push has.
 *
 * A push to the list takes a sleeper off it, under the lock, and wakes that worker: it sets AWAKE, and if it was ASLEEP,
 * unparks. If the push came before step 4, V saw the actor and gave up; if after, V was among the sleepers, and the push
 * wakes V or, on a list for all, another one. So no actor lies on a list all of whose workers sleep. What V's own
 * deque or local queue holds V has seen: only V puts it there.
 *
 * Nobody is among the sleepers of what is bound to V: who has pushed an actor there wakes V, whether it sleeps or not. If the push
 * came before step 3, V saw the actor; if after, V had said that it sleeps, and the lock has told the pusher so.
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_SLEEP_H
#define ACTORBENCH_ACTOR_CENTRIC_SLEEP_H

#include "state.h"
#include "worker_sleep.h"

#endif
