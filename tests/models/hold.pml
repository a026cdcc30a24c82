/* Holding (core/worker_centric/hold.h), out-boxes (outbox.h), giving (give.h) and stealing (steal.h): workers that keep their
 * mailboxes and put what their behaviours send at the ends of their run queues, past the mailboxes'; and that exchange
 * mailboxes, as asked or unasked.
 *
 * WORKERS workers; of all mailboxes, the two that matter: A, whose actor sends, and B, whose actor receives. At first worker 0
 * has both in its slots, and nobody holds them. Threads from outside send MESSAGES messages to A, by its lane or by its queue.
 * For each that it gets, the sender sends the next number to the receiver, from wherever it runs.
 *
 * A worker may be a thief between its rounds, THEFTS times in all at most: it lets go of all that it holds, then asks a victim,
 * or takes A or B from its slots; what a thief looks at before is a hint, and so here it takes, too, what is held or has no
 * messages. A worker that is
 * asked gives A or B or both, or nothing. What is exchanged for it is a mailbox that nobody holds, which may be the other one of the two.
 * A run may end after any envelope, an out-box may be full at any, and any part of a lane is taken. At its end B may be taken, or
 * borrowed, with what is in the out-box, if nobody holds it.
 *
 * Claims: the behaviours of an actor never overlap; the numbers arrive in order, each once, and so do the lane's messages; when
 * nothing moves any more, all have arrived, and nobody holds what is not in his slots, but what he has borrowed. For that no
 * worker need ever be idle and let go of everything: being told is enough.
 *
 *     -DAPART                  at first B is in a slot of worker 1
 *     -DWITHOUT_OUTBOXES       there are none (--without out-boxes)
 *
 * Steps left out:
 *     -DWITHOUT_CAS            mailbox_hold() looks whether somebody holds the mailbox, then stores
 *     -DHELD_UNSORTED          hold_collect() does not sort out the run queue before it takes a mailbox
 *     -DHELD_UNFLUSHED         it does, but does not flush the out-boxes then
 *     -DMOVED_ALONE            it moves the queue of the mailbox that it has taken alone, not those of all that it holds
 *     -DLANES_FIRST            it moves lanes before queues
 *     -DLEFT_UNSORTED          hold_leave() puts aside what leaves, and passes nothing on
 *     -DLEFT_UNFLUSHED         it passes on, and does not flush the out-boxes
 *     -DLEFT_BEHIND            what a mailbox takes along when it leaves goes behind what is in its queue, not in front
 *     -DRELEASED_EARLY         a mailbox is released before it is given back what was put aside
 *     -DKEPT                   a run does not flush the out-boxes at its end
 *     -DBORROWED_BEHIND        what is in the out-box of a borrowed mailbox goes behind what is in the run queue
 *     -DBORROWED_UNSEEN        a mailbox is borrowed whatever waits in its queue
 *     -DFULL_PASSED_BY         a send that finds no room in the run queue goes to the out-box
 *     -DHOLDS_WHILE_STEALING   a thief does not let go of its mailboxes before it gives one away
 *     -DVICTIM_UNTOLD          a thief that takes a mailbox does not tell its victim
 *     -DTHIEF_UNTOLD           a worker that gives does not tell the thief
 *     -DTOLD_EARLY             it tells him before it exchanges mailboxes
 *     -DCLEARED_LATE           a worker sets `call` back when it has looked at its slots, not before
 */
#include "atomics.pml"

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef THEFTS
#define THEFTS 2
#endif

#define A 0
#define B 1
#define OTHER 2    /* any other mailbox: nobody holds it */
#define NOBODY 255 /* in owner: the slot that the mailbox was in is null */
#define GO 8       /* an envelope for the sender, by queue; GO + n is the lane's n-th; one for the receiver is its number */
#define mailbox_of(envelope) ((envelope) >= GO -> A : B)

#define LEAVE_NONE 0
#define LEAVE_MOVED 1
#define LEAVE_ALL 2
#define LEAVE_HALF 3

/* Of each mailbox: */
byte owner[2];                          /* in whose slots it is */
byte holder[2] = NOBODY;                /* mailbox.holder */
chan queue[2] = [MESSAGES] of { byte }; /* mailbox.queue */
bool running[2];                        /* a behaviour of its actor runs */

