/* core/platform/parking.h itself, and in place of parking.c: a futex(2) as the kernel promises it.
 *
 * A wait compares the word's newest value and blocks in one step; a wake unblocks every thread that waits on the
 * word. It orders nothing: whoever relies on what the waker wrote must get it from the word. A thread that waits when
 * nobody is left to wake it is a deadlock, which relacy reports; so a wait has no timeout here, whatever it asks for.
 */
#ifndef ACTORBENCH_SEARCH_PLATFORM_PARKING_H
#define ACTORBENCH_SEARCH_PLATFORM_PARKING_H

#include "../../../core/platform/parking.h"

inline void parking_wait(ATOMIC(uint32_t) *word, uint32_t expected, uint64_t) {
    rl::thread_id_t thread = rl::ctx().current_thread();
    uint32_t found = expected;
    if (!atomic_cas_relaxed(word, &found,
                            expected)) /* writes what is there: the only read that sees the newest value */
        return;
    if (search::the_world.early_wakes[thread] != 0) {
        search::the_world.early_wakes[thread]--;
        return;
    }
    search::the_world.parked_on[thread] = word;
    rl::ctx().park_current_thread(false, false, false, RL_INFO);
}

inline void parking_wake(ATOMIC(uint32_t) *word) {
    rl::ctx().sched(); /* the waker may be preempted before it gets here */
    for (rl::thread_id_t i = 0; i < rl::ctx().get_thread_count(); i++)
        if (search::the_world.parked_on[i] == word) {
            search::the_world.parked_on[i] = NULL;
            rl::ctx().unpark_thread(i, false, RL_INFO);
        }
}

#endif
