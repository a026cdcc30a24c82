/* The channels of filter-bank, and the actors on both sides of them.
 *
 * Branches give each sample to every channel. There it is delayed, filtered, replaced by zero but for one of `columns`,
 * delayed and filtered again: an actor each, and a bank before them and a tagger behind. The integrator collects what comes
 * of a sample in all channels, the combiner adds it up for the sink. In a channel a sample is one message all the way,
 * whose value changes.
 */
#ifndef ACTORBENCH_WORKLOADS_CHANNELS_H
#define ACTORBENCH_WORKLOADS_CHANNELS_H

#include "workload.h"

enum { MOST_CHANNELS = 64 };

/* The parameter: at most MOST_CHANNELS. */
extern uint64_t channels;

/* Makes the actors, while the executor runs, for so many samples and filters of so many columns, at least 2. */
void channels_make(uint64_t columns, uint64_t samples);

/* Sends a sample, or the end of all, to the branches: from one behaviour. */
void channels_give(double value);
void channels_end(void);

/* Computes the same in another way, and compares, after actorbench_stop; channels_free then frees all. */
void channels_verify(const double *values, uint64_t samples);
void channels_free(void);

#endif
