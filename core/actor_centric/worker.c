/* A worker: takes ready actors and runs them; steals and sleeps when there are none (React++, 3.2 "Dispatchers"). */
#include "census.h"
#include "design.h"
#include "layer.h"
#include "lifecycle.h"
#include "mailbox_pool.h"
#include "placement.h"
#include "platform/clock.h"
#include "ready.h"
#include "sleep.h"
#include "stats.h"
#include "steal.h"

#ifndef SCANS_BEFORE_STEAL
#define SCANS_BEFORE_STEAL 2 /* builds that hunt for errors steal at once */
#endif

_Thread_local struct worker *this_worker;

/* Ends an actor and its mailbox. */
static void retire(struct mailbox *mailbox, enum actorbench_allocation fate) {
    struct actorbench_actor *actor = mailbox->actor;
    struct letter letter;
    if (CHECKED_BUILD) {
        atomic_store_relaxed(&actor->ticket, TICKET_TERMINATED); /* relaxed: as in lifecycle_end_actor */
        if (mailbox_next(mailbox, executor.options.mailbox, &letter))
            lifecycle_check_delivery(actor, letter.message);
    }
    size_t lost = mailbox_destroy(mailbox, executor.options.mailbox);
    check(lost == 0,
          "%zu messages were sent to actor %p of type %s just as it terminated: "
          "make the message that ends an actor the last one sent to it",
          lost, (void *)actor, actor->type->name);
    mailbox_pool_give(mailbox);
    lifecycle_end_actor(actor, fate);
    if (census_remove(1))
        census_announce();
}

/* Runs an actor's messages until there are none, or it has run as many as it may. */
static void run(struct worker *worker, struct mailbox *mailbox) {
    enum mailbox_kind kind = executor.options.mailbox;
    struct actorbench_actor *actor = mailbox->actor;
    struct letter letter;
    worker->activations++;
    count_statistic(&worker->statistics, activations, 1);
    placement_settle(worker, mailbox);
    for (uint32_t left = mailbox->dispatch;;) {
        if (unlikely(!mailbox_next(mailbox, kind, &letter))) {
            if (mailbox_rest(mailbox, kind))
                return;
            continue;
        }
        lifecycle_check_delivery(actor, letter.message); /* a send that came just as the actor ended */
        STAMPED(latency_add(letter.sent);)
        enum actorbench_allocation fate = lifecycle_run(letter.message, actor, letter.message, letter.reaction);
        count_statistic(&worker->statistics, messages_received, 1);
        /* Settled first: the message may be a part of the actor. */
        lifecycle_settle_message(letter.message);
        if (unlikely(fate != ACTORBENCH_NODELETE)) {
            retire(mailbox, fate);
            return;
        }
        if (unlikely(--left == 0)) {
            if (mailbox_rest(mailbox, kind))
                return;
            count_statistic(&worker->statistics, yields, 1);
            ready_yield(worker, mailbox);
            return;
        }
    }
}

/* Steals or sleeps, as the `scans` since the last work, and the time since then, ask for; an actor, or NULL. */
static struct mailbox *idle(struct worker *worker, unsigned scans, uint64_t *idle_since) {
    if (scans == 1)
        *idle_since = clock_monotonic_ns();
    if (layer_idles(worker->index))
        return NULL;
    if (executor.options.steal != STEAL_NONE && scans % SCANS_BEFORE_STEAL == 0) {
        struct mailbox *loot = steal_attempt(worker);
        if (loot != NULL)
            return loot;
    }
    if (executor.options.idle == IDLE_PARK && clock_monotonic_ns() - *idle_since > PATIENCE_NS) {
        sleep_worker(worker);
        *idle_since = clock_monotonic_ns();
    }
    spin(scans);
    return NULL;
}

void design_work(unsigned index) {
    struct worker *worker = &executor.workers[index];
    this_worker = worker;
    unsigned idle_scans = 0;
    uint64_t idle_since = 0;
    for (;;) {
        struct mailbox *mailbox = ready_next(worker);
        if (mailbox == NULL) {
            if (atomic_load_acquire(&executor_round.stopping)) /* pairs with the store in executor.c */
                break;
            mailbox = idle(worker, ++idle_scans, &idle_since);
        }
        if (mailbox != NULL) {
            run(worker, mailbox);
            idle_scans = 0;
        }
    }
    mailbox_pool_empty();
}