/* Of each worker, its word `call`: */
bool moved[WORKERS];                    /* CALL_MOVED */
byte asked[WORKERS] = NOBODY;           /* who asks */

byte lane_sent, lane_taken;             /* of A's lane */
byte lane_ran;                          /* how many of its messages the sender has got */
byte sent;                              /* the sender's: its last number */
byte received;                          /* the receiver's: its last number */
byte thefts;
bool over;                              /* nothing moves any more */
chan aside = [MESSAGES] of { byte };    /* within a step */

/* A worker's own lists are arrays: unlike a channel, an array is seen to be nobody else's. */
inline put_run(what) {
    runs[length] = what;
    length++
}

inline take_run(at, what) {
    what = runs[at];
    length--;
    k = at;
    do
    :: k < length -> runs[k] = runs[k + 1]; k++
    :: else -> runs[k] = 0; k = 0; break
    od
}

/* One of the two, which comes first, in the slots or in the list of what is held; then the other */
inline choose_first() {
    if
    :: box = A
    :: box = B
    fi
}

#define NEXT(box) (1 - box)

/* ---- Passing on ---- */

/* outbox_flush(), which is outbox_deliver() of the one out-box: mailbox_append_block(), under the lock */
inline flush() {
    if
    :: boxed > 0 ->
        d_step {
            do
            :: k < boxed -> queue[B] ! outbox[k]; outbox[k] = 0; k++
            :: else -> break
            od;
            boxed = 0; k = 0
        }
    :: else
    fi
}

/* hold_pass_on(): outbox_send(), outbox_send_anyway(), or mailbox_append(), under the lock */
inline pass_on(number) {
#ifdef WITHOUT_OUTBOXES
    d_step { queue[B] ! number; number = 0 }
#else
    if
    :: boxed > 0 -> flush() /* the block was full */
    :: true
    fi;
    d_step { outbox[boxed] = number; boxed++; number = 0 }
#endif
}

/* sort_out(), but for what is put aside: that stays in the run queue until release(). Nobody passes on to A, whose messages
 * all come from outside, so that they are in the run queue of who holds A. */
inline sort_out(flushes) {
    do
    :: !holds[B] && numbers > 0 ->
        d_step {
            do
            :: runs[place] >= GO -> place++
            :: else -> break
            od;
            take_run(place, letter);
            place = 0;
            numbers--
        };
        pass_on(letter)
    :: else -> break
    od;
    if
    :: flushes -> flush()
    :: else
    fi
}

/* ---- Taking ---- */

#define in_lane(mailbox) ((mailbox) == A && lane_sent > lane_taken)   /* mailbox_count_in_lanes() */
#define waits(mailbox) (len(queue[mailbox]) > 0 || in_lane(mailbox)) /* mailbox_count() */
#define is_free(mailbox) (holder[mailbox] == NOBODY && waits(mailbox))

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

/* What hold_collect() does at a slot: is_new(), sort_out() before the first, take_mailbox(), which is mailbox_hold() */
inline hold_new(mailbox) {
    if
    :: owner[mailbox] == self && is_free(mailbox) -> /* slot_mailbox() */
#ifndef HELD_UNSORTED
        if
        :: !sorted -> sort_out(HELD_FLUSHES)
        :: else
        fi;
#endif
#ifdef WITHOUT_CAS
        holds[mailbox] = (holder[mailbox] == NOBODY);
        if
        :: holds[mailbox] -> holder[mailbox] = self
        :: else
        fi;
#else
        cas(holder[mailbox], NOBODY, self, holds[mailbox]);
#endif
        d_step {
#ifdef MOVED_ALONE
            fresh[mailbox] = holds[mailbox];
#endif
            sorted = true
        }
    :: else
    fi
}

/* take_queue(), under the lock */
inline take_queue(mailbox) {
    d_step {
        if
        :: moves(mailbox) ->
            do
            :: len(queue[mailbox]) > 0 ->
                queue[mailbox] ? letter;
                put_run(letter);
                numbers = numbers + (letter < GO -> 1 : 0)
            :: else -> break
            od;
            letter = 0
        :: else
        fi
    }
}

