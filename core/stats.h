/* Counters: each worker adds to its own, with plain stores.
 *
 * Thefts are counted in every build: they are rare, and the one that moves a mailbox counts them, so that they cost the
 * work nothing. All else is counted in the statistics build; there, threads that are no workers (main) share one atomic
 * counter.
 */
#ifndef ACTORBENCH_STATS_H
#define ACTORBENCH_STATS_H

#include "executor.h"

#if defined(ACTORBENCH_STATISTICS)
enum { STATISTICS_BUILD = true };
#else
enum { STATISTICS_BUILD = false };
#endif

/* Entries of actorbench_counters. */
#define COUNTER(name) \
    { #name, offsetof(struct actorbench_statistics, name), (size_t)ACTORBENCH_COUNT, false }
#define MEAN(name, sum, per) \
    { #name, offsetof(struct actorbench_statistics, sum), offsetof(struct actorbench_statistics, per), false }
/* Of one member of an array. */
#define COUNTER_AS(name, member) \
    { #name, offsetof(struct actorbench_statistics, member), (size_t)ACTORBENCH_COUNT, false }
/* The same of thefts, in every build. */
#define THEFT_COUNTER(name) \
    { #name, offsetof(struct actorbench_statistics, name), (size_t)ACTORBENCH_COUNT, true }
#define THEFT_MEAN(name, sum, per) \
    { #name, offsetof(struct actorbench_statistics, sum), offsetof(struct actorbench_statistics, per), true }

/* Adds to a counter of a worker's struct actorbench_statistics; nothing in other builds. */
#define count_statistic(statistics, counter, amount) \
    do {                                             \
        if (STATISTICS_BUILD)                        \
            (statistics)->counter += (amount);       \
    } while (0)

/* Adds to a counter of thefts, in every build. */
#define count_theft(statistics, counter, amount) ((statistics)->counter += (amount))

/* Forgets the last round; the executor is not running. */
void stats_reset(void);

/* Adds one worker's counters to the round's; by actorbench_stop, after the worker has ended. */
void stats_collect(const struct actorbench_statistics *worker);

#endif
