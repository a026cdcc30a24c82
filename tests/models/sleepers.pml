/* Sleeping on a ready list (core/actor_centric/sleep.h, ready_list.h): its steps 1 to 5 against pushes and actorbench_stop().
 *
 * WORKERS workers share one list, as under --ready global; with one worker it is that worker's inbox. ACTORS actors are
 * pushed, each by a thread of its own. Nobody wakes by himself, but for SPURIOUS returns of parking_wait() for no reason,
 * which stand for thieves' timeouts, too.
 *
 * Claims: when nothing moves any more, the list is empty: no actor is left with a sleeper; no worker joins the sleepers
 * when it is among them. With -DSTOP, where actorbench_stop() follows the last actor: all workers end.
 *
 * Steps left out:
 *     -DWITHOUT_ANNOUNCEMENT   the worker says that it sleeps only when it is among the sleepers (step 1 after step 3)
 *     -DWITHOUT_STOP_CHECK     it does not look whether the executor is stopping (step 2)
 *     -DWITHOUT_COUNT          it joins the sleepers without a look at the list (step 3)
 *     -DWITHOUT_LEAVING        it stays among the sleepers when it wakes by itself (step 5)
 */
#include "atomics.pml"

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef ACTORS
#define ACTORS 3
#endif
#ifndef SPURIOUS
#define SPURIOUS 0
#endif

#define NOBODY 255 /* null */

byte waiting;                /* ready_list.count */
byte sleepers = NOBODY;      /* ready_list.sleepers */
byte next_sleeper[WORKERS];  /* worker.next_sleeper */
bool asleep[WORKERS];        /* worker.sleeping == ASLEEP */
bool parked[WORKERS];        /* held by the kernel in parking_wait() */
bool stopping;
byte to_come = ACTORS;       /* actors that have not run */
byte spurious = SPURIOUS;
hidden byte s, before_s;

/* sleep_wake() */
inline wake(other, was_asleep) {
    exchange(asleep[other], false, was_asleep);
    if
    :: was_asleep -> parked[other] = false /* parking_wake() */
    :: else
    fi
}

/* ready_list_join_sleepers(), under the lock */
inline join(self, joined) {
    d_step {
#ifdef WITHOUT_COUNT
        joined = true;
#else
        joined = (waiting == 0);
#endif
        s = sleepers;
        do
        :: s != NOBODY -> assert(s != self); s = next_sleeper[s]
        :: else -> break
        od;
        if
        :: joined ->
            next_sleeper[self] = sleepers;
            sleepers = self
        :: else
        fi
    }
}

/* ready_list_leave_sleepers(), under the lock */
inline leave(self) {
    d_step {
        before_s = NOBODY;
        s = sleepers;
        do
        :: s != NOBODY && s != self -> before_s = s; s = next_sleeper[s]
        :: else -> break
        od;
        if
        :: s == self && before_s == NOBODY -> sleepers = next_sleeper[self]
        :: s == self && before_s != NOBODY -> next_sleeper[before_s] = next_sleeper[self]
        :: else
        fi;
        next_sleeper[self] = NOBODY
    }
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

/* sleep_worker() */
inline sleep(self, joined) {
#ifndef WITHOUT_ANNOUNCEMENT
    asleep[self] = true;
#endif
    if
#ifndef WITHOUT_STOP_CHECK
    :: stopping
    :: else ->
#else
    :: true ->
#endif
        join(self, joined);
        if
        :: joined ->
#ifdef WITHOUT_ANNOUNCEMENT
            asleep[self] = true;
#endif
            park(self);
#ifndef WITHOUT_LEAVING
            leave(self)
#endif
        :: else
        fi
    fi;
    asleep[self] = false
}

/* design_work() */
proctype worker(byte self) {
    bool found, joined;
    do
    :: d_step { /* ready_list_take(), under the lock */
            found = (waiting > 0);
            waiting = (found -> waiting - 1 : 0)
        };
        if
        :: found -> to_come-- /* run() */
        :: !found && stopping -> break
        :: !found && !stopping -> sleep(self, joined)
        fi;
        found = false; joined = false
    od
}

proctype pusher(byte actor) {
    byte sleeper;
    bool was_asleep;
    d_step { /* ready_list_push(), under the lock */
        waiting++;
        sleeper = sleepers;
        if
        :: sleeper != NOBODY -> sleepers = next_sleeper[sleeper]; next_sleeper[sleeper] = NOBODY
        :: else
        fi
    };
    if
    :: sleeper != NOBODY -> wake(sleeper, was_asleep) /* ready_wake() */
    :: else
    fi
}

init {
    byte k;
    bool was_asleep;
    atomic {
        for (k : 0 .. WORKERS - 1) {
            next_sleeper[k] = NOBODY
        }
        for (k : 0 .. WORKERS - 1) {
            run worker(k)
        }
        for (k : 1 .. ACTORS) {
            run pusher(k)
        }
    }
#ifdef STOP
    to_come == 0;    /* actorbench_stop(), census_wait() */
    stopping = true; /* end_workers() */
    for (k : 0 .. WORKERS - 1) {
        wake(k, was_asleep)
    }
#endif
    timeout; /* nothing moves any more */
    assert(waiting == 0)
}
