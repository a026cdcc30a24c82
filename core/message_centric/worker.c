/* A worker: scans its mailboxes, gulps, runs behaviours; steals and sleeps when there is nothing to do
 * (thesis, "Executor" and "Work Stealing"). */
#include "census.h"
#include "crew.h"
#include "hold.h"
#include "lifecycle.h"
#include "platform/clock.h"
#include "sleep.h"
#include "state.h"
#include "stats.h"
#include "steal.h"

enum {
    /* Messages of so much work are small: what waits behind them is not held up for long. */
    FINE_NS = TESTED(1000, 2000),
    /* So many are timed together: two looks at a clock are nothing to them. */
    PACE_MESSAGES = TESTED(1024, 1),
    /* A lane that brought fewer is left alone for LANE_PAUSES, a microsecond or two: who looks at it all the time takes its
     * line away from the sender at every message. */
    LANE_MESSAGES = 128,
    LANE_PAUSES = 64,
};

static struct run_queue no_run_queue;
_Thread_local struct worker *this_worker;
_Thread_local struct run_queue *this_run_queue = &no_run_queue;

/* Does what a message and a behaviour ask for. The message is settled first: it may be a part of the actor. */
static void settle(struct actor *actor, struct message *message, enum allocation fate) {
    lifecycle_settle_message(message);
    if (fate == NODELETE)
        return;
    lifecycle_end_actor(actor, fate);
    if (executor.options.census == CENSUS_BATCHED)
        this_worker->census.ended++;
    else if (census_remove())
        census_announce();
}

/* Runs one behaviour. In the usual case nothing is asked for, neither by it nor by the message. */
static inline void deliver(struct envelope envelope) {
    lifecycle_check_delivery(envelope.actor, envelope.message);
    enum allocation fate = envelope.reaction(envelope.actor, envelope.message);
    if (unlikely((fate | envelope.message->allocation) != NODELETE))
        settle(envelope.actor, envelope.message, fate);
}

/* Notes for thieves what a message of a large gulp took; see steal.h. At most twice as much as before: a gulp in which
 * one message was long says little about the others. */
static void note_work(struct worker *worker, struct mailbox *mailbox, uint64_t work_ns) {
    uint64_t before = atomic_load_relaxed(&mailbox->message_ns);
    if (before != UNKNOWN_NS && work_ns > 2 * before + 1)
        work_ns = 2 * before + 1;
    uint32_t noted = work_ns < UNKNOWN_NS ? (uint32_t)work_ns : UNKNOWN_NS - 1;
    atomic_store_relaxed(&worker->message_ns, noted);
    atomic_store_relaxed(&mailbox->message_ns, noted);
}

/* Runs `count` messages of a mailbox's lane, which wait; only while the worker has the mailbox's turn. */
static void run_lane(struct worker *worker, struct mailbox *mailbox, uint64_t count) {
    lane_run(mailbox_lane(mailbox), count, executor.options.prefetch, deliver);
    worker->pace.messages += count;
    count_statistic(&worker->statistics, messages_received, count);
}

static uint64_t waiting_in_lane(const struct mailbox *mailbox) {
    const struct lane *lane = mailbox_lane(mailbox);
    return likely(lane == NULL) ? 0 : lane_count(lane);
}

/* Gulps a mailbox and runs what was in it; how many messages that was. Not inlined: the scan around it is then a loop in
 * registers, which a send to oneself with 16 mailboxes feels. */
