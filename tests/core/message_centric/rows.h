/* What the tests of the face run under in this design, and what they expect of it. */
#ifndef ACTORBENCH_TESTS_MESSAGE_CENTRIC_ROWS_H
#define ACTORBENCH_TESTS_MESSAGE_CENTRIC_ROWS_H

#include "harness.h"

/* clang-format off */

/* A covering set: every two values of any two columns stand together in one line at least. */
__attribute__((unused)) static const char *const covering[] = {
    "workers queue reclaim mailboxes-per-worker steal loot idle",
    "1 copy none 2 longest any park",
    "1 list half 16 none worthwhile spin",
    "1 copy naive 2 random waiting spin",
    "1 list none 2 nearest worthwhile spin",
    "2 copy half 2 nearest worthwhile spin",
    "2 list none 16 none waiting park",
    "2 list naive 16 random any spin",
    "2 copy none 16 longest waiting spin",
    "3 list naive 16 longest waiting spin",
    "3 copy half 2 random any park",
    "3 copy none 16 nearest worthwhile spin",
    "3 list none 2 none worthwhile park",
    "4 copy naive 2 none any spin",
    "4 list half 16 nearest waiting park",
    "4 list none 16 random worthwhile spin",
    "4 list naive 2 longest worthwhile spin",
    "5 list half 16 none any park",
    "5 copy naive 2 random worthwhile spin",
    "5 copy none 16 longest waiting spin",
    "5 list none 2 nearest any spin",
    "6 copy naive 16 nearest worthwhile park",
    "6 list none 2 none waiting spin",
    "6 list half 16 longest any spin",
    "6 copy naive 16 random waiting spin",
    "7 copy none 2 random waiting park",
    "7 list half 16 longest worthwhile spin",
    "7 list naive 16 none any park",
    "7 copy half 2 nearest waiting spin",
    "8 list none 16 random worthwhile spin",
    "8 copy naive 2 nearest any park",
    "8 copy half 2 none waiting park",
    "8 copy half 2 longest waiting park",
};

/* Ways in which what waits behind a long behaviour is found by others. Four mailboxes for each worker. */
__attribute__((unused)) static const char *const stealing[] = {
    "mailboxes-per-worker steal loot queue idle",
    "4 longest worthwhile copy park",
    "4 random worthwhile list park",
    "4 nearest worthwhile copy park",
    "4 longest waiting list park",
    "4 random waiting copy park",
    "4 longest any copy park",
    "4 random any list park",
    "4 nearest any list park",
    "4 longest worthwhile list spin",
    "4 random waiting copy spin",
};

/* Ways in which only what comes later is found: there is none. */
__attribute__((unused)) static const char *const stealing_arrivals[] = {""};

/* Ways in which a sleeping worker is woken. */
__attribute__((unused)) static const char *const sleeping[] = {
    "workers mailboxes-per-worker steal",
    "1 2 none",
    "2 2 none",
    "4 2 none",
    "2 2 random",
    "4 2 random",
    "2 2 longest",
    "4 2 longest",
    "4 2 nearest",
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

#endif
