/* What the tests of the face run under in this design, and what they expect of it. */
#ifndef ACTORBENCH_TESTS_MESSAGE_CENTRIC_ROWS_H
#define ACTORBENCH_TESTS_MESSAGE_CENTRIC_ROWS_H

#include "harness.h"

/* clang-format off */

/* A covering set: every two values of any two columns stand together in one line at least;
 * and some more in which blocks, holding and out-boxes are on. */
__attribute__((unused)) static const char *const covering[] = {
"workers queue local out-boxes reclaim mailboxes-per-worker steal loot idle lanes census prefetch",
    "1 list off off half 2 random any park off shared 0",
    "1 copy on off naive 16 longest waiting park on batched 3",
    "1 block off on naive 2 nearest worthwhile spin off shared 3",
    "1 block off on none 16 none waiting park on batched 3",
    "1 block on on naive 2 nearest worthwhile park off shared 3",
    "2 list off on none 2 none worthwhile park on shared 0",
    "2 copy on off half 16 nearest waiting spin off shared 3",
    "2 block on off naive 2 random any park off batched 3",
    "2 list on on none 2 longest worthwhile spin off batched 0",
    "2 block on on none 2 random any spin on batched 3",
    "2 block on on naive 2 longest any spin off shared 0",
    "3 block off on half 2 longest worthwhile park on shared 3",
    "3 list on off naive 2 random waiting spin off batched 0",
    "3 copy on on none 16 nearest any park off batched 0",
    "3 copy on on half 16 none worthwhile park on shared 3",
    "3 block on on none 2 nearest any park on batched 0",
    "4 block on off naive 2 none waiting spin off batched 0",
    "4 copy off on half 16 none any park on shared 3",
    "4 list off on none 16 random worthwhile spin on shared 3",
    "4 copy on on half 2 longest any spin on batched 0",
    "4 list off off none 16 nearest any spin off shared 3",
    "4 block on on naive 2 random waiting spin off shared 3",
    "5 copy off off none 2 nearest worthwhile park off batched 0",
    "5 block on on none 16 random any spin on shared 3",
    "5 list off off naive 2 longest waiting park on batched 3",
    "5 copy on on half 16 none worthwhile park on shared 0",
    "5 block on on none 16 none worthwhile park off batched 3",
    "6 copy on on none 16 nearest any spin on batched 3",
    "6 list off off naive 2 longest waiting park on shared 0",
    "6 block off on half 16 random worthwhile spin off batched 0",
    "6 block on on none 2 none any park on batched 0",
    "6 block on on half 16 random waiting spin off shared 0",
    "7 copy off on naive 16 random waiting park on shared 0",
    "7 list on on none 2 longest any spin off batched 3",
    "7 list on off half 16 nearest worthwhile spin on shared 3",
    "7 block on on none 2 none worthwhile spin off batched 0",
    "7 block on on naive 2 random any park off batched 0",
    "8 list on off half 16 longest worthwhile spin off batched 3",
    "8 copy off on naive 2 nearest any park on shared 0",
    "8 block on on none 2 none waiting park off batched 3",
    "8 block on on none 16 random worthwhile spin off batched 0",
    "8 block on on half 16 random worthwhile park off shared 0",
};

/* Ways in which what waits behind a long behaviour is found by others. Four mailboxes for each worker. */
__attribute__((unused)) static const char *const stealing[] = {
    "mailboxes-per-worker steal loot queue idle lanes",
    "4 longest worthwhile copy park off",
    "4 random worthwhile list park off",
    "4 nearest worthwhile copy park off",
    "4 longest waiting list park off",
    "4 random waiting copy park off",
    "4 longest any copy park off",
    "4 random any list park off",
    "4 nearest any list park off",
    "4 longest worthwhile list spin off",
    "4 random waiting copy spin off",
    "4 longest worthwhile block park on",
    "4 random worthwhile block spin on",
    "4 nearest waiting block park on",
    "4 longest any block park on",
    "4 random worthwhile block park off",
    "4 longest worthwhile copy park on",
};

/* Ways in which only what comes later is found: there is none. */
__attribute__((unused)) static const char *const stealing_arrivals[] = {""};

/* Ways in which a sleeping worker is woken. */
__attribute__((unused)) static const char *const sleeping[] = {
    "workers mailboxes-per-worker steal lanes",
    "1 2 none off",
    "1 2 none on",
    "2 2 none off",
    "2 2 none on",
    "4 2 none off",
    "4 2 none on",
    "2 2 random off",
    "2 2 random on",
    "4 2 random off",
    "4 2 random on",
    "2 2 longest off",
    "2 2 longest on",
    "4 2 longest off",
    "4 2 longest on",
    "4 2 nearest off",
    "4 2 nearest on",
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