/* take_lanes(), which is lane_take(), of any part of what is there */
inline take_lane() {
    atomic {
        do
        :: holds[A] && in_lane(A) -> lane_taken++; put_run(GO + lane_taken)
        :: break
        od
    }
}

/* hold_collect() */
inline collect() {
    choose_first();
    do
    :: hold_new(box);
        box = NEXT(box);
        if
        :: second -> break
        :: else -> second = true
        fi
    od;
#ifdef LANES_FIRST
    take_lane();
#endif
    take_queue(box);
    take_queue(NEXT(box));
#ifndef LANES_FIRST
    take_lane();
#endif
#ifdef MOVED_ALONE
    d_step { fresh[A] = false; fresh[B] = false };
#endif
    d_step { sorted = false; second = false; box = 0 }
}

/* ---- Letting go ---- */

/* mark_moved(), for one mailbox */
inline mark_moved(mailbox) {
    leaving[mailbox] = (holds[mailbox] && (which == LEAVE_ALL || owner[mailbox] != self))
}

/* mark_half(), for one mailbox: any that is held; what is in the run queue or the lane for it may be half of what waits */
inline mark_half(mailbox) {
    if
    :: holds[mailbox] && !leaving[mailbox] && (mailbox == A -> length > numbers || in_lane(A) : numbers > 0) -> leaving[mailbox] = true
    :: skip
    fi
}

/* put_row_aside(), block_queue_prepend(), under the lock */
inline give_back(mailbox) {
    d_step {
        do
        :: place < length && mailbox_of(runs[place]) == mailbox ->
            take_run(place, letter);
            aside ! letter
        :: place < length && mailbox_of(runs[place]) != mailbox -> place++
        :: else -> break
        od;
        place = 0;
        numbers = (mailbox == B -> 0 : numbers);
#ifndef LEFT_BEHIND
        do
        :: len(aside) > 0 && len(queue[mailbox]) > 0 -> queue[mailbox] ? letter; aside ! letter
        :: else -> break
        od;
#endif
        do
        :: len(aside) > 0 -> aside ? letter; queue[mailbox] ! letter
        :: else -> break
        od;
        letter = 0
    }
}

/* release(), mailbox_release() */
inline release(mailbox) {
    if
    :: leaving[mailbox] ->
#ifdef RELEASED_EARLY
        holder[mailbox] = NOBODY;
        give_back(mailbox);
        d_step { holds[mailbox] = false; leaving[mailbox] = false; borrowed = (mailbox == A -> borrowed : false) }
#else
        give_back(mailbox);
        d_step { holder[mailbox] = NOBODY; holds[mailbox] = false; leaving[mailbox] = false; borrowed = (mailbox == A -> borrowed : false) }
#endif
    :: else
    fi
}

#ifdef LEFT_UNFLUSHED
#define LEFT_FLUSHES false
#else
#define LEFT_FLUSHES true
#endif

/* hold_leave() */
inline leave() {
    if
    :: which != LEAVE_NONE && (holds[A] || holds[B]) ->
        mark_moved(A);
        mark_moved(B);
        if
        :: which == LEAVE_HALF -> atomic { mark_half(A); mark_half(B) }
        :: else
        fi;
        if
        :: leaving[A] || leaving[B] -> /* any_leaves() */
#ifndef LEFT_UNSORTED
            sort_out(LEFT_FLUSHES);
#endif
            choose_first();
            do
            :: release(box);
                box = NEXT(box);
                if
                :: second -> break
                :: else -> second = true
                fi
            od;
            atomic { second = false; box = 0 }
        :: else
        fi
    :: else
    fi
}

/* ---- Exchanging ---- */

/* slots_swap(): `mine` from the worker's slots for `theirs` from the other's. Each write to a slot is one step. */
inline swap(mine, other, theirs) {
    if
    :: mine != OTHER -> cas(owner[mine], self, NOBODY, swapped)
    :: else -> swapped = true
    fi;
    if
    :: swapped ->
        d_step { /* the other's slot; if that fails, the worker's own again */
            swapped = (theirs == OTHER || owner[theirs] == other);
            if
            :: mine != OTHER -> owner[mine] = (swapped -> other : self)
            :: else
            fi;
            if
            :: swapped && theirs != OTHER -> owner[theirs] = NOBODY
            :: else
            fi
        };
        if
        :: swapped && theirs != OTHER -> owner[theirs] = self
        :: else
        fi
    :: else
    fi
}

