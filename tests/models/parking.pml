/* Sleeping (core/sharded/sleep.h): its steps 1 to 4 against sends, swaps and actorbench_stop().
 *
 * WORKERS workers of SLOTS slots each. A worker that has scanned its slots in vain robs any other of any mailbox, or
 * sleeps, or both, or scans again; with -DTHEFTS=N there are N thefts at most. In the worker-centric design it is also who
 * gives that swaps; the step is the same, and it is again the other who is woken. Nobody wakes by himself, but for SPURIOUS
 * returns of parking_wait() for no reason, which stand for thieves' timeouts, too.
 *
 *     -DHOLDING                a worker may give back what it has taken from a mailbox, PUT_BACK times at most, as
 *                              hold_leave() does in the worker-centric design
 *
 * Claims: when nothing moves any more, all mailboxes are empty: no message is left with a sleeper. With -DSTOP, where
 * actorbench_stop() follows the last message: all workers end, and no send touches a worker that has been freed. The sender
 * is main; with -DOUTSIDE another thread, for which actorbench_stop() does not wait.
 *
 * Steps left out:
 *     -DWITHOUT_ANNOUNCEMENT   the worker says that it sleeps only when it has visited its slots (step 1 after step 3)
 *     -DWITHOUT_STOP_CHECK     it does not look whether the executor is stopping (step 2)
 *     -DWITHOUT_COUNT          its visit does not look for messages (step 3)
 *     -DWITHOUT_SECOND_LOOK    its visit does not look at the slot again (step 3)
 *     -DWITHOUT_WAKING_SWAPPED who swaps does not wake the other
 *     -DWITHOUT_WAKING_OWNER   who gives back messages wakes nobody
 */
#include "atomics.pml"

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef PUT_BACK
#define PUT_BACK 1
#endif
#ifndef SPURIOUS
#define SPURIOUS 0
#endif

#define MAILBOXES (WORKERS * SLOTS)
#define NOTHING 255 /* null */
#define NO_SLEEPER 255

byte slot[MAILBOXES];      /* sharding.slots: the mailbox in each; worker w has the SLOTS slots from w * SLOTS on */
byte waiting[MAILBOXES];   /* of each mailbox: its queue's count, */
byte sleeper[MAILBOXES];   /* mailbox.sleeper, */
bool processed[MAILBOXES]; /* whether mailbox.turn is odd, or mailbox.holder is somebody */
bool asleep[WORKERS];      /* worker.sleeping == ASLEEP */
bool parked[WORKERS];      /* held by the kernel in parking_wait() */
bool stopping;
bool sent;                 /* the sender has returned */
bool freed;                /* the workers have been */
byte ended;                /* how many workers have */
byte to_come = MESSAGES;   /* messages that have not run */
byte spurious = SPURIOUS;
#ifdef HOLDING
byte put_back = PUT_BACK;
#endif
#ifdef THEFTS
byte thefts = THEFTS;
#endif

/* sleep_wake() */
inline wake(other, was_asleep) {
    assert(!freed);
    exchange(asleep[other], false, was_asleep);
    if
    :: was_asleep -> parked[other] = false /* parking_wake() */
    :: else
    fi
}

/* parking_wait(): the kernel compares and parks in one step */
inline park(self) {
    d_step { parked[self] = asleep[self] };
#ifndef STOP
end_parked:
#endif
    if
    :: !parked[self]
    :: atomic { spurious > 0 && parked[self] -> spurious--; parked[self] = false }
    fi
}

#ifdef WITHOUT_SECOND_LOOK
#define still_in(place, box) true
#else
#define still_in(place, box) (slot[place] == box)
#endif
#ifdef WITHOUT_COUNT
#define is_empty(box) true
#else
#define is_empty(box) (waiting[box] == 0)
#endif
#ifdef WITHOUT_STOP_CHECK
#define seen_stopping false
#else
#define seen_stopping stopping
#endif

/* Step 3, sleep_begin(): one slot; what it does under the lock is one step */
inline visit(self, place, box, quiet) {
    box = slot[place]; /* slot_mailbox() */
    d_step {
        quiet = still_in(place, box) && is_empty(box);
        if
        :: quiet -> sleeper[box] = self
        :: else
        fi
    }
}

/* sleep_worker() */
inline sleep(self) {
#ifndef WITHOUT_ANNOUNCEMENT
    asleep[self] = true;
#endif
    quiet = !seen_stopping;
    place = self * SLOTS;
    do
    :: quiet && place < (self + 1) * SLOTS ->
        visit(self, place, box, quiet);
        place++
    :: else -> break
    od;
    if
    :: quiet ->
#ifdef WITHOUT_ANNOUNCEMENT
        asleep[self] = true;
#endif
        park(self)
    :: else
    fi;
    asleep[self] = false
}

