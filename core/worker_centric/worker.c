/* A worker: takes what has come to its mailboxes, runs what is in its run queue, answers who asks; asks others and sleeps when
 * there is nothing to do. */
#include "crew.h"
#include "deal.h"
#include "delivery.h"
#include "design.h"
#include "give.h"
#include "hold.h"
#include "layer.h"
#include "pace.h"
#include "platform/clock.h"
#include "sharded/sleep.h"
#include "sharded/victim.h"
#include "stats.h"
#include "steal.h"

enum {
    /* Lanes that brought fewer are left alone for LANE_PAUSES, a microsecond or two: who looks at them all the time takes their
     * lines away from the sender at every message. */
    LANE_MESSAGES = 128,
    LANE_PAUSES = 64,
    /* A worker that sends to many sleepers wakes one after the other. The first shall not sleep again before the last is awake, or else it wakes
     * all of them for each round of answers: 48 workers took twice as long for bounded-buffer. */
    WAKE_NS = TESTED(4 * 1000, 0),
};

/* Before an actor's storage may be another's: threads outside that have sent to it look it up again; see send.c. Relaxed: only the
 * mailbox's holder writes it. */
static inline void note_end(struct actorbench_actor *actor) {
    if (likely(!atomic_load_relaxed(&executor.remembers)))
        return;
    struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&actor->ticket); /* as below */
    atomic_store_relaxed(&mailbox->ends, atomic_load_relaxed(&mailbox->ends) + 1);
}

/* Passes on an envelope of the run queue whose mailbox `holder` holds, or nobody. */
static inline void pass_on(struct worker *worker, struct mailbox *mailbox, const struct worker *holder,
                           struct envelope envelope) {
    worker->passed++;
    hold_pass_on(worker, mailbox, envelope.actor, envelope.message, envelope.reaction STAMPED(, envelope.sent));
    if (holder == NULL)
        hold_meet(worker, mailbox);
}

/* Runs or passes on the first envelope to an actor whose mailbox was not chosen yet. Its members come one by one, for the reason in hold.h. */
__attribute__((noinline)) static void settle(struct worker *worker, struct mailbox *face,
                                             struct actorbench_actor *actor, struct actorbench_message *message,
                                             actorbench_behaviour *reaction,
                                             const PLAIN(struct envelope) * place STAMPED(, uint64_t sent)) {
    struct envelope envelope = {actor, message, reaction STAMPED(, sent)};
    struct mailbox *mailbox = deal_settle(actor, face);
    const struct worker *holder = mailbox_holder(mailbox);
    if (holder != worker)
        pass_on(worker, mailbox, holder, envelope);
    else if (deliver(envelope, place + 1, note_end))
        worker->account.ended++;
}

/* Runs an envelope of the run queue, or passes it on; or leaves it if anybody calls, which is false, unless it is to go `on` all the same.
 * What is delivered is told by the end of its place, which the loop around has at hand; the place would be one more instruction.
 * Inlined whatever the compiler thinks, for the reason in delivery.h. */
__attribute__((always_inline)) static inline bool run_or_pass_on(const PLAIN(struct envelope) * place, bool on) {
    struct envelope envelope = *place;
    struct worker *worker = this_worker;
    lifecycle_check_delivery(envelope.actor, envelope.message);
    /* Relaxed: as in deal_mailbox. Nobody holds a face. */
    struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&envelope.actor->ticket);
    const struct worker *holder = mailbox_holder(mailbox);
    uintptr_t asked =
        on ? uncalled(worker) : atomic_load_relaxed(&worker->call); /* what is called is done after the run */
    if (likely((uintptr_t)holder == asked)) {
        if (unlikely(deliver(envelope, place + 1, note_end)))
            this_worker->account.ended++; /* looked up anew, so that nothing of it need be kept meanwhile */
        return true;
    }
    if (asked != uncalled(worker))
        return false;
    if (unlikely(deal_is_face(mailbox)))
        settle(worker, mailbox, envelope.actor, envelope.message, envelope.reaction, place STAMPED(, envelope.sent));
    else
        pass_on(worker, mailbox, holder, envelope);
    return true;
}

__attribute__((always_inline)) static inline bool run_unless_called(const PLAIN(struct envelope) * place) {
    return run_or_pass_on(place, false);
}

__attribute__((always_inline)) static inline bool run_though_called(const PLAIN(struct envelope) * place) {
    return run_or_pass_on(place, true);
}

/* The same where there is no other worker, so that all is for this one, whether it holds the mailbox or not: executor on one
 * worker takes a seventh less time for not asking. */
__attribute__((always_inline)) static inline bool run_anyway(const PLAIN(struct envelope) * place) {
    struct envelope envelope = *place;
    if (unlikely(deliver(envelope, place + 1, note_end)))
        this_worker->account.ended++;
    return true;
}

/* Runs so many messages of the run queue at most; how many: one at least, if there are any, so that a worker gets on however often it
 * is called. The loops are functions of their own, so that where the compiler puts them does not change with what is around. */
__attribute__((noinline)) static size_t run_shared(struct worker *worker, uint64_t most) {
    size_t messages = run_queue_run(&worker->runs, &worker->pool, most, run_unless_called);
    return messages != 0 ? messages : run_queue_run(&worker->runs, &worker->pool, 1, run_though_called);
}

