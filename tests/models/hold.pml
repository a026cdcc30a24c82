/* Holding (core/message_centric/hold.h) and out-boxes (outbox.h): workers that keep the turns of their mailboxes and send
 * past their queues, against thieves that take the mailboxes from under them.
 *
 * Two workers; of all mailboxes, the two that matter: A, whose actor sends, and B, whose actor receives. At first worker 0
 * has both in its slots, and holds them. A thread from outside sends MESSAGES messages to A, by the lane or by the queue.
 * For each that it gets, the sender sends the next number to the receiver, from wherever it runs.
 *
 * Between its rounds a worker may steal A or B or both, if they are in the other's slots, held or not, with messages or
 * without, in exchange for an empty mailbox or for the other one of the two; THEFTS mailboxes are stolen at most. It may
 * also, CHANGES times at most, find that its work is no longer small, or small again. A run may end after any message, and
 * an out-box may be full at any.
 *
 * Claims: the behaviours of an actor never overlap; the numbers arrive in order, each once; when nothing moves any more,
 * all have arrived. For that no worker need ever be idle and let go of everything: being told that it was robbed is enough.
 *
 *     -DWITHOUT_OUTBOXES       there are none (--out-boxes off)
 *
 * Steps left out:
 *     -DWITHOUT_TURN           hold_mailbox() does not look whether the mailbox is being processed
 *     -DWITHOUT_LOOK           hold_send() does not look at the queue
 *     -DFLUSHED_LATE           the out-boxes are flushed when mailboxes have left, not before
 *     -DHELD_UNFLUSHED         hold_mailbox() does not flush the out-box of the mailbox
 *     -DAPPENDED               what a mailbox takes along when it leaves goes behind what is in its queue, not in front
 *     -DRELEASED_EARLY         a mailbox is released before it is given back what was put aside
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
byte thefts = THEFTS;
byte changes = CHANGES;

/* Moves all envelopes from one queue to the end of another. */
inline move(from, to) {
    do
    :: len(from) > 0 -> from ? envelope; to ! envelope
    :: else -> break
    od;
    envelope = 0
}

/* ---- Out-boxes ---- */

/* outbox_flush(), which is deliver_box() of the one out-box: mailbox_append_block(), under the lock */
inline flush() {
    atomic {
        if
        :: len(outbox) > 0 -> d_step { move(outbox, queue[B]) }
        :: else
        fi
    }
}

/* outbox_send(), outbox_send_anyway() */
inline outbox_send(number) {
    if
    :: len(outbox) > 0 -> flush() /* the block was full */
    :: skip
    fi;
    outbox ! number
}

/* ---- Holding ---- */

#ifdef WITHOUT_TURN
#define may_hold(mailbox) true
#else
#define may_hold(mailbox) (holds[mailbox] || !processed[mailbox])
#endif

/* hold_mailbox(): under the lock, but for the flush; take_queue() */
inline hold(mailbox) {
#ifndef HELD_UNFLUSHED
    if
    :: mailbox == B && len(outbox) > 0 -> flush()
    :: else
    fi;
#endif
    d_step {
        if
        :: may_hold(mailbox) ->
            holds[mailbox] = true;
            processed[mailbox] = true;
            move(queue[mailbox], runs)
        :: else
        fi
    }
}

/* hold_send(), hold_send_anyway() */
inline hold_send(number) {
#ifndef WITHOUT_LOOK
    if
    :: len(queue[B]) > 0 -> hold(B)
    :: else
    fi;
#endif
    runs ! number
}

/* choose(), for one mailbox: `held.stays` if slot_mailbox() has it */
inline choose(self, mailbox, all) {
    atomic {
        if
        :: holds[mailbox] && (all || owner[mailbox] != self) ->
            holds[mailbox] = false;
            leaving[mailbox] = true
        :: else
        fi
    }
}

/* sort_out(), put_aside() */
inline sort_out() {
    d_step {
        count = len(runs);
        do
        :: count > 0 ->
            count--;
            runs ? envelope;
            if
            :: holds[mailbox_of(envelope)] -> runs ! envelope
            :: else -> aside[mailbox_of(envelope)] ! envelope
            fi
        :: else -> break
        od;
        envelope = 0
    }
}

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
#ifdef RELEASED_EARLY
    processed[mailbox] = false;