/* give_tell(); parking.pml has the waking */
inline tell(other) {
    moved[other] = true
}

/* What hand_over() does at a slot, exchange() */
inline give_one(mailbox) {
    if
    :: atomic { owner[mailbox] == self && is_free(mailbox) -> theirs = OTHER };
        if
        :: atomic { owner[1 - (mailbox)] == other && holder[1 - (mailbox)] == NOBODY -> theirs = 1 - (mailbox) }
        :: skip
        fi;
        swap(mailbox, other, theirs);
        d_step { theirs = 0; swapped = false }
    :: else
    fi
}

/* hand_over() */
inline hand_over() {
#ifdef TOLD_EARLY
    tell(other);
#endif
    choose_first();
    do
    :: give_one(box);
        box = NEXT(box);
        if
        :: second -> break
        :: else -> second = true
        fi
    od;
    atomic { second = false; box = 0 };
#if !defined(THIEF_UNTOLD) && !defined(TOLD_EARLY)
    tell(other);
#endif
    skip
}

/* give_answer(): what it takes out of the worker's call */
inline take_call() {
    d_step {
        was_moved = moved[self];
        other = asked[self];
        asked[self] = NOBODY;
#ifndef CLEARED_LATE
        moved[self] = false
#endif
    }
}

/* take() and its swap: slot_to_give() has found the other of the two, or another */
inline take(victim) {
    if
    :: owner[1 - loot] == self && !waits(1 - loot) -> mine = 1 - loot
    :: mine = OTHER
    fi;
    swap(mine, victim, loot);
#ifndef VICTIM_UNTOLD
    if
    :: swapped -> tell(victim)
    :: else
    fi;
#endif
    d_step { loot = 0; mine = 0; swapped = false }
}

/* steal_attempt(), victim_choose(), when it has let go of all */
inline steal() {
    select (other : 1 .. WORKERS - 1);
    other = (self + other) % WORKERS;
    if
    :: atomic { asked[other] == NOBODY -> asked[other] = self } /* ask(), give_ask() */
    :: atomic { owner[A] == other || owner[B] == other ->
            if
            :: owner[A] == other -> loot = A
            :: owner[B] == other -> loot = B
            fi
        };
        take(other)
    :: skip
    fi
}

/* ---- Behaviours ---- */

/* deliver() to the sender, and its actorbench_post(): run_queue_put(), run_queue_append() */
inline deliver_go(go) {
    d_step {
        assert(!running[A]);
        running[A] = true;
        if
        :: go > GO -> lane_ran++; assert(go == GO + lane_ran)
        :: else
        fi;
        sent++
    };
#ifdef FULL_PASSED_BY
    d_step { letter = sent; running[A] = false };
    if
    :: pass_on(letter)
    :: d_step { put_run(letter); numbers++; letter = 0 }
    fi
#else
    d_step { put_run(sent); numbers++; running[A] = false; letter = 0 }
#endif
}

/* deliver() to the receiver */
inline deliver_number(number) {
    d_step { assert(!running[B]); running[B] = true };
    d_step { received++; assert(number == received); running[B] = false; letter = 0 }
}

/* Runs the first envelope of the run queue: run_or_pass_on() */
inline run_one() {
    d_step { take_run(0, letter); numbers = numbers - (letter < GO -> 1 : 0) };
    if
    :: letter >= GO -> assert(holds[A]); deliver_go(letter)
    :: letter < GO && holds[B] -> deliver_number(letter)
    :: else -> pass_on(letter)
    fi
}

/* ---- At the end of a run ---- */

/* take_box(), when the worker holds B: run_queue_prepend() */
inline put_in_front() {
    d_step {
        k = length;
        do
        :: k > 0 -> k--; runs[k + boxed] = runs[k]
        :: else -> break
        od;
        length = length + boxed;
        do
        :: k < boxed -> runs[k] = outbox[k]; outbox[k] = 0; k++
        :: else -> break
        od;
        numbers = numbers + boxed;
        boxed = 0;
        k = 0
    }
}

