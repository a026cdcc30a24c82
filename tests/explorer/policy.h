/* Policies: which thread makes the next access.
 *
 *     even    any thread that can run is as likely as another, as if each had a processor: to count what they do (lines.h).
 *     random  the thread goes on with probability 1 - 1/k; otherwise any thread that can run is as likely as another.
 *             k is drawn once a schedule, from 1 to 32, so that there are schedules with many switches and with few.
 *     pct     probabilistic concurrency testing (Burckhardt and others, 2010): threads have random priorities, and the
 *             first one goes on, but for depth - 1 random moments at which it becomes one of the last. So a bug that
 *             needs few orderings is found with a probability that has a bound, however long the schedule is.
 *
 * Next after a thread that spins is any that can run; under pct, any other, for an access at least, while the priority
 * of the thread that spins is drawn anew. So a wait for what others do comes to its end, with probability 1.
 */
#ifndef ACTORBENCH_TESTS_EXPLORER_POLICY_H
#define ACTORBENCH_TESTS_EXPLORER_POLICY_H

#include <stdbool.h>
#include <stdint.h>

enum policy_kind { POLICY_RANDOM, POLICY_PCT, POLICY_EVEN };

enum { MOST_THREADS = 32, MOST_DEPTH = 16 };

struct policy {
    enum policy_kind kind;
    uint64_t seed;
    unsigned depth;  /* of pct */
    uint64_t length; /* of pct: about how many accesses a schedule has */
};

/* Begins a schedule, without a thread. */
void policy_begin(const struct policy *policy);

/* Adds the next thread. */
void policy_add(void);

/* Which of the threads in `runnable` (bit by bit; not 0) is next, after an access of `current`. */
unsigned policy_choose(uint32_t runnable, unsigned current, bool spins);

#endif
