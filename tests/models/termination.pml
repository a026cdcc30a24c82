/* Termination (core/census.h): main makes actors, waits until all have terminated, and makes more; actors make actors.
 *
 * WORKERS workers with one mailbox each. Every actor is sent one message or two by whoever makes it; with the last one
 * its behaviour ends it. Main and behaviours make ACTORS actors in all, or fewer. Main waits WAITS times, and parking_wait()
 * may return SPURIOUS times for no reason.
 *
 * Claims: when all actors are said to have terminated, main waits, every mailbox is empty, and no worker has an actor in
 * hand; every wait ends, once, and only then.
 *
 * Steps left out:
 *     -DMAIN_UNCOUNTED    main is not counted as one that may still make actors
 *     -DREMOVED_EARLY     an actor is counted as gone before its last behaviour has run
 *     -DWITHOUT_LOOP      main does not look again when parking_wait() returns
 *     -DWITHOUT_RESET     the word that main waits on is not set back
 *     -DWITHOUT_RETURN    main that has waited is still counted as gone
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef ACTORS
#define ACTORS 3
#endif
#ifndef WAITS
#define WAITS 2
#endif
#ifndef SPURIOUS
#define SPURIOUS 0
#endif

chan mailbox[WORKERS] = [2 * ACTORS] of { bool }; /* messages; true: its receiver's last one */

/* census_init() */
#ifdef MAIN_UNCOUNTED
byte created = 0;
#else
byte created = 1;
#endif
byte terminated = 0;
bool all_terminated = false;

bool parked; /* main is held by the kernel in parking_wait() */
byte spurious = SPURIOUS;
byte to_make = ACTORS;
byte in_hand;     /* messages that were taken out of a mailbox, and whose behaviours have not returned */
bool main_waits;
hidden byte w;

inline check_nothing_left() {
    d_step {
        assert(main_waits);
        assert(in_hand == 0);
        for (w : 0 .. WORKERS - 1) {
            assert(empty(mailbox[w]))
        }
    }
}

inline make_actor(number) {
    d_step { number = created; created++ }; /* actorbench_actor_construct(), census_add() */
    if                                      /* actorbench_post() */
    :: mailbox[number % WORKERS] ! false
    :: skip
    fi;
    mailbox[number % WORKERS] ! true
}

/* census_remove() */
inline remove(count, was_last) {
    d_step { terminated++; count = terminated };
    was_last = (count == created)
}

/* process(); a mailbox and what was gulped of it are one queue */
proctype worker(byte self) {
    byte count;
    bool last_one, was_last;
end_idle:
    do
    :: atomic { mailbox[self] ? last_one -> in_hand++ };
#ifdef REMOVED_EARLY
        if
        :: last_one -> remove(count, was_last)
        :: else
        fi;
#endif
        do /* deliver(): the behaviour */
        :: atomic { to_make > 0 -> to_make-- }; make_actor(count)
        :: break
        od;
        in_hand--; /* lifecycle_end_actor() */
#ifndef REMOVED_EARLY
        if
        :: last_one -> remove(count, was_last)
        :: else
        fi;
#endif
        if
        :: was_last -> /* census_announce() */
            atomic { check_nothing_left(); all_terminated = true };
            parked = false /* parking_wake() */
        :: else
        fi;
        count = 0; last_one = false; was_last = false
    od
}

/* parking_wait(): the kernel compares and parks in one step */
inline park(word) {
    d_step { parked = !word };
    if
    :: !parked
    :: atomic { spurious > 0 && parked -> spurious--; parked = false }
    fi
}

/* census_wait() */
inline wait(count, was_last) {
    main_waits = true;
    remove(count, was_last);
    if
    :: was_last
    :: else ->
#ifdef WITHOUT_LOOP
        park(all_terminated)
#else
        do
        :: all_terminated -> break
        :: else -> park(all_terminated)
        od
#endif
    fi;
    check_nothing_left();
#ifndef WITHOUT_RESET
    all_terminated = false;
#endif
#ifndef WITHOUT_RETURN
    terminated--;
#endif
    main_waits = false
}

init {
    byte k, count;
    bool was_last;
    atomic {
        for (k : 0 .. WORKERS - 1) {
            run worker(k)
        }
    }
    for (k : 1 .. WAITS) {
        do
        :: atomic { to_make > 0 -> to_make-- }; make_actor(count)
        :: break
        od;
        wait(count, was_last) /* actorbench_wait(), actorbench_stop() */
    }
    assert(created == terminated + 1)
}
