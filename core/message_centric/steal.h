/* Stealing: an idle worker takes over a mailbox of another (thesis, "Stealing Mechanism").
 *
 * After SCANS_BEFORE_STEAL scans of its own range without work, a worker is a thief for one attempt: it chooses a
 * victim, looks through the victim's slots from a random start for a mailbox that has messages and is not being
 * processed, exchanges it for an empty one of its own, and returns to its own range whatever came of it. It takes no
 * lock, and its looks may be stale: mailbox.h says why that is safe.
 *
 * Which mailbox is loot? The thesis takes the first that is found with messages (`--loot any`). Where few actors are
 * busy, that takes mailboxes which their owner was just about to gulp: two workers then play ball with one actor. So
 * by default (`--loot waiting`) a thief only notes the mailbox, and takes it at its next attempt, two scans later, if
 * it still has messages and was not gulped in between: if it waits, the owner has too much to do.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_STEAL_H
#define ACTORBENCH_MESSAGE_CENTRIC_STEAL_H

#include "state.h"

#ifndef SCANS_BEFORE_STEAL
#define SCANS_BEFORE_STEAL 2 /* builds that hunt for errors steal at once */
#endif

/* One attempt of an idle worker, in an executor that steals. */
void steal_attempt(struct worker *thief);

#endif
