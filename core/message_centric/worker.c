/* A worker: scans its mailboxes, gulps, runs behaviours; steals and sleeps when there is nothing to do
 * (thesis, "Executor" and "Work Stealing"). */
#include "worker.h"
#include "census.h"
#include "crew.h"
#include "delivery.h"
#include "design.h"
#include "layer.h"
#include "platform/clock.h"
#include "state.h"
#include "stats.h"
#include "steal.h"

#include "sharded/sleep.h"

_Thread_local struct worker *this_worker;

/* Runs one behaviour. */
static inline void run(struct envelope envelope) {
    if (unlikely(deliver(envelope, envelope.message, NULL)) && census_remove(1))
        census_announce();
}

/* Gulps a mailbox and runs what was in it; false if there was nothing to gulp. Not inlined: the scan around it is then a loop in
 * registers, which a send to oneself with 16 mailboxes feels. */
__attribute__((noinline)) static bool process(struct worker *worker, struct mailbox *mailbox) {
    enum queue_kind kind = executor.options.queue;
    size_t messages = 0;
    enum gulp_result result = mailbox_gulp(mailbox, kind, &worker->local, &messages);
    if (unlikely(result != GULPED)) {
        count_statistic(&worker->statistics, missed_gulps, result == MISSED);
        return false;
    }
    queue_drain(&worker->local, kind, messages, run);
    mailbox_release(mailbox);
    if (kind == QUEUE_COPY)
        copy_queue_reclaim(&worker->local.copy, executor.options.reclaim, messages);
    count_statistic(&worker->statistics, gulps, 1);
    count_statistic(&worker->statistics, messages_received, messages);
    return true;
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

/* Processes what waits in the slots from `slot` to `end`, after `processed` mailboxes of this scan; how many it is then. */
static inline unsigned scan_part(struct worker *worker, mailbox_slot *slot, mailbox_slot *end, unsigned processed) {
    for (slot = next_waiting(slot, end); slot < end; slot = next_waiting(slot + 1, end)) {
        if (processed == 1 && executor.wakes_thieves)
            sleep_wake_one(worker); /* more than one has messages: somebody may help */
        processed += process(worker, slot_mailbox(slot));
    }
    return processed;
}

unsigned worker_scan(struct worker *worker) {
    mailbox_slot *slots = sharding_slots(worker->index), *start = slots + worker->scan_start;
    unsigned processed = scan_part(worker, start, slots + sharding_share(worker->index), 0);
    return scan_part(worker, slots, start, processed);
}

/* Steals or sleeps, as the `scans` since the last work, and the time since then, ask for. */
static void idle(struct worker *worker, unsigned scans, uint64_t *idle_since) {
    if (scans == 1) {
        *idle_since = clock_monotonic_ns();
        steal_begin(worker);
    }
    if (layer_idles(worker->index))
        return;
    if (executor.options.steal != STEAL_NONE)
        steal_after_scan(worker);
    if (executor.options.idle == IDLE_PARK && clock_monotonic_ns() - *idle_since > PATIENCE_NS) {
        sleep_worker(worker);
        *idle_since = clock_monotonic_ns();
        steal_after_sleep(worker);
    }
    spin(scans);
}

void design_work(unsigned index) {
    struct worker *worker = &executor.workers[index];
    this_worker = worker;
    unsigned idle_scans = 0;
    uint64_t idle_since = 0;
    for (;;) {
        unsigned processed = worker_scan(worker);
        if (processed != 0) {
            idle_scans = 0;
            continue;
        }
        if (atomic_load_acquire(&executor_round.stopping)) /* pairs with the store in executor.c */
            return;
        idle(worker, ++idle_scans, &idle_since);
    }
}
