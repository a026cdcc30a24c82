/* Holding (core/message_centric/hold.h) and out-boxes (outbox.h): workers that keep the turns of their mailboxes, and put
 * what their behaviours send at the end of their run queues, past the mailboxes', against thieves that take the mailboxes
 * from under them.
 *
 * Two workers; of all mailboxes, the two that matter: A, whose actor sends, and B, whose actor receives. At first worker 0
 * has both in its slots, and nobody holds them. A thread from outside sends MESSAGES messages to A, by the lane or by the
 * queue. For each that it gets, the sender sends the next number to the receiver, from wherever it runs.
 *
 * Between its rounds a worker with an empty run queue may steal A or B or both, if they are in the other's slots, held or
 * not, with messages or without, in exchange for an empty mailbox, which may be the other one of the two; there are THEFTS
 * attempts at most. A worker may also, CHANGES times at most, find that its work is no longer small, or small again. A run
 * may end after any envelope, and an out-box may be full at any.
 *
 * Claims: the behaviours of an actor never overlap; the numbers arrive in order, each once; when nothing moves any more,
 * all have arrived, and nobody holds what was stolen from him. For that no worker need ever be idle and let go of everything:
 * being told that it was robbed is enough.
 *
 *     -DAPART                  at first B is in a slot of worker 1
 *     -DWITHOUT_OUTBOXES       there are none (--out-boxes off)
 *     -DWITHOUT_LOCAL          nothing is held: out-boxes alone (--local off)
 *
 * Steps left out:
 *     -DWITHOUT_TURN           hold_mailbox() does not look whether the mailbox is being processed
 *     -DHELD_UNSORTED          hold_collect() does not sort out the run queue before it takes a mailbox's turn
 *     -DHELD_UNFLUSHED         it does, but does not flush the out-boxes then
 *     -DMOVED_ALONE            it moves the queue of the mailbox that it has taken alone, not those of all that it holds
 *     -DLEFT_UNSORTED          hold_leave() puts aside what leaves, and passes nothing on
 *     -DLEFT_UNFLUSHED         it passes on, and does not flush the out-boxes
 *     -DKEPT                   a run does not flush the out-boxes at its end
 *     -DFULL_PASSED_BY         a send that finds no room in the run queue goes to the out-box
 *     -DAPPENDED               what a mailbox takes along when it leaves goes behind what is in its queue, not in front
 *     -DRELEASED_EARLY         a mailbox is released before it is given back what was put aside
 *     -DRELEASED_UNFLUSHED     process() releases a mailbox before it flushes the out-boxes
 *     -DHOLDS_WHILE_STEALING   a thief does not leave its mailboxes before it gives one away
 *     -DWITHOUT_ROBBED         a thief does not tell its victim
 *     -DTOLD_IF_SEEN_HELD      it does only if it has seen a stolen mailbox being processed, before it stole it
 *     -DCLEARED_LATE           the victim sets `robbed` back after it has looked at its slots, not before: as if by a store
 *                              that is still in its store buffer then
 */
#include "atomics.pml"

#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef THEFTS
#define THEFTS 2
#endif
#ifndef CHANGES
#define CHANGES 0
#endif

#define A 0
#define B 1
#define NOBODY 2 /* the slot that it was in is null */
#define GO 0     /* an envelope for the sender; one for the receiver is its number */
#define mailbox_of(envelope) (envelope == GO -> A : B)

#define LEAVE_STOLEN false
#define LEAVE_ALL true

/* Of each mailbox: */
byte owner[2];                         /* in whose slots it is */
bool processed[2];                     /* whether mailbox.turn is odd */
chan queue[2] = [MESSAGES] of { byte } /* mailbox.queue */
bool running[2];                       /* a behaviour of its actor runs */

bool robbed[2];                        /* of each worker: worker.robbed */
byte in_lane;                          /* A's lane_count() */
byte sent;                             /* the sender's: its last number */
byte received;                         /* the receiver's: its last number */
byte thefts;
byte changes;
bool over;                             /* nothing moves any more */

/* Moves all envelopes from one queue to the end of another. */
inline move(from, to) {
    do
    :: len(from) > 0 -> from ? envelope; to ! envelope
    :: else -> break
    od;
    envelope = 0
}

