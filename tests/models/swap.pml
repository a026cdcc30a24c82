/* The swap of slots (core/sharded/slots.h): WORKERS workers of one slot each, which hold mailbox 0, 1, ...
 *
 * Who robs whom is a graph with an edge from each thief to its victim. Worker 0 is no thief, unless there is a cycle.
 *
 *     -DONE_VICTIM   all thieves rob worker 0
 *     -DACYCLIC      each robs any worker of a lower number: chains, trees and all between
 *     -DCYCLE        each robs the next, and the last one worker 0
 *     none of them   each robs any other worker, ROUNDS times
 *
 * Always claimed: a mailbox is in one slot at most, at any time, and in exactly one at the end; no worker finds null in
 * its slot outside its own swap.
 *
 *     -DONE_SUCCEEDS    claims besides: at least one swap succeeds
 *     -DEXACTLY_ONE     claims besides: exactly one swap succeeds
 *     -DSAME_LOOT       nobody swaps before all thieves have looked at their loot
 *
 * Steps left out:
 *     -DWITHOUT_NULL     the thief does not lock its own slot
 *     -DWITHOUT_CAS      the thief takes for granted that the victim's slot still holds the loot
 *     -DWITHOUT_RESTORE  a thief that fails leaves null behind
 */
#include "atomics.pml"

#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#define NOTHING 255 /* null */

#if defined(ONE_VICTIM)
#define choose(self, victim) victim = 0
#elif defined(ACYCLIC)
#define choose(self, victim) select (victim : 0 .. self - 1)
#elif defined(CYCLE)
#define choose(self, victim) victim = (self + 1) % WORKERS
#else
#define choose(self, victim) select (victim : 1 .. WORKERS - 1); victim = (self + victim) % WORKERS
#endif

#if defined(ONE_VICTIM) || defined(ACYCLIC)
#define FIRST_THIEF 1
#else
#define FIRST_THIEF 0
#endif

byte slot[WORKERS]; /* sharding.slots: the mailbox in each */
byte swapped;       /* how many swaps have succeeded */
byte looked;        /* how many thieves have */
hidden byte i, j;

inline check_distinct() {
    d_step {
        for (i : 1 .. WORKERS - 1) {
            for (j : 0 .. i - 1) {
                assert(slot[i] == NOTHING || slot[i] != slot[j])
            }
        }
    }
}

/* slots_swap() */
inline swap(own, mine, victims, loot) {
#ifdef WITHOUT_NULL
    succeeded = true;
#else
    atomic { cas(own, mine, NOTHING, succeeded); check_distinct() }
#endif
    if
    :: succeeded ->
#ifdef WITHOUT_CAS
        atomic { victims = mine; check_distinct() }
#else
        atomic { cas(victims, loot, mine, succeeded); check_distinct() }
#endif
        if
        :: succeeded ->
            atomic { own = loot; swapped++; check_distinct() }
        :: else ->
#ifndef WITHOUT_RESTORE
            atomic { own = mine; check_distinct() }
#endif
            skip
        fi
    :: else
    fi
}

proctype worker(byte self) {
    byte round, victim, loot, mine;
    bool succeeded;
    for (round : 1 .. ROUNDS) {
        if
        :: self >= FIRST_THIEF ->
            choose(self, victim);
            loot = slot[victim]; /* search(), slot_mailbox() */
#ifdef SAME_LOOT
            looked++;
            looked == WORKERS - FIRST_THIEF;
#endif
            if
            :: loot != NOTHING -> /* is_candidate() */
                mine = slot[self]; /* take(), slot_mailbox() */
                assert(mine != NOTHING);
                swap(slot[self], mine, slot[victim], loot)
            :: else
            fi
        :: else
        fi;
        victim = 0; loot = 0; mine = 0; succeeded = false
    }
    assert(slot[self] != NOTHING) /* worker_scan(), slot_mailbox() */
}

init {
    byte self;
    atomic {
        for (self : 0 .. WORKERS - 1) {
            slot[self] = self
        }
        for (self : 0 .. WORKERS - 1) {
            run worker(self)
        }
    }
    _nr_pr == 1;
    check_distinct();
    for (self : 0 .. WORKERS - 1) {
        assert(slot[self] != NOTHING)
    }
#ifdef ONE_SUCCEEDS
    assert(swapped >= 1);
#endif
#ifdef EXACTLY_ONE
    assert(swapped == 1);
#endif
}