__attribute__((noinline)) static size_t process(struct worker *worker, struct mailbox *mailbox) {
    enum queue_kind kind = executor.options.queue;
    size_t messages = 0;
    enum gulp_result result = mailbox_gulp(mailbox, kind, &worker->local, &messages);
    if (unlikely(result != GULPED)) {
        count_statistic(&worker->statistics, missed_gulps, result == MISSED);
        return 0;
    }
    bool measured = messages >= MEASURED_GULP && executor.options.steal != STEAL_NONE;
    uint64_t start = measured ? clock_monotonic_ns() : 0;
    queue_drain(&worker->local, kind, messages, &worker->pool, executor.options.prefetch, deliver);
    if (measured)
        note_work(worker, mailbox, (clock_monotonic_ns() - start) / messages);
    else
        atomic_store_relaxed(&mailbox->message_ns, UNKNOWN_NS);
    size_t by_lane = waiting_in_lane(mailbox);
    if (by_lane != 0)
        run_lane(worker, mailbox, by_lane);
    if (unlikely(worker->outboxes.used_count != 0))
        outbox_flush(worker);
    mailbox_release(mailbox);
    if (kind == QUEUE_COPY)
        copy_queue_reclaim(&worker->local.copy, executor.options.reclaim, messages);
    worker->pace.messages += messages;
    count_statistic(&worker->statistics, gulps, 1);
    count_statistic(&worker->statistics, messages_received, messages);
    return messages + by_lane;
}

/* How many messages wait in a slot's mailbox. A test without a lock: what is missed now is found in the next round, or
 * by sleep_worker under the lock. */
static inline size_t waiting(mailbox_slot *slot) {
    return mailbox_count(slot_mailbox(slot));
}

/* The first slot from `slot` on whose mailbox has messages, or `end`. Four at a time: with one busy mailbox among 16, a
 * worker spends a third of its time here. */
static inline mailbox_slot *next_waiting(mailbox_slot *slot, mailbox_slot *end) {
    while (end - slot >= 4 && (waiting(slot) | waiting(slot + 1) | waiting(slot + 2) | waiting(slot + 3)) == 0)
        slot += 4;
    while (slot < end && waiting(slot) == 0)
        slot++;
    return slot;
}

/* One round over the worker's range; how many mailboxes it processed. */
static unsigned scan(struct worker *worker) {
    unsigned processed = 0;
    mailbox_slot *first = &executor.slots[worker->first_slot], *end = first + worker->slot_count;
    for (mailbox_slot *slot = next_waiting(first, end); slot < end; slot = next_waiting(slot + 1, end)) {
        if (processed == 1)
            steal_invite(worker); /* more than one has messages: somebody may help */
        size_t messages = process(worker, slot_mailbox(slot));
        processed += messages != 0;
        /* A lone message that sends one on in the same mailbox need not wait for a round over all others, but for every
         * second one. */
        if (messages == 1 && waiting(slot) != 0)
            (void)process(worker, slot_mailbox(slot));
    }
    return processed;
}

/* ---- Small work: mailboxes are held ------------------------------------------------------------------------------ */

/* Runs an envelope of the run queue, or passes it on. */
static inline void deliver_or_pass_on(struct envelope envelope) {
    struct worker *worker = this_worker;
    lifecycle_check_delivery(envelope.actor, envelope.message);
    struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&envelope.actor->ticket);
    if (likely(hold_holder(mailbox) == worker)) {
        deliver(envelope);
        return;
    }
    worker->passed_on++;
    hold_pass_on(worker, mailbox, envelope.actor, envelope.message, envelope.reaction);
}

/* Runs what came by the lanes of held mailboxes, at once: it has no order with anything else. Whether there was any. */
static bool run_lanes(struct worker *worker) {
    uint64_t messages = 0;
    for (struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next) {
        uint64_t count = waiting_in_lane(mailbox);
        if (count != 0)
            run_lane(worker, mailbox, count);
        messages += count;
    }
    if (messages != 0 && messages < LANE_MESSAGES && run_queue_is_empty(&worker->runs))
        for (unsigned i = 0; i < LANE_PAUSES; i++)
            cpu_relax();
    return messages != 0;
}

/* Tells thieves whether there is much to take; see steal.h. */
static void tell_backlog(struct worker *worker) {
    bool backlogged = run_queue_is_longer(&worker->runs, BACKLOG_BLOCKS);
    /* Relaxed: a hint, and only this worker writes it. */
    if (atomic_load_relaxed(&worker->backlogged) != backlogged)
        atomic_store_relaxed(&worker->backlogged, backlogged);
    if (backlogged && executor.options.steal != STEAL_NONE)
        sleep_wake_one(worker);
}

