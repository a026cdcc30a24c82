/* Stealing: an idle worker takes ready actors of another (React++, 3.5 and 3.6; locality paper, 3.1).
 *
 * Of a deque it takes the actor that was pushed first, or if there is none the first of the inbox; of lqoq the whole
 * orchestration queue, by a swap with its own empty local queue: in constant time, however much that is. (So figure 3.3 and
 * the text beside it. Algorithm 3, which algorithm 2 calls for a theft as well, would leave half of three or more.) The victim:
 * any other worker of the thief's cluster, or a near one first. What is bound to a worker is in neither.
 *
 * What is loot? (--loot)
 *     any       the first that is found, as in the sources. Where few actors are busy, that takes an actor which its worker
 *               was just about to run, and with it, placed by its sender, what it talks to: two workers then play ball.
 *     waiting   two or more in one queue; of a single one a thief only takes note, and takes it if it still waits
 *               there LOOT_WAIT_NS later.
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_STEAL_H
#define ACTORBENCH_ACTOR_CENTRIC_STEAL_H

#include "platform/small.h"
#include "state.h"

enum { LOOT_WAIT_NS = TESTED(5000, 100) };

/* One attempt of an idle worker, in an executor that steals: an actor to be run, or NULL. */
struct mailbox *steal_attempt(struct worker *thief);

#endif
