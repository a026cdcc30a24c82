/* Stealing: an idle worker takes over a mailbox of another (thesis, "Stealing Mechanism").
 *
 * After SCANS_BEFORE_STEAL scans of its own range without work, a worker is a thief for one attempt: it chooses a
 * victim, looks through the victim's slots from a random start for a mailbox that has messages and is not being
 * processed, exchanges it for an empty one of its own, and returns to its own range whatever came of it. It takes no
 * lock, and its looks may be stale: mailbox.h says why that is safe. After an attempt in vain it turns to another victim.
 *
 * Which mailbox is loot? (--loot)
 *   any         the first that is found with messages, as in the thesis. Where few actors are busy, that takes mailboxes
 *               which their owner was just about to gulp: two workers then play ball with one actor.
 *   waiting     a thief only notes such a mailbox as its suspect, and takes it at its next attempt, two scans later, if
 *               it still has messages and was not gulped in between: the owner has too much to do.
 *   worthwhile  besides, its messages must be worth the way. A message that runs far from its sender and from its actor's
 *               last worker costs some CROSSING_NS more. N workers that pay that are slower than one that does not, if
 *               the work of a message is under CROSSING_NS / N; such a mailbox is left where it is. Workers measure the
 *               work in passing, in gulps of MEASURED_GULP messages or more, and in smaller ones together; a mailbox with
 *               no large gulp is judged by what its owner measured last, or else the thief. What is not known to be worth it is taken when it has waited for
 *               LONG_WAIT_NS behind what its owner does.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_STEAL_H
#define ACTORBENCH_MESSAGE_CENTRIC_STEAL_H

#include "platform/small.h"
#include "state.h"

#ifndef SCANS_BEFORE_STEAL
#define SCANS_BEFORE_STEAL 2 /* builds that hunt for errors steal at once */
#endif

enum {
    CROSSING_NS = 200,             /* three or four cache lines from another core */
    MEASURED_GULP = TESTED(64, 2), /* two looks at a clock cost under 1 ns a message */
    LONG_WAIT_NS = TESTED(20 * 1000 * 1000, 1000),
};

/* One attempt of an idle worker, in an executor that steals. */
void steal_attempt(struct worker *thief);

/* For a worker that has found a second mailbox to gulp in one scan: if that is loot, wakes a sleeping worker. */
void steal_invite(struct worker *busy);

#endif
