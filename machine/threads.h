/* The program's threads: contexts on one kernel thread, each with a clock of its own. On which unit they run: units.h.
 *
 * At each atomic access the thread whose clock is earliest goes on. So what threads do to each other happens in the order
 * of their times, and a run follows from the program, the description and the seed alone.
 *
 * A thread that only polls what does not change is not run poll by poll: its clock jumps ahead, until another core takes a
 * line from it, or for SKIP_SHARE of the time for which nothing has changed.
 */
#ifndef ACTORBENCH_MACHINE_THREADS_H
#define ACTORBENCH_MACHINE_THREADS_H

#include "core.h"

/* Up to when the running thread may go on without looking at the others. */
extern time_ps threads_horizon;

/* Makes cores and units, and runs `run` as the first thread; does not return. */
_Noreturn void threads_begin(const struct description *machine, uint64_t seed, void *(*run)(void *), void *argument);

/* Lets those go on who are earlier than the caller. */
void threads_pass(void);

static inline void threads_turn(void) {
    if (__builtin_expect(self->clock >= threads_horizon, 0))
        threads_pass();
}

/* The caller waits a little, in a loop that polls; with `yields` it lets another thread of its unit run. */
void threads_pause(bool yields);

/* A thread that polls on a core, if one is passed over there; and the end of that. */
unsigned threads_spin_on(unsigned core);
void threads_wake_spinner(unsigned core, time_ps at);

unsigned threads_start(void *(*run)(void *), void *argument);
void *threads_join(unsigned thread);
void threads_park(const void *word, time_ps deadline);
void threads_sleep(time_ps length);

/* Wakes all that are parked on the word; how many. */
unsigned threads_unpark(const void *word);

/* Binds the caller; false if there is no such unit. */
bool threads_bind(int unit);

/* The CPU time of all threads. */
time_ps threads_busy(void);

/* What all threads have done. */
struct counts threads_counts(void);

#endif
