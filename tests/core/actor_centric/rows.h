/* What the tests of the face run under in this design, and what they expect of it. */
#ifndef ACTORBENCH_TESTS_ACTOR_CENTRIC_ROWS_H
#define ACTORBENCH_TESTS_ACTOR_CENTRIC_ROWS_H

#include "harness.h"

/* clang-format off */

/* A covering set: every two values of any two columns stand together in one line at least. */
__attribute__((unused)) static const char *const covering[] = {
    "workers mailbox link ready placement spawn dispatch steal loot idle clusters",
    "1 swap release fifo sender round-robin 1 nearest any park package",
    "1 stack ordered deque round-robin parent 3 random waiting spin 1",
    "1 chunk release lqoq home-anywhere round-robin 0 none waiting spin 1",
    "1 chunk ordered global home parent 1 random any spin numa",
    "2 chunk release deque home-anywhere parent 0 nearest any park package",
    "2 swap ordered global round-robin round-robin 1 random waiting spin numa",
    "2 stack release fifo home round-robin 3 none waiting park 1",
    "2 stack release lqoq sender round-robin 0 random waiting park 1",
    "3 chunk ordered global home-anywhere round-robin 3 none waiting park numa",
    "3 stack release fifo sender parent 0 random any spin 1",
    "3 swap release lqoq home parent 1 nearest any park package",
    "3 swap release deque round-robin round-robin 0 random waiting park 1",
    "4 stack ordered fifo home round-robin 3 nearest waiting spin numa",
    "4 chunk release lqoq sender parent 0 none any park package",
    "4 swap release global home-anywhere parent 1 random waiting spin 1",
    "4 swap ordered deque round-robin round-robin 1 none any spin 1",
    "5 swap ordered lqoq round-robin round-robin 0 nearest waiting spin package",
    "5 chunk release fifo home parent 1 none any park numa",
    "5 stack ordered global sender round-robin 3 nearest waiting park 1",
    "5 chunk ordered deque home-anywhere round-robin 3 random waiting spin 1",
    "6 chunk ordered deque sender parent 1 random waiting spin 1",
    "6 stack release lqoq round-robin parent 3 none any park package",
    "6 swap ordered global home round-robin 0 nearest waiting spin 1",
    "6 swap ordered fifo home-anywhere round-robin 1 none waiting park 1",
    "7 swap ordered deque home parent 3 none any spin 1",
    "7 stack release lqoq home-anywhere parent 1 random waiting park package",
    "7 chunk release fifo round-robin parent 0 nearest any park numa",
    "7 stack ordered global sender round-robin 3 none any spin 1",
    "8 stack release global home parent 0 random any spin 1",
    "8 swap ordered fifo home-anywhere parent 3 none waiting park 1",
    "8 chunk ordered deque round-robin round-robin 1 nearest any spin 1",
    "8 swap release lqoq sender round-robin 3 none waiting park numa",
    "1 locked release fifo sender round-robin 1 nearest any park 1",
    "2 locked ordered deque round-robin parent 3 random waiting spin 1",
    "3 locked release lqoq home-anywhere round-robin 0 none any park 1",
    "4 locked ordered global home parent 1 nearest waiting spin 1",
    "5 locked release fifo sender round-robin 3 random any park 1",
    "6 locked ordered deque round-robin parent 0 none waiting spin numa",
    "7 locked release lqoq home-anywhere round-robin 1 nearest any park 1",
    "8 locked ordered global home parent 3 random waiting spin package",
};

/* Ways in which what waits behind a long behaviour is found by others. */
__attribute__((unused)) static const char *const stealing[] = {
    "ready steal loot mailbox placement idle",
    "deque random waiting swap sender park",
    "deque random any stack home park",
    "deque nearest waiting chunk home-anywhere park",
    "deque nearest any swap round-robin park",
    "deque random waiting stack sender spin",
    "global none waiting swap sender park",
};

/* Ways in which only what comes later is found: what lqoq has taken into its local queue is out of reach. */
__attribute__((unused)) static const char *const stealing_arrivals[] = {
    "ready steal loot mailbox placement idle",
    "lqoq random any swap sender park",
    "lqoq nearest waiting swap home park",
    "lqoq nearest any chunk sender park",
    "lqoq random waiting chunk sender spin",
    "lqoq random waiting stack round-robin park",
};

/* Ways in which a sleeping worker is woken. */
__attribute__((unused)) static const char *const sleeping[] = {
    "workers ready placement steal",
    "1 deque sender none",
    "4 deque round-robin none",
    "2 deque sender random",
    "4 deque home nearest",
    "1 lqoq sender none",
    "4 lqoq round-robin none",
    "4 lqoq sender random",
    "2 global sender none",
    "4 global sender none",
    "4 fifo round-robin none",
    "2 fifo home none",
};

