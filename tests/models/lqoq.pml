/* The ready queue lqoq (core/actor_centric/ready.h): a worker runs through a local queue without a lock; actors that
 * become ready come to its orchestration queue, from which thieves take all; what yields waits for the next cycle.
 *
 * WORKERS workers; ACTORS actors, each made ready for any worker by a thread of its own, and run TURNS times or fewer:
 * in between it yields. A worker without an actor sleeps until its orchestration queue has one, which sleepers.pml proves
 * of sleep.h, or becomes a thief.
 *
 * Claims: an actor is on one worker at most; when nothing moves any more, no actor is ready, and each has run.
 *
 * Steps left out:
 *     -DWITHOUT_YIELDED  a cycle does not begin with what yielded in the last one, if others have brought nothing
 *     -DWITHOUT_REST     a thief keeps only the actor that it runs first
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef ACTORS
#define ACTORS 3
#endif
#ifndef TURNS
#define TURNS 2
#endif

chan queue[WORKERS] = [ACTORS] of { byte };         /* worker.local */
chan yielded[WORKERS] = [ACTORS] of { byte };       /* worker.yielded */
chan orchestration[WORKERS] = [ACTORS] of { byte }; /* worker.inbox, under its lock */
bool running[ACTORS];
byte turns[ACTORS]; /* how often each has run */
hidden byte k, n, m, moved;

/* Moves the first actors from one queue to the end of another; as one step with what is around it. */
inline move(count, from, to) {
    for (k : 1 .. count) {
        from ? moved;
        to ! moved
    }
    moved = 0
}

/* Under the lock: the table in ready.h. */
inline change(mine, orchestrated) {
    d_step {
        if
        :: len(mine) == 0 -> /* pull() */
            n = (len(orchestrated) + 1) / 2;
            move(n, orchestrated, mine)
        :: len(mine) > 0 && len(orchestrated) == 0 ->
            n = len(mine) / 2;
            move(n, mine, orchestrated)
        :: else -> /* swapped */
            n = len(mine);
            m = len(orchestrated);
            move(n, mine, orchestrated);
            move(m, orchestrated, mine)
        fi
    }
}

/* change_roles() */
inline change_roles(mine, others, orchestrated) {
    d_step { n = len(others); move(n, others, mine) };
    if
    :: len(orchestrated) == 0 && len(mine) <= 1 /* ready_list_count() */
    :: else -> change(mine, orchestrated)
    fi
}

/* take(), ready_list_take_all(), under the lock */
inline steal(mine, victims) {
    d_step {
        n = len(victims);
        move(n, victims, mine);
#ifdef WITHOUT_REST
        do
        :: len(mine) > 1 -> mine ? moved
        :: else -> break
        od
#endif
    }
}

/* run() */
inline run_actor(actor, others) {
    d_step { assert(!running[actor]); running[actor] = true };
    d_step { running[actor] = false; turns[actor]++ };
    if
    :: turns[actor] < TURNS -> others ! actor /* ready_yield() */
    :: skip
    fi
}

/* design_work() */
proctype worker(byte self) {
    byte actor, victim;
end_idle:
    do
    :: nempty(queue[self]) -> /* next_of_lqoq() */
        queue[self] ? actor;
        run_actor(actor, yielded[self]);
        actor = 0
#ifdef WITHOUT_YIELDED
    :: empty(queue[self]) && nempty(orchestration[self]) ->
#else
    :: empty(queue[self]) && (nempty(orchestration[self]) || nempty(yielded[self])) ->
#endif
        change_roles(queue[self], yielded[self], orchestration[self])
    :: empty(queue[self]) && empty(yielded[self]) && len(orchestration[(self + 1) % WORKERS]) > 0 ->
        steal(queue[self], orchestration[(self + 1) % WORKERS]) /* steal_attempt() */
    od
}

/* ready_wake(), ready_list_push(), under the lock */
proctype pusher(byte actor) {
    byte chosen;
    select (chosen : 0 .. WORKERS - 1);
    orchestration[chosen] ! actor
}

init {
    byte a;
    atomic {
        for (a : 0 .. WORKERS - 1) {
            run worker(a)
        }
        for (a : 0 .. ACTORS - 1) {
            run pusher(a)
        }
    }
    timeout; /* nothing moves any more */
    for (a : 0 .. ACTORS - 1) {
        assert(turns[a] > 0)
    }
    for (a : 0 .. WORKERS - 1) {
        assert(empty(queue[a]) && empty(yielded[a]) && empty(orchestration[a]))
    }
}