/* Which of the two comes first, in the slots or in the list of what is held */
inline choose_first() {
    if
    :: first = A
    :: first = B
    fi
}

/* ---- Passing on ---- */

/* outbox_flush(), which is deliver_box() of the one out-box: mailbox_append_block(), under the lock */
inline flush() {
    d_step { move(outbox, queue[B]) }
}

/* hold_pass_on(): outbox_send(), outbox_send_anyway(), or mailbox_append(), under the lock */
inline pass_on(number) {
#ifdef WITHOUT_OUTBOXES
    queue[B] ! number
#else
    if
    :: len(outbox) > 0 -> flush() /* the block was full */
    :: skip
    fi;
    outbox ! number
#endif
}

/* sort_out(), put_aside(): whether it passes on what is for mailboxes that are not held, and flushes the out-boxes */
inline sort_out(passes, flushes) {
    count = len(runs);
    do
    :: count > 0 ->
        atomic { count--; runs ? letter };
        if
        :: passes && !holds[mailbox_of(letter)] -> pass_on(letter)
        :: leaving[mailbox_of(letter)] -> aside[mailbox_of(letter)] ! letter
        :: else -> runs ! letter
        fi;
        letter = 0
    :: else -> break
    od;
    if
    :: flushes -> flush()
    :: else
    fi
}

/* ---- Taking ---- */

#define waits(mailbox) (len(queue[mailbox]) > 0 || (mailbox == A && in_lane > 0)) /* mailbox_count() */
#define is_free(self, mailbox) (owner[mailbox] == self && waits(mailbox) && !processed[mailbox])

#ifdef WITHOUT_TURN
#define may_hold(mailbox) true
#else
#define may_hold(mailbox) (!processed[mailbox])
#endif

#ifdef MOVED_ALONE
#define moves(mailbox) (holds[mailbox] && (!sorted || fresh[mailbox]))
#else
#define moves(mailbox) holds[mailbox]
#endif

#ifdef HELD_UNFLUSHED
#define HELD_FLUSHES false
#else
#define HELD_FLUSHES true
#endif

/* What hold_collect() does at a slot: is_new(), sort_out() before the first, hold_mailbox() */
inline hold_new(self, mailbox) {
    if
    :: !holds[mailbox] && is_free(self, mailbox) ->
#ifndef HELD_UNSORTED
        if
        :: !sorted -> sort_out(true, HELD_FLUSHES)
        :: else
        fi;
#endif
        d_step { /* under the lock */
            sorted = true;
            if
            :: may_hold(mailbox) ->
                processed[mailbox] = true;
#ifdef MOVED_ALONE
                fresh[mailbox] = true;
#endif
                holds[mailbox] = true
            :: else
            fi
        }
    :: else
    fi
}

/* take_queue(), under the lock */
inline take_queue(mailbox) {
    d_step {
        if
        :: moves(mailbox) -> move(queue[mailbox], runs)
        :: else
        fi
    }
}

/* hold_collect() */
inline collect(self) {
    choose_first();
    hold_new(self, first);
    hold_new(self, 1 - first);
    take_queue(first);
    take_queue(1 - first);
#ifdef MOVED_ALONE
    d_step { fresh[A] = false; fresh[B] = false };
#endif
    d_step { sorted = false; first = 0 }
}

/* ---- Letting go ---- */

/* mark(), for one mailbox */
#define leaves(self, mailbox, all) (holds[mailbox] && (all || owner[mailbox] != self))

/* block_queue_prepend_blocks(), under the lock */
inline give_back(mailbox) {
    d_step {
#ifndef APPENDED
        move(queue[mailbox], aside[mailbox]);
#endif
        move(aside[mailbox], queue[mailbox])
    }
}

/* release(), mailbox_release() */
inline release(mailbox) {
    if
    :: leaving[mailbox] ->
#ifdef RELEASED_EARLY
        processed[mailbox] = false;
#endif
        if
        :: len(aside[mailbox]) > 0 -> give_back(mailbox)
        :: else
        fi;
        d_step {
#ifndef RELEASED_EARLY
            processed[mailbox] = false;
#endif
            holds[mailbox] = false;
            leaving[mailbox] = false
        }
    :: else
    fi
}