/* The same where the first are of mailboxes that the worker has just borrowed: their work is measured by itself. */
__attribute__((noinline)) static size_t run_borrowed(struct worker *worker, uint64_t most) {
    uint64_t borrowed = worker->borrowed < most ? worker->borrowed : most, since = clock_monotonic_ns();
    worker->borrowed = 0;
    size_t messages = run_shared(worker, borrowed);
    pace_judge_borrowed(worker, messages, since, clock_monotonic_ns());
    return messages == most || is_called(worker) ? messages : messages + run_shared(worker, most - messages);
}

__attribute__((noinline)) static size_t run_alone(struct worker *worker, uint64_t most) {
    return run_queue_run(&worker->runs, &worker->pool, most, run_anyway);
}

/* One run, whose work is measured; how many messages. */
static size_t run(struct worker *worker) {
    if (run_queue_is_empty(&worker->runs))
        return 0;
    if (worker->pace.messages == 0)
        worker->pace.since = clock_monotonic_ns();
    uint64_t most = pace_run(worker);
    give_begin_run(worker);
    size_t messages = crew.count == 1         ? run_alone(worker, most)
                      : worker->borrowed == 0 ? run_shared(worker, most)
                                              : run_borrowed(worker, most);
    worker->pace.messages += messages;
    if (run_queue_is_empty(&worker->runs))
        pace_judge(worker, clock_monotonic_ns());
    else if (worker->pace.messages >= pace_run(worker) || is_called(worker))
        pace_judge_work(worker, clock_monotonic_ns());
    return messages;
}

/* Tells thieves what waits, and that a run begins. Relaxed: hints, which only this worker writes. */
static void begin_run(struct worker *worker, uint64_t waiting) {
    uint64_t told = give_waiting(worker, waiting < UINT32_MAX ? waiting : UINT32_MAX);
    if (told == 0 && atomic_load_relaxed(&worker->waiting) == 0)
        return; /* idle as before: who looks shall find the line in its cache */
    atomic_store_relaxed(&worker->waiting, (uint32_t)told);
    atomic_store_relaxed(&worker->begun, atomic_load_relaxed(&worker->begun) + 1);
    if (told > 1 && executor.options.steal != STEAL_NONE &&
        pace_is_worth_waking(told, atomic_load_relaxed(&worker->work_ns)))
        sleep_wake_one(worker);
}

/* One round; whether there was anything to do. */
static bool work(struct worker *worker) {
    bool all = executor.options.steal == STEAL_NONE || likely(pace_is_short(worker));
    struct collected collected = hold_collect(worker, all ? COLLECT_ALL : COLLECT_ONE);
    uint64_t waiting = run_queue_length(&worker->runs) + collected.in_lanes + collected.left;
    begin_run(worker, waiting);
    size_t messages = run(worker);
    hold_end_run(worker);
    count_statistic(&worker->statistics, runs, messages != 0);
    count_statistic(&worker->statistics, messages_received, messages - worker->passed);
    count_statistic(&worker->statistics, messages_passed, worker->passed);
    worker->passed = 0;
    if (unlikely(worker->account.ended >= ACCOUNT_MOST))
        account_settle(&worker->account);
    give_answer(worker);
    give_end_of_coarse(worker, waiting);
    if (collected.from_lanes != 0 && collected.from_lanes < LANE_MESSAGES && run_queue_is_empty(&worker->runs))
        for (unsigned i = 0; i < LANE_PAUSES; i++)
            cpu_relax();
    return messages != 0;
}

/* Steals or sleeps, as the `rounds` since the last work, and the time since then, ask for. */
static void idle(struct worker *worker, unsigned rounds, uint64_t *idle_since) {
    uint64_t now = clock_monotonic_ns();
    pace_judge(worker, now);
    account_settle(&worker->account);
    if (rounds == 1) {
        *idle_since = now;
        victim_succeeded(worker); /* or work has come by itself: in any case this is another search */
    }
    give_hurry(worker);
    this_delivery.what = NULL; /* what a layer sends is no behaviour's; see give.h */
    if (layer_idles(worker->index))
        return;
    if (executor.options.steal != STEAL_NONE && rounds % SCANS_BEFORE_STEAL == 0)
        steal_attempt(worker);
    if (executor.options.idle == IDLE_PARK && now - *idle_since > PATIENCE_NS + (uint64_t)crew.count * WAKE_NS) {
        (void)hold_leave(worker, LEAVE_ALL);
        sleep_worker(worker);
        *idle_since = clock_monotonic_ns();
    }
    spin(rounds);
}

void design_work(unsigned index) {
    struct worker *worker = &executor.workers[index];
    this_worker = worker;
    this_run_queue = &worker->runs;
    this_delivery.is_in_place = true;
    if (executor_has(MECHANISM_RECYCLING))
        this_recycle_store = &worker->recycled;
    unsigned idle_rounds = 0;
    uint64_t idle_since = 0;
    worker->pace.since = clock_monotonic_ns();
    for (;;) {
        if (work(worker)) {
            idle_rounds = 0;
            continue;
        }
        if (atomic_load_acquire(&executor_round.stopping)) { /* pairs with the store in executor.c */
            (void)hold_leave(worker, LEAVE_ALL);
            return;
        }
        idle(worker, ++idle_rounds, &idle_since);
    }
}
