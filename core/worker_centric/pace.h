/* Pace: what the work of a message is, as its worker measures it in passing. It decides how long a run is, and whether what
 * waits is worth a thief's way.
 *
 * A worker looks at the clock after as many messages as a run has at most: RUN_NS of work, as far as it knows; and before and after a run
 * that leaves nothing. For to look for work, to hand messages over and to sleep is no work: taken for such, it would have workers between
 * which a single message goes round hand it over for ever, each waking the next, as what takes too long to be borrowed (hold.h). The estimate
 * is the mean of the last one and of what was measured since.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_PACE_H
#define ACTORBENCH_WORKER_CENTRIC_PACE_H

#include "platform/small.h"
#include "state.h"

enum {
    RUN_MESSAGES = TESTED(16384, 2), /* in a run at most: enough to fill out-boxes, whose flush ends it */
    RUN_UNKNOWN = TESTED(64, 2),     /* the same while nothing is known of the work */
    RUN_NS = 200 * 1000,             /* what a run is to take at most */
    WORTH_NS = TESTED(20 * 1000, 0), /* of work that waits: a thief that must be woken for it, and comes */
    WAY_NS = TESTED(5 * 1000, 0),    /* the same of one that is awake, */
    LINES_NS = TESTED(100, 0),       /* and the lines of each message and its actor, which cross with it */
    CROSSING_NS = TESTED(1000, 2),   /* the same of what is handed over to a worker that looks for it; see below */
    LONG_NS = 1000 * 1000,           /* for so long a worker that has borrowed what was not worth it remembers that */
    COARSE_NS = 2 * 1000,            /* messages so long are run one mailbox at a time; see give.h */
    SORT_NS = TESTED(16, 0),         /* what it takes to count and sort out a message of a long run queue */
};

/* Whether it is known what the work of the worker's messages is, though it may change. Relaxed: its own. */
static inline bool pace_is_known(const struct worker *worker) {
    return atomic_load_relaxed(&worker->work_ns) != UNKNOWN_NS;
}

/* Whether they are known to be short, or to be coarse. Relaxed: its own, or for a thief a hint. */
static inline bool pace_is_short(const struct worker *worker) {
    return atomic_load_relaxed(&worker->work_ns) < COARSE_NS;
}

static inline bool pace_is_coarse(const struct worker *worker) {
    return pace_is_known(worker) && !pace_is_short(worker);
}

/* How many messages the worker's next run has at most. Relaxed: its own. */
static inline uint64_t pace_run(const struct worker *worker) {
    uint32_t work_ns = atomic_load_relaxed(&worker->work_ns);
    if (likely(work_ns <= RUN_NS / RUN_MESSAGES))
        return RUN_MESSAGES;
    if (work_ns == UNKNOWN_NS)
        return RUN_UNKNOWN;
    return work_ns < RUN_NS ? RUN_NS / work_ns : 1;
}

/* Makes the estimate anew at time `now`, if any messages have run. */
static inline void pace_judge(struct worker *worker, uint64_t now) {
    struct pace pace = worker->pace;
    worker->pace.since = now;
    worker->pace.messages = 0;
    if (pace.messages == 0)
        return;
    uint64_t work_ns = (now - pace.since) / pace.messages, before = atomic_load_relaxed(&worker->work_ns);
    if (before != UNKNOWN_NS)
        work_ns = (work_ns + before) / 2;
    atomic_store_relaxed(&worker->work_ns, work_ns < UNKNOWN_NS ? (uint32_t)work_ns : UNKNOWN_NS - 1);
}

/* The same in the midst of work, if so much time has passed that what the worker does between runs hardly counts in it. */
static inline void pace_judge_work(struct worker *worker, uint64_t now) {
    if (now - worker->pace.since > WORTH_NS)
        pace_judge(worker, now);
}

/* What it took to run so many messages of mailboxes that were just borrowed, at least one. */
static inline void pace_judge_borrowed(struct worker *worker, uint64_t messages, uint64_t since, uint64_t now) {
    if (now - since > messages * CROSSING_NS)
        worker->long_until = now + LONG_NS;
}

/* What the work of a message is, as far as the worker knows, that it would borrow. For many of its own may be shorter: one that hands out
 * work, and does none, would borrow all that it hands out. Relaxed: its own. */
static inline uint64_t pace_borrowed(const struct worker *worker) {
    uint32_t work_ns = atomic_load_relaxed(&worker->work_ns);
    return worker->pace.since < worker->long_until && work_ns < CROSSING_NS ? CROSSING_NS : work_ns;
}

/* Whether so many messages are worth waking a thief. What is not known is; and no message is without any work. */
static inline bool pace_is_worth_waking(uint64_t messages, uint64_t work_ns) {
    return messages * (work_ns + 1) > WORTH_NS;
}

/* Whether they are worth the way of one that is awake. Short ones are not, unless they are so many that there will be more. */
static inline bool pace_is_worth(uint64_t messages, uint64_t work_ns) {
    return messages * (work_ns + 1) > WAY_NS + messages * LINES_NS || pace_is_worth_waking(messages, work_ns);
}

/* Whether to go through a run queue takes longer than to wake a thief. */
static inline bool pace_is_long(uint64_t waiting) {
    return waiting * SORT_NS > WORTH_NS;
}

/* Whether so many messages are worth handing over to a worker that need not come for them. What it takes to fetch the lines of what has
 * crossed counts as its work, which so looks longer the more crosses: were CROSSING_NS not well above that, workers would go on crossing. */
static inline bool pace_is_worth_crossing(uint64_t messages, uint64_t work_ns) {
    return messages * (work_ns + 1) > CROSSING_NS;
}

#endif
