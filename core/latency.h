/* Latency: the time from each send to the start of its behaviour, in a build that takes it (CONFIG=latency).
 *
 * There an envelope carries when it was sent. Every worker adds to a histogram of its own, in cycles; when it ends they are added
 * up, and cycles become nanoseconds by what both clocks say of the round as a whole. So the processors' time-stamp counters must
 * agree, as they do wherever the kernel itself goes by them; where two differ by some cycles, a send that seems to come after its
 * behaviour counts as 0.
 *
 * In every other build what stands in STAMPED(...) is not there: its machine code is that of a source without a word of this. A
 * build that takes latency is not one to take times by: its envelopes are a third larger, and two clocks are read for a message.
 */
#ifndef ACTORBENCH_LATENCY_H
#define ACTORBENCH_LATENCY_H

#include <stdint.h>

#if defined(ACTORBENCH_LATENCY)

#include "platform/clock.h"
#include "platform/histogram.h"

#define STAMPED(...) __VA_ARGS__

/* The calling worker's, in cycles. */
extern _Thread_local struct histogram this_latency;

/* For a message whose behaviour is about to run. */
static inline void latency_add(uint64_t sent) {
    uint64_t now = clock_cycles();
    histogram_add(&this_latency, now > sent ? now - sent : 0);
}

/* Forgets the last round, and begins the next; by actorbench_start, before there are workers. */
void latency_begin(void);

/* Adds the calling worker's to the round's, as it ends. */
void latency_collect(void);

/* By actorbench_stop, when all workers have ended. */
void latency_end(void);

#else
#define STAMPED(...)
#endif

#endif
