/* Sleeping against a lane (core/worker_centric/sleep.c, lane.h; core/platform/asymmetric.h): a send that takes no lock and
 * waits for no fence, and a worker that has the kernel make up for it before it parks.
 *
 * Unlike in the other models, a store is not seen at once. What the lane's producer stores goes into its store buffer;
 * memory receives it from there in order, one by one, at any moment. What the producer loads comes from memory, whatever
 * is still in the buffer. Nothing but asymmetric_heavy() ever waits for the buffer, no lock and no call of the kernel: that is
 * weaker than x86, where locks do. The other stores that matter are sequentially consistent in the code, or under a lock,
 * and are one step.
 *
 * WORKERS workers of one slot each. PRODUCERS threads from outside send BY_LANE messages each to mailbox 0, by lanes of their own;
 * another sends BY_LOCK messages to any mailbox. A lane is made with the first message, by a compare-and-swap, which waits
 * for the buffer, behind those that there are; a worker that finds no lane does without the barrier. A worker that has scanned its slot in vain robs another, or sleeps, or
 * both, or scans again; there are THEFTS thefts at most. Nobody wakes by himself. The steps of sleep.h are its first, third
 * and fourth; parking.pml has the second, too, and what a worker gives back that lets go of a mailbox. Before a worker
 * sleeps, or takes a mailbox from another, it has let go of all that it held (hold.pml): here one is held for a moment.
 *
 * Claims: when nothing moves any more, all queues and lanes are empty: no message is left with a sleeper. What a worker
 * takes from a lane is there.
 *
 *     -DSYMMETRIC              the barrier can't be had: the producer waits for its buffer, asymmetric_heavy() for nothing
 *
 * Steps left out:
 *     -DWITHOUT_BARRIER        asymmetric_heavy() waits for nothing
 *     -DEARLY_BARRIER          it comes before the worker has written itself into its mailbox
 *     -DWITHOUT_LOOK           after it the worker does not look at the lanes
 *     -DFIRST_LOOK             it looks at the first of them only
 *     -DWITHOUT_SENDERS_LOOK   a send does not look at mailbox.sleeper
 *     -DWITHOUT_WAKING_SWAPPED who swaps does not wake the other
 *     -DCLAIMED_LATE           the lane is made by a store that is not waited for
 *     -DSENT_FIRST             a send stores lane->sent before the envelope
 */
#include "atomics.pml"

#ifndef WORKERS
#define WORKERS 1
#endif
#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef BY_LANE
#define BY_LANE 2
#endif
#ifndef BY_LOCK
#define BY_LOCK 0
#endif
#ifndef THEFTS
#define THEFTS 0
#endif

#define NOTHING 255 /* null */
#define NO_SLEEPER 255

mtype = { LANE, ENVELOPE, SENT } /* what is stored: the link to a lane, an envelope in its last block, or one more in lane->sent */

chan buffer[PRODUCERS] = [2 * BY_LANE + 1] of { mtype } /* each producer's store buffer */
byte lanes;                /* in the list of mailbox 0, as memory has it */
byte envelopes[PRODUCERS]; /* in each lane's blocks, as memory has them: how many there have been */
byte sent[PRODUCERS];      /* its lane->sent, as memory has it */
byte taken[PRODUCERS];     /* its lane->taken */
byte slot[WORKERS];      /* sharding.slots: the mailbox in each */
byte waiting[WORKERS];   /* of each mailbox: its queue's count, */
byte sleeper[WORKERS];   /* mailbox.sleeper, */
bool processed[WORKERS]; /* whether mailbox.holder is somebody */
bool asleep[WORKERS];    /* worker.sleeping == ASLEEP */
bool parked[WORKERS];    /* held by the kernel in parking_wait() */
byte thefts = THEFTS;

/* Of all lanes */
#if PRODUCERS == 1
#define all(of) of[0]
#else
#define all(of) (of[0] + of[1])
#endif

/* mailbox_count_in_lanes(); `seen` is what lanes' `sent` were, loaded before their `taken` are. */
#define in_lanes(box, seen) (box == 0 -> seen - all(taken) : 0)

