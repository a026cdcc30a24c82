/* Shares: how many messages each worker runs, and whether none is left with nothing while there is work for all.
 *
 * Counts, never times. A test goes on until every worker has run ENOUGH messages (a share of its own), or until all have run
 * so many together that one which has not is known to starve: its share is then less than 1 / UNEVEN of an even one. So a
 * slow machine, or a worker that the kernel starts late, makes a test longer and not red.
 *
 * Workers may be more than CPUs. What stands for long work sleeps, where a real program would calculate: a worker that
 * sleeps leaves the CPU to the next one, so that 16 workers overlap on two CPUs as they would on 16.
 */
#ifndef ACTORBENCH_TESTS_SHARES_H
#define ACTORBENCH_TESTS_SHARES_H

#include "harness.h"

enum {
    MOST_WORKERS = 16,
    ENOUGH = 8,
    UNEVEN = 32,
    LONG_NS = 1000 * 1000,
    SECONDS = 60,
};

/* One line for each worker's count: they are written all the time. */
static struct { _Alignas(128) ATOMIC(uint32_t) ran; } shares[MOST_WORKERS];

static ATOMIC(uint32_t) together, lacking; /* messages; workers that have not run enough */
static uint32_t enough, most;              /* messages of a worker, and together */

/* Starts an executor whose workers are to run `each` messages at least before they have run `all` together. */
static inline void start_shares(const struct actorbench_config *config, uint32_t each, uint32_t all) {
    assert_in_range(config->workers, 1, MOST_WORKERS);
    for (unsigned i = 0; i < MOST_WORKERS; i++)
        atomic_initialise(&shares[i].ran, 0);
    atomic_initialise(&together, 0);
    atomic_initialise(&lacking, config->workers);
    enough = each;
    most = all;
    start_executor(config);
}

/* Counts a message for the worker that runs it. For behaviours. */
static inline void count_share(void) {
    if (atomic_fetch_add_relaxed(&shares[actorbench_worker()].ran, 1) + 1 == enough)
        (void)atomic_fetch_sub_relaxed(&lacking, 1);
    (void)atomic_fetch_add_relaxed(&together, 1);
}

/* Whether it is known how the shares are. */
static inline bool shares_are_known(void) {
    return atomic_load_relaxed(&lacking) == 0 || atomic_load_relaxed(&together) >= most;
}

static inline uint32_t share_of(unsigned worker) {
    return atomic_load_relaxed(&shares[worker].ran);
}

/* The shares as text: "12 13 0 11". Valid until the next call. */
static inline const char *shares_said(unsigned workers) {
    static char text[MOST_WORKERS * 12];
    size_t length = 0;
    for (unsigned i = 0; i < workers; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, i == 0 ? "%u" : " %u", share_of(i));
    return text;
}

/* Tells people what the shares were: tests say so where it is asked for, by ACTORBENCH_TEST_SAYS. */
static inline void say_shares(const char *under, unsigned workers, const char *what) {
    if (getenv("ACTORBENCH_TEST_SAYS") != NULL)
        print_message("%s under %s: %s\n", what, under, shares_said(workers));
}

/* Asserts that no worker has run less than `least` messages. */
static inline void expect_shares(unsigned workers, uint32_t least, const char *what) {
    for (unsigned i = 0; i < workers; i++)
        if (share_of(i) < least)
            fail_msg("%s: worker %u of %u has run %u messages, less than %u; all: %s", what, i, workers, share_of(i),
                     least, shares_said(workers));
}

#endif
