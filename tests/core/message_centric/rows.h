/* What the tests of the face run under in this design, and what they expect of it. */
#ifndef ACTORBENCH_TESTS_MESSAGE_CENTRIC_ROWS_H
#define ACTORBENCH_TESTS_MESSAGE_CENTRIC_ROWS_H

#include "harness.h"

/* clang-format off */

/* A covering set: every two values of any two columns stand together in one line at least;
 * and some more in which blocks, holding and out-boxes are on. */
__attribute__((unused)) static const char *const covering[] = {
    "workers queue local out-boxes reclaim mailboxes-per-worker steal loot idle lanes census prefetch deal recycle",
    "1 list on on naive 2 nearest waiting spin off batched 3 near on",
    "1 block off off half 16 nearest waiting park on shared 0 each off",
    "1 copy on off none 16 longest worthwhile spin off shared 0 each on",
    "1 copy off on none 16 random any spin off batched 0 each off",
    "1 copy on on half 2 none waiting spin on shared 3 each off",
    "1 block on on naive 2 none worthwhile park on shared 3 near on",
    "2 block on on half 2 none any spin on batched 3 each off",
    "2 copy on off naive 16 none waiting park off shared 0 near on",
    "2 list off off none 2 random worthwhile spin on batched 0 near off",
    "2 block off off none 2 longest waiting park off shared 3 each off",
    "2 list off off none 2 nearest worthwhile park on batched 0 each on",
    "2 block on on none 2 random any spin on batched 3 near on",
    "2 block on on none 16 nearest waiting park on batched 3 each on",
    "3 list off off half 2 random any park off shared 0 near on",
    "3 block on on naive 16 random worthwhile park on shared 3 near off",
    "3 block off off none 2 longest waiting spin on batched 0 each off",
    "3 copy off off half 16 nearest waiting park on batched 3 each off",
    "3 block on on naive 16 none waiting spin on shared 3 near on",
    "3 block on on none 2 random worthwhile spin off shared 3 near off",
    "4 copy on off none 16 nearest worthwhile spin on batched 3 each off",
    "4 block off on naive 2 longest waiting spin on shared 0 near on",
    "4 list off on half 2 random any park off shared 3 each on",
    "4 copy on off half 16 none any spin off batched 0 each off",
    "4 block on on none 16 none worthwhile park off batched 3 near off",
    "5 copy off off naive 16 random waiting spin off shared 3 each on",
    "5 list on on naive 2 longest any park on batched 0 near off",
    "5 block on off none 2 none worthwhile park on batched 3 each off",
    "5 copy off off half 16 nearest waiting spin on batched 0 each off",
    "5 block on on naive 16 random any spin on shared 0 near on",
    "6 copy on on none 2 longest any spin off shared 0 near off",
    "6 block off off half 16 nearest any park off batched 3 each off",
    "6 list on off naive 16 none worthwhile park on batched 0 near off",
    "6 copy on on naive 16 random waiting spin off shared 3 each on",
    "6 block on on half 16 none any park off shared 0 each off",
    "7 block off off none 2 none worthwhile park on batched 0 near on",
    "7 list on on half 16 longest worthwhile park off batched 3 near off",
    "7 copy off on naive 16 nearest any spin off shared 3 each on",
    "7 list on on half 16 random waiting spin off shared 3 near off",
    "7 block on on half 16 none waiting park off batched 0 near off",
    "8 block off on naive 16 longest waiting park on shared 0 each off",
    "8 list on off none 16 random any spin on batched 3 each off",
    "8 copy off on half 2 nearest worthwhile spin off batched 3 near off",
    "8 block on off naive 2 none waiting spin on batched 3 each on",
    "8 block on on naive 2 none any park off shared 3 each on",
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

/* Ways in which whoever is idle finds work, if there is any. */
__attribute__((unused)) static const char *const shared[] = {
    "mailboxes-per-worker steal loot queue idle local out-boxes lanes",
    "16 random worthwhile block park on on on",
    "16 random waiting block park on on on",
    "16 random any block park on on on",
    "16 longest worthwhile block park on on on",
    "16 longest waiting block park on on on",
    "16 longest any block park on on on",
    "16 nearest worthwhile block park on on on",
    "16 nearest waiting block park on on on",
    "16 nearest any block park on on on",
    "16 random worthwhile copy park off off off",
    "16 random waiting copy park off off off",
    "16 random any copy park off off off",
    "16 longest worthwhile copy park off off off",
    "16 longest waiting copy park off off off",
    "16 longest any copy park off off off",
    "16 nearest worthwhile copy park off off off",
    "16 nearest waiting copy park off off off",
    "16 nearest any copy park off off off",
    "16 random worthwhile list spin off off off",
    "16 random waiting list spin off off off",
    "16 random any list spin off off off",
    "16 longest worthwhile list spin off off off",
    "16 longest waiting list spin off off off",
    "16 longest any list spin off off off",
    "16 nearest worthwhile list spin off off off",
    "16 nearest waiting list spin off off off",
    "16 nearest any list spin off off off",
};

/* Ways in which nothing goes from one worker to another, so that each has what was dealt to it. */
__attribute__((unused)) static const char *const dealt[] = {
    "mailboxes-per-worker steal queue local out-boxes lanes",
    "4 none copy off off off",
    "4 none list off off off",
    "4 none block on on on",
};

/* Ways in which a worker sees to what it is sent, without thieves. */
__attribute__((unused)) static const char *const waits_bounded[] = {
    "workers mailboxes-per-worker steal queue local out-boxes lanes",
    "1 16 none copy off off off",
    "1 16 none list off off off",
    "1 16 none block on on on",
    "2 2 none copy off off off",
    "4 16 none copy off off off",
    "3 4 none list off off off",
    "4 4 none block on on on",
    "3 16 none block off on on",
};

/* clang-format on */

/* For how many others a message may wait, with so many in flight: a round of all mailboxes, of which each may be gulped twice,
 * with all that is in flight, if that is always just ahead. */
__attribute__((unused)) static uint32_t wait_bound(const struct executor_config *config, unsigned actors,
                                                   unsigned in_flight) {
    unsigned mailboxes = 16;
    (void)config, (void)actors;
    return 2 * mailboxes * in_flight;
}

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