/* sleep_wake() */
inline wake(other, was_asleep) {
    exchange(asleep[other], false, was_asleep);
    if
    :: was_asleep -> parked[other] = false /* parking_wake() */
    :: else
    fi
}

/* ---- A worker ---- */

/* asymmetric_heavy(): by its end the buffer has been empty once since it began, or the producer was not running then */
inline heavy() {
#if !defined(WITHOUT_BARRIER) && !defined(SYMMETRIC)
    for (k : 0 .. PRODUCERS - 1) {
        empty(buffer[k])
    }
    k = 0
#else
    skip
#endif
}

/* mailbox_count_in_lanes(), of the mailbox that has lanes, but for the `taken` */
inline load_sent(seen, k) {
    do
    :: k < lanes -> seen = seen + sent[k]; k++
    :: else -> break
    od;
    k = 0
}

/* Step 3, sleep_begin(): what it does under the lock is one step, but for the loads of lane->sent, which the lock does not
 * guard. These come first here, and so may see less than in the code. */
inline visit(self, box, seen, quiet) {
    box = slot[self]; /* slot_mailbox() */
    load_sent(seen, k); /* mailbox_count() */
    d_step {
        quiet = (slot[self] == box && waiting[box] == 0 && in_lanes(box, seen) == 0);
        if
        :: quiet -> sleeper[box] = self
        :: else
        fi
    }
}

#ifdef FIRST_LOOK
#define FURTHEST 1
#else
#define FURTHEST lanes
#endif

/* nothing_elsewhere(), after the barrier */
inline look(self, box, seen, quiet) {
#ifndef WITHOUT_LOOK
    box = slot[self]; /* slot_mailbox() */
    do
    :: box == 0 && quiet && k < FURTHEST -> seen = sent[k]; quiet = (seen == taken[k]); k++ /* lane_count_before_sleep() */
    :: else -> break
    od;
    k = 0
#else
    skip
#endif
}

/* parking_wait(): the kernel compares and parks in one step */
inline park(self) {
    d_step { parked[self] = asleep[self] };
end_parked:
    !parked[self]
}

/* sleep_worker() */
inline sleep(self) {
    asleep[self] = true; /* step 1 */
#ifdef EARLY_BARRIER
    heavy();
#endif
    visit(self, box, seen, quiet);
    if
    :: quiet ->
#ifndef EARLY_BARRIER
        box = slot[self]; /* nothing_elsewhere(), has_lanes() */
        if
        :: box == 0 && lanes > 0 -> heavy(); look(self, box, seen, quiet)
        :: else
        fi
#else
        look(self, box, seen, quiet)
#endif
    :: else
    fi;
    if
    :: quiet -> park(self) /* step 4 */
    :: else
    fi;
    asleep[self] = false
}

/* steal_attempt(), take() and slots_swap(), or hand_over() */
inline steal(self, victim) {
    select (victim : 1 .. WORKERS - 1);
    victim = (self + victim) % WORKERS;
    loot = slot[victim];
    if
    :: loot != NOTHING ->
        box = slot[self];
        cas(slot[self], box, NOTHING, succeeded);
        if
        :: succeeded ->
            cas(slot[victim], loot, box, succeeded);
            if
            :: succeeded ->
                slot[self] = loot;
#ifndef WITHOUT_WAKING_SWAPPED
                if
                :: asleep[victim] -> wake(victim, succeeded) /* give_tell(), sleep_wake_swapped() */
                :: else
                fi
#endif
            :: else -> slot[self] = box
            fi
        :: else
        fi
    :: else
    fi
}

/* hold_collect() and what follows, up to hold_leave() */
inline process(box, seen, found) {
    d_step { /* mailbox_hold(), then take_queue(), under the lock */
        found = (!processed[box] && waiting[box] + in_lanes(box, all(sent)) > 0);
        if
        :: found ->
            processed[box] = true;
            waiting[box] = 0
        :: else
        fi
    };
    if
    :: found ->
        if
        :: box == 0 ->
            do
            :: k < lanes ->
                seen = sent[k]; /* lane_count() */
                assert(envelopes[k] >= seen);
                taken[k] = seen; /* take_lanes(), lane_take() */
                k++
            :: else -> break
            od;
            k = 0
        :: else
        fi;
        processed[box] = false /* mailbox_release() */
    :: else
    fi
}

