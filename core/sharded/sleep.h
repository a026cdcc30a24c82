/* Sleeping: an idle worker parks, and a send to one of its mailboxes wakes it. Included after the design's state.h; sleep_body.h
 * has the functions, in a file of the design's.
 *
 * The thesis leaves idle workers spinning; this is our part. It must never happen that a message lies in a mailbox
 * whose owner sleeps and that nobody is about to wake. What a send pays for that is one look at the mailbox's sleeper, on a
 * line and under a lock that it holds anyway: no fence, no other line.
 *
 * To sleep, worker V (sleep_worker)
 *     1. says that it sleeps: V.sleeping = ASLEEP;
 *     2. gives up if the executor is stopping;
 *     3. visits its slots; for each mailbox in them, under the mailbox's lock: gives up if the slot no longer holds it
 *        or if it has messages; otherwise makes V the mailbox's sleeper; then looks wherever else the design has messages;
 *     4. parks while V.sleeping == ASLEEP.
 * Giving up and waking is V.sleeping = AWAKE, and a scan of the whole range before the next try.
 *
 * A send that finds a sleeper in the mailbox takes it out and wakes that worker: it sets AWAKE, and if it was ASLEEP,
 * unparks. Who has swapped a mailbox into V's range, a thief or one that gives, wakes V if V.sleeping == ASLEEP.
 *
 * Why no message is left. Let mailbox B be in a slot of V, V parked in step 4, and a message appended to B.
 *   (a) B was in that slot when V visited it in step 3. The visit and the append take the same lock. If the append
 *       came first, V saw the message and gave up. If the visit came first, B's sleeper was V then. It still is when the
 *       append comes, or an earlier append took it out (and wakes V), or a later visitor X wrote itself there. X found B
 *       in its own slot, under the lock; so B had been swapped out of V's slot, and is there again now: case (b).
 *       (V itself cannot write there a stale visit: it looks at the slot again under the lock, after acquiring what
 *       any later owner released there, so it would have seen the swap.)
 *   (b) B came into the slot after V's visit, by a swap of some worker W. The swap's write to V's slot is sequentially
 *       consistent, and so are V's store in step 1, V's load of the slot in step 3, and W's load of V.sleeping after
 *       the swap. V's load did not see W's write, so it precedes the write in their single order; V's store precedes
 *       V's load; so W's load sees ASLEEP, or a later value: W wakes V, or somebody else did since. V then visits B.
 * A message in a mailbox that no slot holds, in the midst of a swap, belongs to who swaps, who is awake.
 */
#ifndef ACTORBENCH_SHARDED_SLEEP_H
#define ACTORBENCH_SHARDED_SLEEP_H

#include "sharding.h"
#include "worker_sleep.h"

/* Wakes the worker that an append took out of a mailbox, if it is one. From any thread. */
static inline void sleep_wake_owner(uint32_t sleeper) {
    if (unlikely(sleeper != NO_SLEEPER))
        sleep_wake(&executor.workers[sleeper]);
}

/* After a swap: wakes the other worker if it sleeps. */
static inline void sleep_wake_swapped(struct worker *other) {
    /* Sequentially consistent: pairs with the store in sleep_worker, (b) above. */
    if (unlikely(atomic_load_seq_cst(&other->sleeping) == ASLEEP))
        sleep_wake(other);
}

#endif