/* steal_attempt(), take() and slots_swap(), or hand_over(); thief and victim are any slots of theirs */
inline steal(self, victim) {
    select (victim : 1 .. WORKERS - 1);
    victim = (self + victim) % WORKERS;
    select (theirs : victim * SLOTS .. (victim + 1) * SLOTS - 1);
    select (place : self * SLOTS .. (self + 1) * SLOTS - 1);
    loot = slot[theirs];
    if
    :: loot != NOTHING ->
        box = slot[place];
        cas(slot[place], box, NOTHING, succeeded);
        if
        :: succeeded ->
            cas(slot[theirs], loot, box, succeeded);
            if
            :: succeeded ->
                slot[place] = loot;
#ifndef WITHOUT_WAKING_SWAPPED
                if
                :: asleep[victim] -> wake(victim, succeeded) /* sleep_wake_swapped() */
                :: else
                fi
#endif
            :: else -> slot[place] = box
            fi
        :: else
        fi
    :: else
    fi
}

/* process(): gulp, run, release; or mailbox_hold(), take_queue() and hold_leave() */
inline process(box, taken) {
    d_step { /* mailbox_gulp(), under the lock; mailbox_hold() is not, but nobody else takes what is held */
        if
        :: processed[box] -> taken = 0
        :: else ->
            taken = waiting[box];
            waiting[box] = 0;
            processed[box] = (taken > 0)
        fi
    };
    if
    :: taken > 0 ->
#ifdef HOLDING
        if
        :: atomic { put_back > 0 -> put_back-- };
            d_step { /* release(): block_queue_prepend(), mailbox_take_sleeper(), under the lock */
                waiting[box] = waiting[box] + taken;
                to_wake = sleeper[box];
                sleeper[box] = NO_SLEEPER
            }
        :: to_come = to_come - taken /* run_queue_run() */
        fi;
#else
        to_come = to_come - taken; /* queue_drain() */
#endif
        processed[box] = false /* mailbox_release() */
#if defined(HOLDING) && !defined(WITHOUT_WAKING_OWNER)
        ;
        if
        :: to_wake != NO_SLEEPER -> wake(to_wake, succeeded) /* sleep_wake_owner() */
        :: else
        fi
#endif
#ifdef HOLDING
        ;
        to_wake = NO_SLEEPER
#endif
    :: else
    fi
}

/* design_work() */
proctype worker(byte self) {
    byte place, box, taken, victim, theirs, loot;
#ifdef HOLDING
    byte to_wake = NO_SLEEPER;
#endif
    bool found, quiet, succeeded;
    do
    :: found = false;
        place = self * SLOTS; /* worker_scan() */
        do
        :: place < (self + 1) * SLOTS ->
            if
            :: waiting[slot[place]] > 0 -> /* next_waiting() */
                box = slot[place];
                process(box, taken);
                found = found || taken > 0
            :: else
            fi;
            place++
        :: else -> break
        od;
        if
        :: !found && stopping -> break
        :: !found && !stopping -> /* idle() */
            if
#ifdef THEFTS
            :: atomic { thefts > 0 -> thefts-- }; steal(self, victim)
#else
            :: steal(self, victim)
#endif
            :: skip
            fi;
            place = 0; box = 0; victim = 0; theirs = 0; loot = 0; succeeded = false;
            if
            :: sleep(self)
            :: skip
            fi
        :: found
        fi;
        place = 0; box = 0; taken = 0; victim = 0; theirs = 0; loot = 0;
        quiet = false; succeeded = false
    od;
    ended++
}

/* actorbench_post() */
proctype sender(byte messages) {
    byte box, to_wake;
    bool was_asleep;
    do
    :: messages > 0 ->
        select (box : 0 .. MAILBOXES - 1);
        messages--;
        d_step { /* mailbox_append(), under the lock */
            waiting[box]++;
            to_wake = sleeper[box];
            sleeper[box] = NO_SLEEPER
        };
        if
        :: to_wake != NO_SLEEPER -> wake(to_wake, was_asleep)
        :: else
        fi;
        box = 0; to_wake = 0; was_asleep = false
    :: else -> break
    od;
    sent = true
}

init {
    byte k;
    bool was_asleep;
    atomic {
        for (k : 0 .. MAILBOXES - 1) {
            slot[k] = k;
            sleeper[k] = NO_SLEEPER
        }
        for (k : 0 .. WORKERS - 1) {
            run worker(k)
        }
        run sender(MESSAGES)
    }
#ifdef STOP
#ifndef OUTSIDE
    sent;
#endif
    to_come == 0;    /* actorbench_stop(), census_wait() */
    stopping = true; /* end_workers() */
    for (k : 0 .. WORKERS - 1) {
        wake(k, was_asleep)
    }
    ended == WORKERS; /* crew_join() */
    freed = true;     /* design_release() */
#endif
    timeout; /* nothing moves any more */
    for (k : 0 .. MAILBOXES - 1) {
        assert(waiting[k] == 0)
    }
}