#ifdef LEFT_UNSORTED
#define LEFT_PASSES false
#else
#define LEFT_PASSES true
#endif
#ifdef LEFT_UNFLUSHED
#define LEFT_FLUSHES false
#else
#define LEFT_FLUSHES LEFT_PASSES
#endif

/* hold_leave() */
inline leave(self, all) {
    choose_first();
    leaving[first] = leaves(self, first, all);
    leaving[1 - first] = leaves(self, 1 - first, all);
    sort_out(LEFT_PASSES, LEFT_FLUSHES);
    release(first);
    release(1 - first);
    first = 0
}

/* ---- Behaviours ---- */

#ifdef WITHOUT_LOCAL
#define local false
#else
#define local true
#endif

/* actor_post() of the sender, post_otherwise() */
inline post(number) {
    if
    :: fine && local -> runs ! number /* run_queue_put(), run_queue_append() */
#ifdef FULL_PASSED_BY
    :: fine && local -> pass_on(number)
#endif
    :: fine && !local -> pass_on(number)
    :: else -> queue[B] ! number /* mailbox_append(), under the lock */
    fi
}

/* deliver() to the sender */
inline deliver_go() {
    d_step { assert(!running[A]); running[A] = true; sent++ };
    post(sent);
    running[A] = false
}

/* deliver() to the receiver */
inline deliver_number(number) {
    d_step { assert(!running[B]); running[B] = true };
    d_step { received++; assert(number == received); running[B] = false }
}

/* Runs the first envelope of the run queue: deliver_or_pass_on(); nobody passes on to A, whose messages all come from
 * outside */
inline run_one() {
    runs ? letter;
    if
    :: letter == GO -> assert(holds[A] || gulped); deliver_go()
    :: letter != GO && (holds[B] || gulped) -> deliver_number(letter)
    :: else -> pass_on(letter)
    fi;
    letter = 0
}

/* run_lane() of what is in A's lane now: waiting_in_lane(), lane_run() */
inline run_lane() {
    by_lane = in_lane;
    do
    :: by_lane > 0 -> d_step { by_lane--; in_lane-- }; deliver_go()
    :: else -> break
    od
}

/* ---- A worker's rounds ---- */

/* Whether there is something for run_held() to do. A worker does not go for what it sees another process: in vain. */
#define finds(self, mailbox) (is_free(self, mailbox) || (holds[mailbox] && waits(mailbox)))
#define finds_any(self) (finds(self, A) || finds(self, B) || len(runs) > 0 || flushable || robbed[self])

#ifdef KEPT
#define flushable false
#else
#define flushable (len(outbox) > 0)
#endif

/* run_held() */
inline run_held(self) {
    collect(self);
    if
    :: holds[A] -> run_lane() /* run_lanes() */
    :: else
    fi;
    do /* run_queue_run() */
    :: len(runs) > 0 -> run_one()
    :: break
    od;
#ifndef KEPT
    flush();
#endif
    if
    :: robbed[self] ->
#ifndef CLEARED_LATE
        robbed[self] = false;
#endif
        leave(self, LEAVE_STOLEN);
#ifdef CLEARED_LATE
        robbed[self] = false
#endif
    :: else
    fi
}

/* process(): gulp, run, release, of a worker that does not hold mailboxes */
inline process(mailbox) {
    d_step { /* mailbox_gulp(), under the lock */
        if
        :: !processed[mailbox] && waits(mailbox) ->
            gulped = true;
            processed[mailbox] = true;
            move(queue[mailbox], runs) /* worker.local, here: the run queue is empty */
        :: else
        fi
    };
    if
    :: gulped ->
        do /* queue_drain() */
        :: len(runs) > 0 -> run_one()
        :: else -> break
        od;
        if
        :: mailbox == A && in_lane > 0 -> run_lane()
        :: else
        fi;
        gulped = false;
#ifdef RELEASED_UNFLUSHED
        processed[mailbox] = false;
        flush()
#else
        flush();
        processed[mailbox] = false /* mailbox_release() */
#endif
    :: else
    fi
}

