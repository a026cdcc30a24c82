/* Stealing: an idle worker looks for work with others (thesis, "Stealing Mechanism", and private deques: give.h).
 *
 * After SCANS_BEFORE_STEAL rounds without work a worker is a thief for one attempt. It chooses a victim (sharded/victim.h), and
 * if what waits there is worth the way, as far as the victim has said when its last run began, asks for it. The victim
 * answers at the end of its behaviour, or in the midst of one that sends very many, and what it gives is then in the thief's slots.
 *
 * A victim of coarse messages does not hold what it does not run (give.h). If two mailboxes with messages are in its slots, the thief takes one of
 * them, in exchange for an empty one, as in the thesis; a single one the victim will have come to sooner.
 *
 * Besides, a thief has its eye on one worker at a time, its suspect. One that has begun no run for STUCK_NS may be in a long
 * behaviour, or have no CPU: that one it asks whatever was said; and if the suspect has any mailbox with messages that nobody
 * holds, the thief takes it.
 *
 * What is promised: docs/correctness.md, "How long a message waits".
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_STEAL_H
#define ACTORBENCH_WORKER_CENTRIC_STEAL_H

#include "platform/small.h"
#include "state.h"

#ifndef SCANS_BEFORE_STEAL
#define SCANS_BEFORE_STEAL 2 /* builds that hunt for errors steal at once */
#endif

enum { STUCK_NS = TESTED(20 * 1000, 0) };

/* One attempt of an idle worker, in an executor that steals. */
void steal_attempt(struct worker *thief);

#endif
