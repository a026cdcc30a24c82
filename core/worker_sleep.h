/* What every design's sleep has in common: a word that says whether a worker sleeps, how long it waits before it does, and who
 * wakes whom. When a worker may sleep, and why nothing is left with a sleeper, says each design's sleep.h, which includes this;
 * worker_sleep_body.h has the functions. A design's struct worker has
 *
 *     ATOMIC(uint32_t) sleeping     an enum sleep_state, on a line that others may write
 *     struct random random          its own
 *
 * Stopping: actorbench_stop stores `stopping`, then wakes all; a worker stores ASLEEP before it loads `stopping`, all of it
 * sequentially consistent: so one of the two sees what the other did.
 *
 * Loot: what waits with a busy worker wakes nobody by itself. So a worker that has more than it will soon have done wakes one
 * sleeper, and thieves sleep no longer than LOOT_CHECK_NS, in case the busy worker is held up in one long behaviour.
 */
#ifndef ACTORBENCH_WORKER_SLEEP_H
#define ACTORBENCH_WORKER_SLEEP_H

#include "platform/small.h"

struct worker;

enum sleep_state { AWAKE, ASLEEP };

enum {
    /* How long an idle worker looks for work and loot before it sleeps: about what a wake costs. */
    PATIENCE_NS = TESTED(50 * 1000, 100),
    /* How long a thief sleeps at most: PATIENCE_NS in this is 0.5 % of a CPU. (Worker-centric has one of many workers look longer.) */
    LOOT_CHECK_NS = TESTED(10 * 1000 * 1000, 5000),
};

/* Sleeps until there may be work for the worker, or loot, or the end. May return at once. */
void sleep_worker(struct worker *worker);

/* Wakes a worker if it sleeps or is about to. From any thread. */
void sleep_wake(struct worker *worker);

/* Wakes a worker that sleeps, the first one from `first` on, if any does. From any thread. */
void sleep_wake_any(unsigned first);

/* Wakes one sleeping worker, if any, so that it may steal from the caller. */
void sleep_wake_one(struct worker *caller);

#endif
