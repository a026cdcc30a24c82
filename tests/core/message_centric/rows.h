/* What the tests of the face run under in this design, and what they expect of it. */
#ifndef ACTORBENCH_TESTS_MESSAGE_CENTRIC_ROWS_H
#define ACTORBENCH_TESTS_MESSAGE_CENTRIC_ROWS_H

#include "harness.h"

/* clang-format off */

/* A covering set: every two values of any two columns stand together in one line at least. */
__attribute__((unused)) static const char *const covering[] = {
    "workers queue reclaim copy-queue-size copy-queue-growth mailboxes mailboxes-per-worker steal search scans-before-steal steal-backoff idle",
    "1 copy naive 1 150 19 16 none first 1 none park",
    "1 copy none 10 150 19 2 random first 2 double spin",
    "1 list half 1 200 0 2 longest random 9 double spin",
    "1 list naive 10 150 0 2 nearest random 9 none spin",
    "2 copy half 1 200 19 16 none first 2 none park",
    "2 copy naive 10 200 0 2 longest random 2 none spin",
    "2 copy naive 1 150 0 16 random random 1 none spin",
    "2 list none 10 200 19 2 nearest first 9 double park",
    "3 copy half 10 200 19 16 nearest random 2 double spin",
    "3 copy naive 10 150 19 2 longest first 9 none spin",
    "3 list half 1 150 0 16 random random 1 none park",
    "3 list none 1 200 0 2 none first 1 none park",
    "4 copy naive 1 200 19 16 random random 2 none park",
    "4 copy none 1 150 0 16 nearest random 9 none spin",
    "4 copy none 1 150 19 2 longest random 2 double spin",
    "4 list half 10 200 19 2 none first 1 double park",
    "5 copy half 1 200 0 16 random first 1 none spin",
    "5 copy none 1 200 0 2 none random 9 double spin",
    "5 list naive 10 200 19 16 nearest random 1 none spin",
    "5 list naive 10 150 19 16 longest first 2 none park",
    "6 copy half 10 200 19 2 random first 1 double park",
    "6 copy naive 1 150 19 16 none first 9 none spin",
    "6 copy none 10 150 19 16 nearest random 2 double spin",
    "6 list naive 10 200 0 2 longest random 9 none spin",
    "6 list none 1 150 0 16 random random 2 none spin",
    "7 copy half 10 200 0 2 none first 2 double spin",
    "7 copy none 10 150 0 2 longest first 1 double spin",
    "7 copy none 1 200 19 16 nearest first 2 double park",
    "7 list naive 1 200 19 16 random random 9 none park",
    "8 copy half 10 200 19 2 random random 1 double park",
    "8 copy naive 10 150 19 16 nearest first 1 none park",
    "8 list naive 1 200 0 2 none random 2 double spin",
    "8 list none 10 150 0 16 longest random 9 none spin",
};

/* Ways in which what waits behind a long behaviour is found by others. Four mailboxes for each worker. */
__attribute__((unused)) static const char *const stealing[] = {
    "mailboxes-per-worker steal queue idle",
    "4 longest copy park",
    "4 random list park",
    "4 nearest copy park",
    "4 longest list park",
    "4 random copy park",
    "4 nearest copy spin",
    "4 nearest list park",
    "4 longest list spin",
    "4 random copy spin",
};

/* Ways in which only what comes later is found: there is none. */
__attribute__((unused)) static const char *const stealing_arrivals[] = {""};

/* Ways in which a sleeping worker is woken. */
__attribute__((unused)) static const char *const sleeping[] = {
    "workers mailboxes-per-worker steal queue",
    "1 2 none copy",
    "2 2 none list",
    "4 2 none copy",
    "2 2 random copy",
    "4 2 random list",
    "2 2 longest list",
    "4 2 longest copy",
    "4 2 nearest copy",
};

/* Ways in which whoever is idle finds work, if there is any. */
__attribute__((unused)) static const char *const shared[] = {
    "mailboxes-per-worker steal queue idle",
    "16 random copy park",
    "16 longest copy park",
    "16 nearest copy park",
    "16 random list park",
    "16 random list spin",
    "16 longest list park",
    "16 longest list spin",
    "16 nearest list park",
    "16 nearest list spin",
};

/* Ways in which nothing goes from one worker to another, so that each has what was dealt to it, and no more is promised. */
__attribute__((unused)) static const char *const dealt[] = {
    "mailboxes-per-worker steal queue idle",
    "16 none copy park",
    "4 none list park",
    "2 none copy spin",
};

/* Ways in which a worker sees to what it is sent, without thieves. */
__attribute__((unused)) static const char *const waits_bounded[] = {
    "workers mailboxes-per-worker steal queue",
    "1 16 none copy",
    "1 16 none list",
    "2 2 none copy",
    "4 16 none copy",
    "3 4 none list",
};

/* clang-format on */

/* One actor on one worker, which has never more than one message waiting. */
static inline void expect_lone_messages(const struct actorbench_statistics *counted) {
    assert_int_equal(counted->gulps, counted->messages_received);
    assert_int_equal(counted->missed_gulps, 0);
    assert_int_equal(counted->steal_attempts, 0);
}

/* Whatever the traffic was. */
static inline void expect_plausible(const struct actorbench_statistics *counted) {
    assert_in_range(counted->gulps, 1, counted->messages_received);
    assert_in_range(counted->steals + counted->steal_no_candidate + counted->steal_failed_swap, 0,
                    counted->steal_attempts);
    assert_true(counted->steals > 0 || counted->messages_stolen == 0);
}

static inline unsigned mailboxes_of(const struct actorbench_config *config) {
    size_t i = 0;
    while (strcmp(actorbench_options[i].name, "mailboxes-per-worker") != 0)
        i++;
    return config->workers == 1 ? 1 : config->options[i];
}

/* For how many others a message may wait without thieves: what is left of the gulp that runs, then one round of the worker's
 * mailboxes, in which each is gulped once, with no more than what is in flight. */
static inline uint32_t wait_bound(const struct actorbench_config *config, unsigned actors, unsigned in_flight) {
    (void)actors;
    return (1 + mailboxes_of(config)) * in_flight;
}

#endif
