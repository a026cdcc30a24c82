/* Holding: a worker with small work keeps the turns of its mailboxes, and runs what its behaviours send to them itself.
 *
 * In the thesis every send goes through the mailbox's lock, though most are from one actor of a worker to another. A worker
 * that holds a mailbox keeps its turn (mailbox.h) over many gulps. What it gulps goes to the end of its run queue, and so
 * does whatever its behaviours send: a store, with no look at the receiver. When an envelope's time comes, the worker runs
 * it if it holds the receiver's mailbox; if not, it passes it on, by an out-box (outbox.h) or to the mailbox's queue. No
 * lock and no atomic read-modify-write for what stays; and a send does not wait for the receiver's line, which another
 * worker may have just written.
 *
 * Order. Of two messages from one sender to one receiver in mailbox D, the first runs first.
 *   Both sent on worker W: they are in its run queue in this order. If W neither takes nor gives away mailboxes between the
 *   two, both run, or both are passed on in this order.
 *   (1) Before W takes a mailbox, it passes on whatever is in its run queue for mailboxes that it does not hold, and flushes
 *       its out-boxes; and before it runs anything of what it has taken, it moves what is in the queues of all mailboxes
 *       that it holds to its run queue. So what a sender sent to D before D came to W, or before the sender's mailbox did,
 *       is ahead of what it sends afterwards (the hand-over of the mailbox makes it visible).
 *   (2) Before a mailbox leaves W, W passes on and flushes likewise; what is in the run queue for D, if D leaves, goes back
 *       to D's queue, in front of what is there. So what a sender sends elsewhere, after it has left W, is behind what it
 *       sent on W: in D's queue, or in W's run queue while D's is moved to the end of that.
 *   While W holds D, only W takes from D's queue.
 *
 * When not to hold. What waits in a run queue cannot be stolen. So a worker holds mailboxes only while the messages that it
 * runs are small, a microsecond or so on average (worker.c, judge). When they grow it lets go of all; when it sleeps, too;
 * and thieves take mailboxes from under it: a thief exchanges slots as ever, since a swap does no harm to a mailbox that is
 * being processed, and sets the victim's flag `robbed`; the victim lets go of what is no longer in its slots after the run
 * that it is in. A message is so delayed by the run queue that is there when it is sent, at most: should one of its
 * behaviours suddenly be long, what is behind waits for it.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_HOLD_H
#define ACTORBENCH_MESSAGE_CENTRIC_HOLD_H

#include "state.h"

/* Which mailboxes leave a worker. */
enum leaving { LEAVE_STOLEN, LEAVE_ALL };

static inline struct worker *hold_holder(const struct mailbox *mailbox) {
    /* Relaxed: only a worker itself ever writes its own name there, or takes it out; any other is not its own. */
    return atomic_load_relaxed(&mailbox->holder);
}

/* Takes the mailboxes of the worker's range that have messages and are nobody's, and moves what is in the queues of all
 * that it holds to the end of its run queue; how many queues had something. Not from a behaviour. */
unsigned hold_collect(struct worker *worker);

/* Lets go of mailboxes, with what is in the run queue for them. Not from a behaviour. */
void hold_leave(struct worker *worker, enum leaving which);

/* Sends an envelope to a mailbox that the worker does not hold. Its members come one by one: were it passed whole, the
 * compiler would read it in pieces larger than those that a send has just written, and such a load waits for the cache. */
void hold_pass_on(struct worker *worker, struct mailbox *mailbox, struct actor *actor, struct message *message,
                  behaviour *reaction);

#endif
