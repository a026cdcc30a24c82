/* The stealing problem (core/message_centric/mailbox.h; thesis, "Stealing Problem"): a victim is preempted between the
 * load of its slot and the gulp, and a thief takes the mailbox in between, and gulps it at once.
 *
 * WORKERS workers of one slot each. Messages are numbers, in the order in which they were appended to their mailbox; all
 * of a mailbox are for one actor. At most THEFTS times each, a worker robs any other worker of any mailbox, with messages
 * or without, being processed or not: what a thief looks for (core/message_centric/steal.h) is only a hint.
 *
 * Claims: behaviours of a mailbox never overlap; messages are received in the order of their arrival, and so in the
 * order in which each sender sent them; when nothing moves any more, every message has been received once.
 *
 * Steps left out:
 *     -DWITHOUT_FLAG        a gulp does not look whether the mailbox is being processed
 *     -DFLAG_OUTSIDE_LOCK   a gulp looks before it takes the lock
 *     -DRELEASED_EARLY      a mailbox is released before its messages have run
 */
#include "atomics.pml"

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef MESSAGES
#define MESSAGES 3
#endif
#ifndef TARGETS
#define TARGETS 1 /* how many of the mailboxes get messages */
#endif
#ifndef THEFTS
#define THEFTS 2
#endif

#define NOTHING 255 /* null */

byte slot[WORKERS];       /* sharding.slots: the mailbox in each */
byte appended[WORKERS];   /* of each mailbox: how many messages have come, */
byte gulped[WORKERS];     /* have left the queue, */
byte received[WORKERS];   /* have run */
bool processed[WORKERS];  /* mailbox.being_processed */
bool running[WORKERS];    /* a behaviour runs */

#if defined(WITHOUT_FLAG)
#define may_gulp(box) true
#elif defined(FLAG_OUTSIDE_LOCK)
#define may_gulp(box) looked_free
#else
#define may_gulp(box) !processed[box]
#endif

/* mailbox_gulp(), under the lock. The messages first .. end - 1 are the worker's then; none, if it missed or found none. */
inline gulp(box, first, end) {
#ifdef FLAG_OUTSIDE_LOCK
    looked_free = !processed[box];
#endif
    d_step {
        if
        :: appended[box] != gulped[box] && may_gulp(box) ->
            processed[box] = true;
            first = gulped[box];
            end = appended[box];
            gulped[box] = end
        :: else ->
            first = 0;
            end = 0
        fi
    }
}

/* queue_drain(), deliver() */
inline drain(box, first, end) {
    do
    :: first < end ->
        d_step { assert(!running[box]); running[box] = true };
        d_step { assert(first == received[box]); received[box]++; first++; running[box] = false }
    :: else -> break
    od
}

/* mailbox_release() */
inline release(box) {
    processed[box] = false
}

/* slots_swap(); that it is right is swap.pml's claim */
inline swap(own, mine, victims, loot) {
    cas(own, mine, NOTHING, succeeded);
    if
    :: succeeded ->
        cas(victims, loot, mine, succeeded);
        if
        :: succeeded -> own = loot
        :: else -> own = mine
        fi
    :: else
    fi
}

/* design_work() */
proctype worker(byte self) {
    byte box, first, end, victim, loot, thefts = THEFTS;
    bool succeeded;
#ifdef FLAG_OUTSIDE_LOCK
    bool looked_free;
#endif
end_idle:
    do
    :: appended[slot[self]] != gulped[slot[self]] -> /* worker_scan(), next_waiting() */
        box = slot[self];                            /* slot_mailbox() */
        gulp(box, first, end);                       /* process() */
        if
        :: first < end ->
#ifdef RELEASED_EARLY
            release(box);
            drain(box, first, end)
#else
            drain(box, first, end);
            release(box)
#endif
        :: else
        fi;
        box = 0; first = 0; end = 0
    :: thefts > 0 -> /* steal_attempt() */
        thefts--;
        select (victim : 1 .. WORKERS - 1);
        victim = (self + victim) % WORKERS;
        loot = slot[victim];
        if
        :: loot != NOTHING ->
            box = slot[self];
            swap(slot[self], box, slot[victim], loot)
        :: else
        fi;
        box = 0; victim = 0; loot = 0; succeeded = false
    od
}

/* actorbench_post(), mailbox_append(), under the lock */
proctype sender(byte messages) {
    byte box;
    do
    :: messages > 0 ->
        messages--;
        select (box : 0 .. TARGETS - 1);
        appended[box]++
    :: else -> break
    od
}

init {
    byte k;
    atomic {
        for (k : 0 .. WORKERS - 1) {
            slot[k] = k
        }
        for (k : 0 .. WORKERS - 1) {
            run worker(k)
        }
        run sender(MESSAGES)
    }
    timeout; /* nothing moves any more */
    for (k : 0 .. WORKERS - 1) {
        assert(received[k] == appended[k])
    }
}