#ifdef BORROWED_UNSEEN
#define is_first true
#else
#define is_first (len(queue[B]) == 0)
#endif

/* hold_end_run(): may_take(), which is a hint, then take_box(), which is mailbox_hold() and a look at the queue; or outbox_deliver() */
inline end_run() {
    if
    :: boxed > 0 && holder[B] == NOBODY ->
        cas(holder[B], NOBODY, self, holds[B])
    :: true
    fi;
    if
    :: boxed > 0 && holds[B] ->
        if
        :: is_first -> second = true
        :: else
        fi;
        if
        :: second ->
            second = false;
            borrowed = (owner[B] != self);
#ifdef BORROWED_BEHIND
            d_step {
                do
                :: k < boxed -> runs[length] = outbox[k]; outbox[k] = 0; length++; numbers++; k++
                :: else -> break
                od;
                boxed = 0;
                k = 0
            }
#else
            put_in_front()
#endif
        :: !second && length > 0 -> d_step { holder[B] = NOBODY; holds[B] = false }
        :: else -> borrowed = (owner[B] != self)
        fi
    :: else
    fi;
    flush()
}

/* ---- A worker's rounds ---- */

/* Whether there is something for work() to do */
#define finds(mailbox) (waits(mailbox) && (holds[mailbox] || (owner[mailbox] == self && holder[mailbox] == NOBODY)))
#define finds_any (finds(A) || finds(B) || length > 0 || moved[self] || asked[self] != NOBODY)

/* run_queue_run() */
inline run_some() {
    do
    :: length > 0 -> run_one()
    :: break
    od
}

/* design_work(). A worker that has been asked and will give() comes here twice: that begins with hold_collect(), as work()
 * does. */
proctype worker(byte self) {
    byte runs[2 * MESSAGES], length, numbers; /* its run queue, and how many for the receiver are in it; */
    byte outbox[MESSAGES], boxed;             /* its out-box for B */
    bool holds[2];                            /* whether mailbox.holder is this worker */
    bool leaving[2];                          /* held.leaves */
    bool sorted, second, swapped, was_moved, giving;
    bool borrowed;                            /* whether B is held, and was another's when it was taken */
#ifdef MOVED_ALONE
    bool fresh[2];
#endif
    byte letter, place, k, other, loot, mine, theirs, box, which;
end_idle:
    if
    :: giving ->
        collect();
        which = LEAVE_HALF
    :: !giving && finds_any -> /* work() */
        collect();
        run_some();
#ifndef KEPT
        end_run();
#endif
        take_call();
        which = (was_moved -> LEAVE_MOVED : LEAVE_NONE);
        was_moved = false
    :: atomic { !giving && thefts > 0 -> thefts--; which = LEAVE_ALL } /* idle() */
    :: over -> goto stopped
    fi;
#ifdef HOLDS_WHILE_STEALING
    if
    :: which != LEAVE_ALL -> leave()
    :: else
    fi;
#else
    leave();
#endif
    if
    :: giving -> hand_over(); d_step { giving = false; other = 0 }
    :: which == LEAVE_ALL -> steal(); other = 0
    :: else ->
#ifdef CLEARED_LATE
        moved[self] = false;
#endif
        if
        :: other != NOBODY -> giving = true
        :: other = 0 /* it is deaf, or has nothing to give */
        fi
    fi;
    which = 0;
    goto end_idle;
stopped:
    assert((!holds[A] || owner[A] == self) && (!holds[B] || owner[B] == self || borrowed))
}

/* Threads from outside: actorbench_post(), which is post_outside() or mailbox_append() */
proctype outside(byte messages) {
    do
    :: messages > 0 ->
        messages--;
        if
        :: lane_sent++
        :: queue[A] ! GO
        fi
    :: else -> break
    od
}

init {
    byte k;
    atomic {
        select (thefts : 0 .. THEFTS);
#ifdef APART
        owner[B] = 1;
#endif
        for (k : 0 .. WORKERS - 1) {
            run worker(k)
        }
        run outside(MESSAGES)
    }
    timeout;
    assert(received == MESSAGES);
    over = true
}
