/* Cycles: what all threads of this process have run, as perf(1) would count it.
 *
 * Where it is asked for and the kernel permits, the processor's own counter is read (perf_event_open(2)). That is not free: the
 * kernel saves and restores it whenever it switches threads. Otherwise cycles are the CPU time in ticks of the time-stamp counter,
 * whose frequency does not change with the processor's: so many cycles at that frequency, not those that were run.
 */
#ifndef ACTORBENCH_PLATFORM_CYCLES_H
#define ACTORBENCH_PLATFORM_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

/* What of the processor's counter is read. */
enum cycles_source {
    CYCLES_OF_CPU_TIME,  /* nothing: there is none, or it was not asked for */
    CYCLES_OF_USER_MODE, /* what ran outside the kernel, which is all that it lets us see */
    CYCLES_OF_ALL,
};

/* Begins to count what the calling thread runs, and the threads that it makes from here on. Once, before there are others. */
enum cycles_source cycles_open(void);

/* The counter since cycles_open, from any thread; false if it cannot be read, or was on the processor for no time. */
bool cycles_read(uint64_t *cycles);

/* Whether clock_cycles() has the time-stamp counter. */
bool cycles_have_ticks(void);

#endif
