/* Stealing: an idle worker takes over a mailbox of another (thesis, "Stealing Mechanism").
 *
 * After --scans-before-steal scans of its own range without work, two by default, a worker is a thief for one attempt (the
 * section's second outline, "In more detail"): it chooses a victim (sharded/victim.h), looks through the victim's slots, from
 * the first on, for a mailbox that has messages and is not being processed, exchanges it for an empty one of its own (step 2
 * there), and returns to its own range whatever came of it (step 3). It takes no lock, and its looks may be stale: mailbox.h
 * says why that is safe. --search random looks from a random slot on, as the chapter's draft has it.
 *
 * What is stolen is "placed at the end of the scan" (the first outline): the thief has looked at all else that is its own
 * before. A scan goes through the slots in a cycle. The mailbox given away is the empty one that the next scan would come to
 * first; the scan then begins with the slot after it, and ends with what was stolen. So the slots for thefts take turns, and
 * what was stolen last is the last to be given away.
 *
 * With --steal-backoff double each attempt in vain doubles the scans before the next, until there are LONGEST_WAIT of them or
 * more; work and loot end that. (The thesis leaves a back-off to future work, for where there is too little to do: "Stealing
 * Problem".)
 *
 * What is stolen from a worker costs it nothing: there is nothing about stealing on its path. (Where idle workers sleep,
 * which the thesis' do not, a worker with more than one mailbox to gulp wakes one: worker.c.)
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_STEAL_H
#define ACTORBENCH_MESSAGE_CENTRIC_STEAL_H

#include "platform/small.h"
#include "state.h"

enum { LONGEST_WAIT = TESTED(1024, 4) };

/* One attempt of an idle worker; whether it got a mailbox. In executors that steal. */
bool steal_attempt(struct worker *thief);

/* The worker has done a scan without work, the first since it had some. */
void steal_begin(struct worker *thief);

/* After each scan without work, that one too, in executors that steal: an attempt, if it is time for one. */
void steal_after_scan(struct worker *thief);

/* The worker has slept, which is a back-off itself: that of its attempts is over. */
void steal_after_sleep(struct worker *thief);

#endif
