/* Holding: a worker with small work keeps the turns of its mailboxes, and sends to them past their queues.
 *
 * In the thesis every send goes through the mailbox's lock, though most are from one actor of a worker to another. A worker
 * that holds a mailbox keeps its turn (mailbox.h) over many gulps. What it gulps goes to the end of its run queue, and so
 * does what its behaviours send to a mailbox that it holds: a look at the mailbox's holder and at its queue's count, which
 * nobody else writes meanwhile, and a store. No lock, no atomic read-modify-write.
 *
 * Order. Of two messages from one sender to one receiver, R in mailbox D, the first runs first.
 *   (1) While worker W holds D, every message to R that is on its way is in D's queue, in its lane, in another worker's
 *       out-box, or in W's run queue, and only W takes from the first two. A message of D's queue is behind those in W's run
 *       queue: if both were sent on W, since W sends past D's queue only when it has found it empty (what W sees as empty
 *       holds nothing that the sender sent before it came to W: its mailbox's hand-over orders that); and if the sender
 *       went from W to another worker in between, since its mailbox left W with the messages to D still before W in its run
 *       queue, and whatever W gulps from D later goes behind them.
 *   (2) When D leaves W, its envelopes go from W's run queue back to D's queue, in front of what is there.
 *   (3) A message in W's out-box for D was sent before W held D, or after D left: hold_mailbox and hold_leave flush the
 *       out-boxes first. Since W flushes before any mailbox leaves it, a sender never leaves an envelope behind there.
 *
 * When not to hold. What waits in a run queue cannot be stolen. So a worker holds mailboxes only while the messages that it
 * runs are small, a microsecond or so on average (worker.c, judge). When they grow it lets go of all; when it sleeps, too;
 * and thieves take mailboxes from under it: a thief exchanges slots as ever, since a swap does no harm to a mailbox that is
 * being processed, and sets the victim's flag `robbed`; the victim lets go of what is no longer in its slots after the run
 * that it is in. A message may so be delayed by the run queue that is there when it is sent, at most: should one of its
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

/* Takes what is in a mailbox's queue to the end of the worker's run queue, and holds it from here on. False if another
 * worker processes it. */
bool hold_mailbox(struct worker *worker, struct mailbox *mailbox);

/* Lets go of mailboxes, with what is in the run queue for them. Not from a behaviour. */
void hold_leave(struct worker *worker, enum leaving which);

/* Sends to a mailbox that the worker holds, in the usual case: nothing in its queue, room in the run queue. False, and
 * nothing has happened, in any other case. */
static inline bool hold_send(struct worker *worker, struct mailbox *mailbox, struct envelope envelope) {
    if (unlikely(queue_count(&mailbox->queue) != 0 || !run_queue_has_room(&worker->runs)))
        return false;
    run_queue_put(&worker->runs, envelope);
    return true;
}

/* The same in every case. */
void hold_send_anyway(struct worker *worker, struct mailbox *mailbox, struct envelope envelope);

#endif