/* judge(): work_openly(), work_finely() */
inline judge(self) {
    if
    :: fine -> fine = false; leave(self, LEAVE_ALL)
    :: else -> fine = true
    fi
}

/* slots_swap(): `loot` from the victim's slots for `mine`, or for an empty mailbox. Each write to a slot is one step. */
inline swap(self, victim, loot, mine) {
    if
    :: mine != NOBODY -> cas(owner[mine], self, NOBODY, swapped)
    :: else -> swapped = true
    fi;
    if
    :: swapped ->
        d_step { /* the victim's slot; if that fails, the thief's own again */
            swapped = (owner[loot] == victim);
            if
            :: mine != NOBODY -> owner[mine] = (swapped -> victim : self)
            :: else
            fi;
            if
            :: swapped -> owner[loot] = NOBODY
            :: else
            fi
        };
        if
        :: swapped -> owner[loot] = self
        :: else
        fi
    :: else
    fi
}

/* steal_attempt(): take() of one, or take_half(), and tell(). Either tells the victim: it may have come to hold since the
 * thief's look what nobody held then. Whether the thief awaits() something makes no difference here. */
inline steal(self, victim) {
#ifndef HOLDS_WHILE_STEALING
    leave(self, LEAVE_ALL);
#endif
    do
    :: atomic { thefts > 0 -> thefts-- };
        if
        :: atomic { owner[A] == victim -> loot = A }
        :: atomic { owner[B] == victim -> loot = B }
        :: else -> break
        fi;
        mine = NOBODY; /* slot_to_give(): an empty mailbox */
        if
        :: owner[1 - loot] == self && !waits(1 - loot) -> mine = 1 - loot /* or the other */
        :: skip
        fi;
#ifdef TOLD_IF_SEEN_HELD
        seen_held = processed[loot];
        swap(self, victim, loot, mine);
        success = success || (swapped && seen_held);
        seen_held = false;
#else
        swap(self, victim, loot, mine);
        success = success || swapped;
#endif
        loot = 0; mine = 0; swapped = false
    :: break
    od;
#ifndef WITHOUT_ROBBED
    if
    :: success -> robbed[victim] = true /* tell() */
    :: else
    fi;
#endif
    success = false
}

/* worker_main() */
proctype worker(byte self) {
    chan runs = [MESSAGES] of { byte };     /* its run queue, */
    chan outbox = [MESSAGES] of { byte };   /* its out-box for B, */
    chan aside[2] = [MESSAGES] of { byte }; /* what it has put aside for A and for B: held.first */
    bool holds[2];                          /* whether mailbox.holder is this worker: others take it for a hint */
    bool leaving[2];                        /* held.leaves */
    bool fine = true;                       /* whether its work is small */
    bool gulped, sorted, swapped, success;
#ifdef TOLD_IF_SEEN_HELD
    bool seen_held;
#endif
#ifdef MOVED_ALONE
    bool fresh[2];
#endif
    byte envelope, letter, count, by_lane, loot, mine, first;
end_idle:
    do
    :: fine && local && finds_any(self) -> run_held(self)
    :: !(fine && local) && is_free(self, A) -> process(A) /* scan() */
    :: !(fine && local) && is_free(self, B) -> process(B)
    :: thefts > 0 && len(runs) == 0 -> steal(self, 1 - self) /* idle() */
    :: atomic { changes > 0 -> changes-- }; judge(self)
    :: over -> break
    od;
    assert(!leaves(self, A, LEAVE_STOLEN) && !leaves(self, B, LEAVE_STOLEN))
}

/* A thread from outside: actor_post(), which is post_by_lane() or mailbox_append() */
proctype outside(byte messages) {
    do
    :: messages > 0 ->
        messages--;
        if
        :: in_lane++
        :: queue[A] ! GO
        fi
    :: else -> break
    od
}

init {
    atomic {
        select (thefts : 0 .. THEFTS);
        select (changes : 0 .. CHANGES);
#ifdef APART
        owner[B] = 1;
#endif
        run worker(0);
        run worker(1);
        run outside(MESSAGES)
    }
    timeout;
    assert(received == MESSAGES);
    over = true
}