/* Ways in which whoever is idle finds work, if there is any. */
__attribute__((unused)) static const char *const shared[] = {
    "ready steal loot dispatch mailbox placement idle",
    "deque random waiting 1 swap sender park",
    "deque random any 1 chunk sender park",
    "deque nearest waiting 1 stack home park",
    "deque nearest any 1 swap home-anywhere spin",
    "deque random waiting 16 stack round-robin spin",
    "deque random any 16 swap home park",
    "deque nearest waiting 16 chunk sender park",
    "deque nearest any 16 stack sender park",
    "deque random waiting 0 swap sender park",
    "deque nearest any 0 chunk sender spin",
    "global none waiting 1 swap sender park",
    "global none waiting 16 chunk sender spin",
    "global none waiting 0 stack sender park",
};

/* Ways in which nothing goes from one worker to another, so that each has what was dealt to it; and lqoq, of which a thief
 * takes all or nothing. */
__attribute__((unused)) static const char *const dealt[] = {
    "ready steal loot dispatch mailbox placement idle",
    "fifo none waiting 1 swap sender park",
    "fifo none waiting 16 chunk home park",
    "fifo none waiting 1 stack round-robin spin",
    "deque none waiting 1 swap sender park",
    "deque none waiting 16 chunk home park",
    "deque none waiting 0 stack sender spin",
    "lqoq none waiting 1 swap sender park",
    "lqoq random any 1 chunk sender park",
    "lqoq nearest any 1 stack home park",
    "lqoq random waiting 4 swap sender spin",
};

/* Ways in which a worker sees to what it is sent, without thieves. With several workers each wakes actors for itself alone: who
 * wakes one for another may be kept from it between the send and that, for as long as the kernel likes. */
__attribute__((unused)) static const char *const waits_bounded[] = {
    "workers ready steal dispatch mailbox placement",
    "1 deque none 1 swap sender",
    "1 deque none 16 chunk sender",
    "1 fifo none 1 stack sender",
    "1 fifo none 16 swap home",
    "1 fifo none 1 swap round-robin",
    "1 global none 1 swap sender",
    "1 lqoq none 1 chunk sender",
    "1 lqoq none 16 swap sender",
    "1 global none 16 stack sender",
    "2 deque none 1 stack sender",
    "4 deque none 16 swap sender",
    "3 fifo none 1 swap sender",
    "4 lqoq none 4 chunk sender",
};

/* clang-format on */

enum { OLDEST = 61 };

/* For how many others a message may wait, with so many actors, and messages in flight: all that come before it in its own
 * actor's mailbox, so many turns of that actor; before each turn one of every other actor; in a deque 2 x 61 turns for each of
 * these, of which one is the oldest's. Without a limit of dispatch there is no bound: some presets have none, as their systems. */
__attribute__((unused)) static uint32_t wait_bound(const struct actorbench_config *config, unsigned actors,
                                                   unsigned in_flight) {
    uint32_t dispatch = 0, turns = 1, others = actors;
    bool deque = true; /* the default */
    for (unsigned i = 0; actorbench_options[i].name != NULL; i++) {
        if (strcmp(actorbench_options[i].name, "dispatch") == 0)
            dispatch = config->options[i];
        if (strcmp(actorbench_options[i].name, "ready") == 0) {
            char ready[16];
            actorbench_get_option(config, &actorbench_options[i], ready, sizeof ready);
            deque = strcmp(ready, "deque") == 0;
        }
    }
    if (dispatch == 0)
        return UINT32_MAX;
    turns += in_flight / dispatch;
    return turns * others * dispatch * (deque ? 2 * OLDEST : 1);
}

/* One actor on one worker, which has never more than one message waiting: it is woken once, and runs them all. */
static inline void expect_lone_messages(const struct actorbench_statistics *counted) {
    assert_int_equal(counted->activations, 1);
    assert_int_equal(counted->yields, 0);
    assert_int_equal(counted->steal_attempts, 0);
}

/* Whatever the traffic was. */
static inline void expect_plausible(const struct actorbench_statistics *counted) {
    assert_in_range(counted->activations, counted->actors_created, counted->messages_received);
    assert_in_range(counted->yields, 0, counted->activations);
    assert_in_range(counted->steals + counted->steal_no_candidate, 0, counted->steal_attempts);
    assert_in_range(counted->actors_stolen, counted->steals, counted->activations);
}

#endif
