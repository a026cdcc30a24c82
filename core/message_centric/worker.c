/* A worker: scans its mailboxes, gulps, runs behaviours; steals and sleeps when there is nothing to do
 * (thesis, "Executor" and "Work Stealing"). */
#include "census.h"
#include "lifecycle.h"
#include "platform/clock.h"
#include "platform/fatal.h"
#include "sleep.h"
#include "state.h"
#include "stats.h"
#include "steal.h"

_Thread_local struct worker *this_worker;

/* Runs one behaviour and does what it and the message ask for. The message is settled first: it may be a part of the
 * actor. */
static inline void deliver(struct envelope envelope) {
    lifecycle_check_delivery(envelope.actor, envelope.message);
    enum allocation fate = envelope.reaction(envelope.actor, envelope.message);
    lifecycle_settle_message(envelope.message);
    if (unlikely(fate != NODELETE)) {
        lifecycle_end_actor(envelope.actor, fate);
        if (census_remove())
            census_announce();
    }
}

/* Notes what a message of a gulp took, for thieves; see steal.h. At most twice as much as before: a gulp in which one
 * message was long says little about the others. */
static inline void note_work(struct worker *worker, struct mailbox *mailbox, uint64_t work_ns) {
    uint64_t before = atomic_load_relaxed(&mailbox->message_ns);
    if (work_ns != UNKNOWN_NS && before != UNKNOWN_NS && work_ns > 2 * before + 1)
        work_ns = 2 * before + 1;
    if (work_ns < UNKNOWN_NS)
        atomic_store_relaxed(&worker->message_ns, (uint32_t)work_ns);
    atomic_store_relaxed(&mailbox->message_ns, work_ns < UNKNOWN_NS ? (uint32_t)work_ns : UNKNOWN_NS);
}

/* Gulps a mailbox and runs what was in it. True if there was anything. Not inlined: the scan around it is then a loop in
 * registers, which a send to oneself with 16 mailboxes feels (9.2 in place of 10.4 ns with one mailbox, 13.2 for 15.0). */
__attribute__((noinline)) static bool process(struct worker *worker, struct mailbox *mailbox) {
    enum queue_kind kind = executor.options.queue;
    switch (mailbox_gulp(mailbox, kind, &worker->local)) {
    case MISSED:
        count_statistic(&worker->statistics, missed_gulps, 1);
        return false;
    case EMPTY:
        return false;
    case GULPED:
        break;
    }
    size_t messages = queue_count(&worker->local);
    bool measured = messages >= MEASURED_GULP && executor.options.steal != STEAL_NONE;
    uint64_t start = measured ? clock_monotonic_ns() : 0;
    queue_drain(&worker->local, kind, deliver);
    note_work(worker, mailbox, measured ? (clock_monotonic_ns() - start) / messages : UNKNOWN_NS);
    mailbox_release(mailbox);
    if (kind == QUEUE_COPY)
        copy_queue_reclaim(&worker->local.copy, executor.options.reclaim, messages);
    count_statistic(&worker->statistics, gulps, 1);
    count_statistic(&worker->statistics, messages_received, messages);
    return true;
}

/* One round over the worker's range; how many mailboxes it processed. */
static unsigned scan(struct worker *worker) {
    unsigned processed = 0;
    mailbox_slot *first = &executor.slots[worker->first_slot], *end = first + worker->slot_count;
    for (mailbox_slot *slot = first; slot < end; slot++) {
        struct mailbox *mailbox = slot_mailbox(slot);
        /* Test without a lock: what is missed now is found in the next round, or by sleep_worker under the lock. */
        if (likely(mailbox_count(mailbox) == 0))
            continue;
        if (processed == 1)
            steal_invite(worker); /* more than one has messages: somebody may help */
        processed += process(worker, mailbox);
    }
    return processed;
}

/* Steals or sleeps, as the `scans` since the last work, and the time since then, ask for. */
static void idle(struct worker *worker, unsigned scans, uint64_t *idle_since) {
    if (scans == 1)
        *idle_since = clock_monotonic_ns();
    if (executor.options.steal != STEAL_NONE && scans % SCANS_BEFORE_STEAL == 0)
        steal_attempt(worker);
    if (executor.options.idle == IDLE_PARK && clock_monotonic_ns() - *idle_since > PATIENCE_NS) {
        sleep_worker(worker);
        *idle_since = clock_monotonic_ns();
    }
    if (scans % SPINS_BEFORE_YIELD == 0)
        cpu_yield();
    else
        cpu_relax();
}

void *worker_main(void *argument) {
    struct worker *worker = argument;
    this_worker = worker;
    if (worker->cpu != -1 && !topology_bind_thread(worker->cpu))
        warning("worker %u cannot be bound to CPU %d: it runs where the kernel puts it", worker->index, worker->cpu);
    unsigned idle_scans = 0;
    uint64_t idle_since = 0;
    for (;;) {
        unsigned processed = scan(worker);
        if (processed != 0) {
            idle_scans = 0;
            continue;
        }
        if (atomic_load_acquire(&executor.stopping)) /* pairs with the store in executor_stop */
            return NULL;
        idle(worker, ++idle_scans, &idle_since);
    }
}