/* One round with held mailboxes: takes what has come, runs what is there; whether that was anything. */
static bool run_held(struct worker *worker) {
    unsigned collected = hold_collect(worker);
    count_statistic(&worker->statistics, gulps, collected);
    bool any = run_lanes(worker) || collected != 0;
    if (executor.options.steal != STEAL_NONE)
        tell_backlog(worker);
    size_t messages = run_queue_run(&worker->runs, &worker->pool, executor.options.prefetch, deliver_or_pass_on);
    worker->pace.messages += messages;
    count_statistic(&worker->statistics, messages_received, messages - worker->passed_on);
    worker->passed_on = 0;
    outbox_flush(worker);
    /* An exchange: the slots must be read after the flag is cleared. Acquire: pairs with the release in steal.c. */
    if (unlikely(atomic_load_relaxed(&worker->robbed) && atomic_exchange_acq_rel(&worker->robbed, 0)))
        hold_leave(worker, LEAVE_STOLEN);
    return any || messages != 0;
}

static void work_finely(struct worker *worker) {
    worker->fine = true;
    if (executor.options.local)
        run_queue_open(&worker->runs);
}

/* Lets go of everything, until the work is known to be small again. */
static void work_openly(struct worker *worker) {
    if (!worker->fine)
        return;
    worker->fine = false;
    hold_leave(worker, LEAVE_ALL);
    run_queue_shut(&worker->runs);
    atomic_store_relaxed(&worker->backlogged, 0);
}

/* Decides by the messages since the last decision whether the work is small. */
static void judge(struct worker *worker, uint64_t now) {
    uint64_t work_ns = (now - worker->pace.since) / worker->pace.messages;
    worker->pace = (struct pace){.since = now};
    if (work_ns > (worker->fine ? 2 * FINE_NS : FINE_NS))
        work_openly(worker);
    else if (!worker->fine)
        work_finely(worker);
}

/* ---- The loop ---------------------------------------------------------------------------------------------------- */

/* Steals or sleeps, as the `scans` since the last work, and the time since then, ask for. */
static void idle(struct worker *worker, unsigned scans, uint64_t *idle_since) {
    bool parks = executor.options.idle == IDLE_PARK;
    uint64_t now = scans == 1 || parks || executor.adapts ? clock_monotonic_ns() : 0;
    if (scans == 1) {
        *idle_since = now;
        if (executor.adapts && worker->pace.messages != 0)
            judge(worker, now);
    }
    worker->pace = (struct pace){.since = now};
    if (census_account_settle(&worker->census))
        census_announce();
    if (executor.options.steal != STEAL_NONE && scans % SCANS_BEFORE_STEAL == 0)
        steal_attempt(worker);
    if (parks && now - *idle_since > PATIENCE_NS) {
        work_openly(worker);
        sleep_worker(worker);
        *idle_since = clock_monotonic_ns();
    }
    if (scans % SPINS_BEFORE_YIELD == 0)
        cpu_yield();
    else
        cpu_relax();
}

void *worker_main(void *argument) {
    struct worker *worker = (struct worker *)argument;
    this_worker = worker;
    this_run_queue = &worker->runs;
    if (executor.options.recycle)
        this_recycle_store = &worker->recycled;
    crew_bind(worker->index);
    unsigned idle_scans = 0;
    uint64_t idle_since = 0;
    worker->pace.since = clock_monotonic_ns();
    for (;;) {
        bool processed = worker->fine && executor.options.local ? run_held(worker) : scan(worker) != 0;
        if (processed) {
            idle_scans = 0;
            if (executor.adapts && worker->pace.messages >= PACE_MESSAGES)
                judge(worker, clock_monotonic_ns());
            continue;
        }
        if (atomic_load_acquire(&executor.stopping)) { /* pairs with the store in executor_stop */
            work_openly(worker);
            return NULL;
        }
        idle(worker, ++idle_scans, &idle_since);
    }
}
