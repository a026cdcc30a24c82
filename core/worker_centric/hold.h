/* Holding: a worker keeps its mailboxes, and runs what its behaviours send to them itself.
 *
 * In the thesis every send goes through the mailbox's lock, though most are from one actor of a worker to another. A worker
 * that holds a mailbox (mailbox.h) keeps it over many runs. What it finds in the mailbox's queue or lane goes to the end of
 * its run queue, and so does whatever its behaviours send: a store, with no look at the receiver. When an envelope's time
 * comes, the worker runs it if it holds the receiver's mailbox; if not, it passes it on, by an out-box (outbox.h) or to the
 * mailbox's queue. No lock and no atomic read-modify-write for what stays; and a send does not wait for the receiver's line,
 * which another worker may have just written.
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
 *       sent on W: in D's queue, or in W's run queue while D's is moved to the end of that. In the midst of a behaviour (give.h)
 *       this is done with all that is behind its envelope, and its actor's mailbox stays: nothing else is ahead of what leaves.
 *   Who is alone runs whatever is in its run queue, held or not, and so passes nothing on, or else a later message of x to y
 *   would run from the run queue before an earlier one that was passed on to y's mailbox.
 *   While W holds D, only W takes from D's queue. A thread outside sends to D by D's queue or by D's lane, never by both; what
 *   W takes from the lane goes behind what was in the queue, to which it goes back if D leaves.
 *
 * Borrowing. To hand a message to an idle worker takes longer than many a behaviour. So at the end of a run, when it empties its
 * out-boxes, a worker looks which of their mailboxes nobody holds, since their workers are idle. It takes those that are its
 * own, and those of others if what it has for them takes less time than to hand it over, as far as it knows: by all that it
 * runs, and by what it borrowed last, which it measures by itself (pace.h). Order is kept without (1): what is in the out-box
 * goes in front of the run queue, ahead of all that is there for the mailbox, if nothing waits in the mailbox's queue that it
 * could overtake; and if something does, but nothing in the run queue, behind that. To a borrowed mailbox's worker nothing has
 * changed: it finds it held, as one that was exchanged, and it is the mailbox's sleeper still. The borrower lets go of it
 * whenever it lets go of any that is in its slots no more. Others' are not taken without stealing, which is how their workers
 * get work then.
 *
 * What waits in a run queue cannot be stolen. So a run is short (pace.h), it ends when anybody calls, and a worker that is
 * asked gives of what waits (give.h): no message is kept from an idle worker for longer than the behaviour that is running.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_HOLD_H
#define ACTORBENCH_WORKER_CENTRIC_HOLD_H

#include "state.h"

/* Which mailboxes leave a worker. */
enum leaving {
    LEAVE_MOVED, /* those that are no longer in its slots */
    LEAVE_ALL,
    LEAVE_HALF, /* those, and others: half of what waits, or somewhat less, with what is to be passed on in any case */
};

/* Which mailboxes a worker takes. */
enum collecting {
    COLLECT_ALL, /* of its range, that have messages and are nobody's */
    COLLECT_ONE, /* one of these, in turn: what is held cannot be stolen */
};

/* What hold_collect has found. */
struct collected {
    unsigned queues;     /* so many had something */
    uint64_t from_lanes; /* messages */
    uint64_t in_lanes;   /* messages that are left there */
    uint64_t left;       /* messages of mailboxes that could have been taken as well */
};

/* Takes mailboxes, and moves what is in the queues and lanes of all that it holds to the end of its run queue. Not from a behaviour. */
struct collected hold_collect(struct worker *worker, enum collecting which);

/* Lets go of mailboxes, with what is in the run queue for them, in their queues then; how many messages LEAVE_HALF has so let
 * go of or passed on. Not from a behaviour. */
uint64_t hold_leave(struct worker *worker, enum leaving which);

/* In the midst of a behaviour of that actor's: passes on, and lets go of mailboxes, but not of that actor's: LEAVE_ALL, if any message goes with them;
 * LEAVE_HALF, so that half of what waits goes, or somewhat more; LEAVE_MOVED, only if so half goes already. How many messages, by a sample but for
 * LEAVE_ALL. With what is to run before them taken off the run queue. */
uint64_t hold_leave_midway(struct worker *worker, struct actorbench_actor *running, enum leaving which);

enum { SAMPLE_STEP = 16 };

/* Whether LEAVE_HALF would find a half, as far as every SAMPLE_STEP-th message of the run queue says: in so much less time. Not from a behaviour. */
bool hold_seems_divisible(struct worker *worker);

/* At the end of a run: empties the out-boxes, into the run queue what is for a mailbox that the worker takes, and else into the
 * mailboxes' queues, and wakes who sleeps there. Not from a behaviour. */
void hold_end_run(struct worker *worker);

/* For a worker that has passed on to a mailbox that nobody holds: ends the run, if it will take the mailbox then. From a run. */
void hold_meet(struct worker *worker, const struct mailbox *mailbox);

/* Sends an envelope to a mailbox that the worker does not hold. Its members come one by one: were it passed whole, the
 * compiler would read it in pieces larger than those that a send has just written, and such a load waits for the cache. */
void hold_pass_on(struct worker *worker, struct mailbox *mailbox, struct actorbench_actor *actor,
                  struct actorbench_message *message, actorbench_behaviour *reaction STAMPED(, uint64_t sent));

#endif