/* design_work() */
proctype worker(byte self) {
    byte box, seen, victim, loot, k;
    bool found, quiet, succeeded;
    do
    :: box = slot[self]; /* hold_collect(), slot_mailbox() */
        if
        :: waiting[box] + in_lanes(box, all(sent)) > 0 -> /* is_new() */
            process(box, seen, found)
        :: else
        fi;
        box = 0; seen = 0;
        if
        :: !found -> /* idle() */
            if
            :: atomic { thefts > 0 -> thefts-- }; steal(self, victim)
            :: skip
            fi;
            box = 0; victim = 0; loot = 0; succeeded = false;
            if
            :: sleep(self)
            :: skip
            fi
        :: else
        fi;
        box = 0; seen = 0;
        found = false; quiet = false
    od
}

/* ---- The threads from outside ---- */

/* Under the mailbox's lock: mailbox_take_sleeper(); then sleep_wake_owner() */
inline take_and_wake(box, appended, to_wake, was_asleep) {
    d_step {
        waiting[box] = waiting[box] + appended;
        to_wake = sleeper[box];
        sleeper[box] = NO_SLEEPER
    };
    if
    :: to_wake != NO_SLEEPER -> wake(to_wake, was_asleep)
    :: else
    fi;
    to_wake = 0; was_asleep = false
}

/* post_outside() */
proctype by_lane(byte messages) {
    byte to_wake, own;
    bool was_asleep;
#ifdef CLAIMED_LATE
    buffer[own] ! LANE;
#else
    d_step { own = lanes; lanes++ }; /* own_lane(), when nothing is in the buffer yet */
#endif
    do
    :: messages > 0 ->
        messages--;
#ifdef SENT_FIRST
        buffer[own] ! SENT; buffer[own] ! ENVELOPE;
#else
        buffer[own] ! ENVELOPE; buffer[own] ! SENT; /* lane_put(); asymmetric_light() is no step */
#endif
#ifdef SYMMETRIC
        empty(buffer[own]);
#endif
#ifndef WITHOUT_SENDERS_LOOK
        if
        :: sleeper[0] != NO_SLEEPER -> take_and_wake(0, 0, to_wake, was_asleep)
        :: else
        fi
#endif
    :: else -> break
    od
}

/* What becomes of a producer's stores */
proctype memory(byte producer) {
end_empty:
    do
    :: atomic { buffer[producer] ? LANE -> lanes++ }
    :: atomic { buffer[producer] ? ENVELOPE -> envelopes[producer]++ }
    :: atomic { buffer[producer] ? SENT -> sent[producer]++ }
    od
}

/* actorbench_post() of a thread that has no lane there: mailbox_append() */
proctype by_lock(byte messages) {
    byte box, to_wake;
    bool was_asleep;
    do
    :: messages > 0 ->
        messages--;
        select (box : 0 .. WORKERS - 1);
        take_and_wake(box, 1, to_wake, was_asleep);
        box = 0
    :: else -> break
    od
}

init {
    byte k;
    atomic {
        for (k : 0 .. WORKERS - 1) {
            slot[k] = k;
            sleeper[k] = NO_SLEEPER
        }
        for (k : 0 .. WORKERS - 1) {
            run worker(k)
        }
        for (k : 0 .. PRODUCERS - 1) {
            run memory(k);
            run by_lane(BY_LANE)
        }
        run by_lock(BY_LOCK)
    }
    timeout; /* nothing moves any more */
    for (k : 0 .. PRODUCERS - 1) {
        assert(taken[k] == BY_LANE)
    }
    for (k : 0 .. WORKERS - 1) {
        assert(waiting[k] == 0)
    }
}
