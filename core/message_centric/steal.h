/* Stealing: an idle worker takes over a mailbox of another (thesis, "Stealing Mechanism").
 *
 * After SCANS_BEFORE_STEAL scans of its own range without work, a worker is a thief for one attempt: it chooses a
 * victim, looks through the victim's slots from a random start for a mailbox that has messages and is not being
 * processed, exchanges it for an empty one of its own, and returns to its own range whatever came of it. It takes no
 * lock, and its looks may be stale: mailbox.h says why that is safe. After an attempt in vain it turns to another victim.
 *
 * What is stolen from a worker costs it nothing: there is nothing about stealing on its path. (Where idle workers sleep,
 * which the thesis' do not, a worker with more than one mailbox to gulp wakes one: worker.c.)
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