#endif
    if
    :: len(aside[mailbox]) > 0 -> give_back(mailbox)
    :: else
    fi;
    atomic { processed[mailbox] = false; leaving[mailbox] = false }
}

/* hold_leave() */
inline leave(self, all) {
#ifndef FLUSHED_LATE
    flush();
#endif
    choose(self, A, all);
    choose(self, B, all);
    if
    :: leaving[A] || leaving[B] -> sort_out()
    :: else
    fi;
    if
    :: leaving[A] -> release(A)
    :: else
    fi;
    if
    :: leaving[B] -> release(B)
    :: else
    fi;
#ifdef FLUSHED_LATE
    flush()
#endif
}

/* ---- Behaviours ---- */

/* actor_post() of the sender, post_quickly(), post_slowly() */
inline post(number) {
    if
    :: holds[B] -> hold_send(number) /* hold_holder() */
#ifndef WITHOUT_OUTBOXES
    :: !holds[B] && fine -> outbox_send(number)
    :: !holds[B] && !fine -> queue[B] ! number /* mailbox_append(), under the lock */
#else
    :: else -> queue[B] ! number
#endif
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
    d_step { received++; assert(number == received); running[B] = false; number = 0 }
}

/* Runs the first envelope of the run queue. */
inline run_one() {
    runs ? letter;
    if
    :: letter == GO -> deliver_go()
    :: else -> deliver_number(letter)
    fi
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

/* What next_waiting() finds; but a worker does not go for what it sees another process, which would be in vain. */
#define waits(mailbox) (len(queue[mailbox]) > 0 || (mailbox == A && in_lane > 0))
#define finds(self, mailbox) \
    (owner[mailbox] == self && waits(mailbox) && (holds[mailbox] || !processed[mailbox]))
#define finds_any(self) (finds(self, A) || finds(self, B))

/* collect() */
inline collect(self) {
    if
    :: finds(self, A) ->
        hold(A);
        if
        :: holds[A] && in_lane > 0 -> run_lane()
        :: else
        fi
    :: else
    fi;
    if
    :: finds(self, B) -> hold(B)
    :: else
    fi
}

/* run_held() */
inline run_held(self) {
    collect(self);
    do /* run_queue_run() */
    :: len(runs) > 0 -> run_one()
    :: break
    od;
#ifndef FLUSHED_LATE
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
    fi;
#ifdef FLUSHED_LATE
    flush()
#endif
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
        processed[mailbox] = false /* mailbox_release() */
    :: else
    fi
}

/* judge(), work_openly() */
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

/* steal_attempt(): take() of one, or take_half(). Either tells the victim: it may have come to hold since the thief's look
 * what nobody held then. */
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
        :: owner[1 - loot] == self -> mine = 1 - loot /* or the other */
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
    :: success -> robbed[victim] = true
    :: else
    fi;
#endif
    success = false
}

/* worker_main() */
proctype worker(byte self; bool holds_all) {
    chan runs = [MESSAGES] of { byte };     /* its run queue, */
    chan outbox = [MESSAGES] of { byte };   /* its out-box for B, */
    chan aside[2] = [MESSAGES] of { byte }; /* what it has put aside for A and for B: held.first */
    bool holds[2];                          /* whether mailbox.holder is this worker: nobody else asks that */
    bool leaving[2];                        /* the list that choose() returns */
    bool fine = true;                       /* whether its work is small */
    bool gulped, swapped, success;
#ifdef TOLD_IF_SEEN_HELD
    bool seen_held;
#endif
    byte envelope, letter, count, by_lane, loot, mine;
    holds[A] = holds_all;
    holds[B] = holds_all;
end_idle:
    do
    :: fine && (finds_any(self) || len(runs) > 0 || robbed[self]) -> run_held(self)
    :: !fine && finds(self, A) -> process(A) /* scan() */
    :: !fine && finds(self, B) -> process(B)
    :: thefts > 0 && len(runs) == 0 && !finds_any(self) -> steal(self, 1 - self) /* idle() */
    :: atomic { changes > 0 -> changes-- }; judge(self)
    od
}

/* A thread from outside: actor_post(), which is lane_send() or mailbox_append() */
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
        processed[A] = true; /* owner[A] and owner[B] are 0 */
        processed[B] = true;
        run worker(0, true);
        run worker(1, false);
        run outside(MESSAGES)
    }
    timeout; /* nothing moves any more */
    assert(received == MESSAGES)
}
