/* What the tests of the face run under in this design, and what they expect of it. */
#ifndef ACTORBENCH_TESTS_MESSAGE_CENTRIC_ROWS_H
#define ACTORBENCH_TESTS_MESSAGE_CENTRIC_ROWS_H

#include "harness.h"

/* clang-format off */

/* A covering set: every two values of any two columns stand together in one line at least. */
__attribute__((unused)) static const char *const covering[] = {
    "workers queue reclaim mailboxes mailboxes-per-worker steal search idle",
    "1 copy half 0 2 longest random spin",
    "1 copy none 0 16 nearest random spin",
    "1 copy none 19 2 random random spin",
    "1 list naive 19 16 none first park",
    "2 copy half 0 16 nearest first spin",
    "2 copy none 19 2 longest first spin",
    "2 list naive 19 16 none random spin",
    "2 list none 19 2 random random park",
    "3 copy half 0 2 random random park",
    "3 copy half 19 16 nearest first park",
    "3 copy naive 19 2 longest first park",
    "3 list none 0 16 none random spin",
    "4 copy half 19 16 none first park",
    "4 copy naive 0 2 nearest random park",
    "4 list naive 0 2 random random spin",
    "4 list none 0 2 longest random park",
    "5 copy none 0 16 random first spin",
    "5 list half 19 16 none random park",
    "5 list half 19 2 longest random park",
    "5 list naive 0 16 nearest first park",
    "6 copy half 0 2 none first spin",
    "6 copy none 19 2 nearest random park",
    "6 list half 0 16 random first spin",
    "6 list naive 19 2 longest first spin",
    "7 copy half 19 2 random random park",
    "7 copy none 19 16 longest first park",
    "7 list naive 0 16 nearest first spin",
    "7 list none 19 16 none random park",
    "8 copy half 19 16 nearest first park",
    "8 copy naive 0 16 random random park",
    "8 list naive 19 2 none random spin",
    "8 list none 0 16 longest random park",
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
static inline void expect_lone_messages(const struct executor_statistics *counted) {
    assert_int_equal(counted->gulps, counted->messages_received);
    assert_int_equal(counted->missed_gulps, 0);
    assert_int_equal(counted->steal_attempts, 0);
}

/* Whatever the traffic was. */
static inline void expect_plausible(const struct executor_statistics *counted) {
    assert_in_range(counted->gulps, 1, counted->messages_received);
    assert_in_range(counted->steals + counted->steal_no_candidate + counted->steal_failed_swap, 0,
                    counted->steal_attempts);
    assert_true(counted->steals > 0 || counted->messages_stolen == 0);
}

static inline unsigned mailboxes_of(const struct executor_config *config) {
    size_t i = 0;
    while (strcmp(executor_options[i].name, "mailboxes-per-worker") != 0)
        i++;
    return config->workers == 1 ? 1 : config->options[i];
}

/* For how many others a message may wait without thieves: what is left of the gulp that runs, then one round of the worker's
 * mailboxes, in which each is gulped once, with no more than what is in flight. */
static inline uint32_t wait_bound(const struct executor_config *config, unsigned actors, unsigned in_flight) {
    (void)actors;
    return (1 + mailboxes_of(config)) * in_flight;
}

#endif
