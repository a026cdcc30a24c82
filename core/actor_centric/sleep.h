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
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_SLEEP_H
#define ACTORBENCH_ACTOR_CENTRIC_SLEEP_H

#include "state.h"
#include "worker_sleep.h"

#endif
