/* What the tests of the face run under in this design, and what they expect of it. */
#ifndef ACTORBENCH_TESTS_WORKER_CENTRIC_ROWS_H
#define ACTORBENCH_TESTS_WORKER_CENTRIC_ROWS_H

#include "harness.h"

/* clang-format off */

/* A covering set: every two values of any two columns stand together in one line at least. */
__attribute__((unused)) static const char *const covering[] = {
    "workers mailboxes mailboxes-per-worker steal idle without",
    "1 0 16 none park borrowing",
    "1 0 16 random spin recycling",
    "1 0 2 random park near",
    "1 19 16 none spin nothing",
    "1 19 16 none spin out-boxes",
    "1 19 2 longest spin lanes",
    "1 19 2 nearest spin lanes,out-boxes,near,recycling,borrowing",
    "2 0 16 longest spin lanes,out-boxes,near,recycling,borrowing",
    "2 0 16 longest spin nothing",
    "2 0 2 nearest spin out-boxes",
    "2 0 2 random spin lanes",
    "2 19 16 none park recycling",
    "2 19 16 random spin near",
    "2 19 2 longest park borrowing",
    "3 0 16 nearest spin out-boxes",
    "3 0 16 none park near",
    "3 0 16 random spin lanes,out-boxes,near,recycling,borrowing",
    "3 0 2 nearest spin borrowing",
    "3 0 2 none park nothing",
    "3 19 16 random spin recycling",
    "3 19 2 longest park lanes",
    "4 0 16 longest spin near",
    "4 0 16 nearest spin lanes",
    "4 0 16 none park lanes,out-boxes,near,recycling,borrowing",
    "4 0 2 none spin out-boxes",
    "4 19 16 random park borrowing",
    "4 19 2 longest park recycling",
    "4 19 2 random park nothing",
    "5 0 16 longest park nothing",
    "5 0 16 longest spin borrowing",
    "5 0 2 none park out-boxes",
    "5 0 2 random spin recycling",
    "5 19 16 longest park lanes",
    "5 19 2 nearest spin near",
    "5 19 2 random spin lanes,out-boxes,near,recycling,borrowing",
    "6 0 2 longest spin recycling",
    "6 0 2 nearest spin out-boxes",
    "6 0 2 none park nothing",
    "6 19 16 none park lanes",
    "6 19 16 random park lanes,out-boxes,near,recycling,borrowing",
    "6 19 16 random spin near",
    "6 19 2 none park borrowing",
    "7 0 16 nearest spin nothing",
    "7 0 16 none spin lanes",
    "7 0 16 random spin borrowing",
    "7 19 16 longest spin lanes,out-boxes,near,recycling,borrowing",
    "7 19 16 random park near",
    "7 19 2 longest park out-boxes",
    "7 19 2 none spin recycling",
    "8 0 16 nearest park lanes",
    "8 0 16 nearest park recycling",
    "8 0 2 longest spin lanes,out-boxes,near,recycling,borrowing",
    "8 19 16 random spin out-boxes",
    "8 19 2 nearest park borrowing",
    "8 19 2 none park nothing",
    "8 19 2 none spin near",
};

/* Ways in which what waits behind a behaviour that does not end is found by others: there is none, since what a worker has
 * taken into its run queue is given by itself alone. */
__attribute__((unused)) static const char *const stealing[] = {""};

/* Ways in which what comes later is found. Four mailboxes for each worker. */
__attribute__((unused)) static const char *const stealing_arrivals[] = {
    "mailboxes-per-worker steal idle without",
    "4 longest park nothing",
    "4 random park nothing",
    "4 nearest park nothing",
    "4 longest spin nothing",
    "4 random spin near",
    "4 longest park lanes",
    "4 random park lanes",
    "4 nearest park out-boxes",
    "4 longest park near",
    "4 random park recycling",
    "4 longest park borrowing",
    "4 longest park lanes,out-boxes,near,recycling,borrowing",
    "4 nearest spin lanes,out-boxes,near,recycling,borrowing",
};

/* Ways in which a sleeping worker is woken. */
__attribute__((unused)) static const char *const sleeping[] = {
    "workers mailboxes-per-worker steal without",
    "1 2 none lanes",
    "1 2 none nothing",
    "2 2 none lanes",
    "2 2 none nothing",
    "4 2 none lanes",
    "4 2 none out-boxes",
    "2 2 random lanes",
    "2 2 random nothing",
    "4 2 random lanes",
    "4 2 random near",
    "2 2 longest lanes",
    "2 2 longest nothing",
    "4 2 longest lanes",
    "4 2 longest nothing",
    "4 2 longest borrowing",
    "4 2 nearest lanes",
    "4 2 nearest nothing",
};

/* Ways in which whoever is idle finds work, if there is any. */
__attribute__((unused)) static const char *const shared[] = {
    "mailboxes-per-worker steal idle without",
    "16 random park nothing",
    "16 random spin nothing",
    "16 random park lanes",
    "16 random park out-boxes",
    "16 random spin near",
    "16 random park borrowing",
    "16 random park lanes,out-boxes,near,recycling,borrowing",
    "16 longest park nothing",
    "16 longest spin nothing",
    "16 longest park lanes",
    "16 longest park out-boxes",
    "16 longest spin near",
    "16 longest park lanes,out-boxes,near,recycling,borrowing",
    "16 nearest park nothing",
    "16 nearest spin nothing",
    "16 nearest park lanes",
    "16 nearest park out-boxes",
    "16 nearest spin near",
    "16 nearest park lanes,out-boxes,near,recycling,borrowing",
};

/* Ways in which nothing goes from one worker to another, so that each has what was dealt to it, and no more is promised. */
__attribute__((unused)) static const char *const dealt[] = {
    "mailboxes-per-worker steal idle without",
    "16 none park nothing",
    "4 none park lanes",
    "16 none spin out-boxes",
    "2 none park near",
};

/* Ways in which a worker sees to what it is sent, without thieves. */
__attribute__((unused)) static const char *const waits_bounded[] = {
    "workers mailboxes-per-worker steal without",
    "1 16 none nothing",
    "1 16 none lanes,out-boxes,near,recycling,borrowing",
    "2 2 none nothing",
    "4 16 none nothing",
    "3 4 none out-boxes",
    "4 4 none lanes,near",
};

/* clang-format on */

/* One actor on one worker, which has never more than one message waiting: nothing is passed on, and nobody is asked. */
static inline void expect_lone_messages(const struct actorbench_statistics *counted) {
    assert_in_range(counted->runs, 1, counted->messages_received);
    assert_int_equal(counted->messages_passed, 0);
    assert_int_equal(counted->steal_attempts, 0);
    assert_int_equal(counted->asks, 0);
}

/* Whatever the traffic was. A run may pass on all that it has. */
static inline void expect_plausible(const struct actorbench_statistics *counted) {
    assert_in_range(counted->runs, 1, counted->messages_received + counted->messages_passed);
    assert_in_range(counted->refusals, 0, counted->asks);
    assert_in_range(counted->steal_no_candidate, 0, counted->steal_attempts);
}

static inline unsigned mailboxes_of(const struct actorbench_config *config) {
    size_t i = 0;
    while (strcmp(actorbench_options[i].name, "mailboxes-per-worker") != 0)
        i++;
    return config->workers == 1 ? 1 : config->options[i];
}

/* The rest of the run of its sender's worker, until an out-box is flushed, and one of its receiver's: pace.h. */
enum { RUN = 16384 };

/* For how many others a message may wait without thieves: what is in flight comes once from each of the worker's mailboxes, at
 * most, before what was sent first, and is in one queue then, in its order. */
static inline uint32_t wait_bound(const struct actorbench_config *config, unsigned actors, unsigned in_flight) {
    (void)actors;
    return (1 + 2 * mailboxes_of(config)) * in_flight + 2 * RUN;
}

#endif
