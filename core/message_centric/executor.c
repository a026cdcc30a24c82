/* The message-centric executor: start and stop, creation of actors, sends (thesis, "Actor System" and "Executor"). */
#include "executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "census.h"
#include "check.h"
#include "crew.h"
#include "hold.h"
#include "lifecycle.h"
#include "platform/clock.h"
#include "platform/delay.h"
#include "platform/memory.h"
#include "sleep.h"
#include "state.h"
#include "stats.h"

struct executor executor;

enum { MAXIMUM_MAILBOXES_PER_WORKER = 65536, LONGEST_RUN = 1024 };

static char message[256];
static const char *note;

/* ---- Actors and sends ------------------------------------------------------------------------------------------- */

/* The mailbox for the actor of main's with this number. DEAL_EACH: each mailbox in turn, as in the thesis. DEAL_NEAR: the
 * same for the first; then the more there are, the more of them in a row share one, 4, 16, up to LONGEST_RUN, and the runs
 * go to the workers in turn. Actors that are made one after the other often talk to each other, and then need not cross. */
static unsigned mailbox_for(uint64_t number) {
    unsigned count = executor.mailbox_count, run = 4;
    if (executor.options.deal == DEAL_EACH || number < count)
        return (unsigned)(number % count);
    number -= count;
    for (; run < LONGEST_RUN && number >= (uint64_t)count * run; run *= 4)
        number -= (uint64_t)count * run;
    unsigned turn = (unsigned)(number / run % count);
    return turn % executor.worker_count * executor.options.mailboxes_per_worker + turn / executor.worker_count;
}

/* The mailbox for an actor that is made now, and counted. What a behaviour makes goes to each of its worker's mailboxes in
 * turn, under DEAL_NEAR; thieves spread it, so not without them. */
static struct mailbox *deal(struct worker *worker) {
    uint64_t made = worker != NULL && executor.options.census == CENSUS_BATCHED ? census_account_add(&worker->census)
                                                                                : census_add();
    bool spreads = executor.options.steal != STEAL_NONE || executor.worker_count == 1;
    if (worker != NULL && executor.options.deal == DEAL_NEAR && spreads) {
        worker->deal_slot = (worker->deal_slot + 1) % worker->slot_count;
        return slot_mailbox(&executor.slots[worker->first_slot + worker->deal_slot]);
    }
    unsigned number = mailbox_for(made), share = executor.options.mailboxes_per_worker;
    return &executor.workers[number / share].mailboxes[number % share];
}

void actor_construct(struct actor *actor, const struct actor_type *type) {
    check(executor.running, "actor %p of type %s is made while no executor runs: call executor_start first",
          (void *)actor, type->name);
    actor->type = type;
    atomic_initialise(&actor->ticket, (uintptr_t)deal(this_worker));
}

void actor_limit_dispatch(struct actor *actor, unsigned messages) {
    (void)actor, (void)messages; /* a gulp is run whole, whoever its messages are for */
}

/* Sends by the calling thread's lane. Inlined whatever the compiler thinks: an envelope that is passed whole goes by memory,
 * read in larger pieces than it was just written in, and such a load waits for the cache. */
__attribute__((always_inline)) static inline void post_by_lane(struct mailbox *mailbox, struct lane *lane,
                                                               struct envelope envelope) {
    lane_send(lane, envelope);
    /* Sequentially consistent: pairs with the store in sleep.c, where the barrier is not asymmetric. */
    if (likely(atomic_load_seq_cst(&mailbox->sleeper) == NO_SLEEPER))
        return;
    spinlock_acquire(&mailbox->lock);
    uint32_t sleeper = mailbox_take_sleeper(mailbox);
    spinlock_release(&mailbox->lock);
    sleep_wake_owner(sleeper);
}

/* Makes the mailbox's lane for the calling thread; NULL if another thread was first. */
__attribute__((noinline)) static struct lane *claim_lane(struct mailbox *mailbox) {
    struct lane *lane = lane_make(), *none = NULL;
    /* Release: pairs with the acquire in mailbox_lane. Sequentially consistent: with sleep.c's look at the lanes, which finds
     * this one, or else this send finds the sleeper. */
    if (atomic_cas_seq_cst(&mailbox->lane, &none, lane))
        return lane;
    lane_free(lane);
    return NULL;
}

/* The lane of the calling thread, which is no worker, to a mailbox; NULL if another thread has it. */
static inline struct lane *own_lane(struct mailbox *mailbox) {
    struct lane *lane = mailbox_lane(mailbox);
    if (unlikely(lane == NULL))
        return claim_lane(mailbox);
    return lane->producer == lane_self ? lane : NULL;
}

/* Any send but the two usual ones: where the run queue or the copy queue has no room, the lock is not free, the owner is to
 * be woken; by out-box, by lane, to another kind of queue. Out of line, and called last, so that the usual send needs no
 * stack frame. */
__attribute__((noinline)) static struct actor *post_otherwise(struct actor *receiver, struct message *content,
                                                              behaviour *reaction) {
    /* Relaxed: written before the receiver's address was given to anybody. */
    struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&receiver->ticket);
    struct envelope envelope = {receiver, content, reaction};
    struct worker *worker = this_worker;
    struct lane *lane;
    if (worker != NULL && worker->fine && executor.options.local) {
        run_queue_append(&worker->runs, &worker->pool, envelope);
    } else if (worker != NULL && worker->fine && executor.options.outboxes) {
        if (unlikely(!outbox_send(&worker->outboxes, mailbox, envelope)))
            outbox_send_anyway(worker, mailbox, envelope);
    } else if (worker == NULL && executor.options.lanes && (lane = own_lane(mailbox)) != NULL) {
        post_by_lane(mailbox, lane, envelope);
    } else {
        struct block_pool *pool = worker != NULL ? &worker->pool : NULL;
        sleep_wake_owner(mailbox_append(mailbox, executor.options.queue, pool, envelope));
    }
    return receiver;
}

struct actor *actor_post(struct actor *receiver, struct message *content, behaviour *reaction) {
    lifecycle_check_send(receiver, content);
    if (STATISTICS_BUILD && this_worker != NULL)
        this_worker->statistics.messages_sent++;
    else if (STATISTICS_BUILD)
        atomic_fetch_add_relaxed(&executor.outside_sends, 1);
    if (SEND_DELAY_BUILD)
        delay_send(executor.options.send_delay);
    struct envelope envelope = {receiver, content, reaction};
    if (executor.sends_plainly) {
        struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&receiver->ticket); /* as above */
        if (likely(mailbox_append_quickly(mailbox, envelope)))
            return receiver;
    } else if (likely(run_queue_has_room(this_run_queue))) {
        run_queue_put(this_run_queue, envelope);
        return receiver;
    }
    return post_otherwise(receiver, content, reaction);
}

/* ---- Start ------------------------------------------------------------------------------------------------------ */

/* Checks what the options ask for together; NULL, or what is wrong. Sets `note` and what is off. */
static const char *settle_options(void) {
    struct message_centric_options *options = &executor.options;
    note = NULL;
    executor.worker_count = crew.count;
    if (options->mailboxes_per_worker == 0)
        return "there would be fewer mailboxes than workers: every worker needs at least one to receive anything";
    if (options->mailboxes_per_worker > MAXIMUM_MAILBOXES_PER_WORKER) {
        (void)snprintf(message, sizeof message, "%u mailboxes a worker are too many: choose 1 to %d",
                       options->mailboxes_per_worker, MAXIMUM_MAILBOXES_PER_WORKER);
        return message;
    }
    const char *why = delay_refusal(options->send_delay);
    if (why != NULL)
        return why;
    if (executor.worker_count == 1) {
        options->mailboxes_per_worker = 1;
        if (options->steal != STEAL_NONE)
            note = "stealing is off: one worker has nobody to steal from";
        options->steal = STEAL_NONE;
    } else if (options->steal != STEAL_NONE && options->mailboxes_per_worker == 1) {
        return "stealing needs more mailboxes than workers: use --mailboxes-per-worker 2 or more, or --steal none";
    }
    if (options->queue != QUEUE_BLOCK) {
        if (options->local || options->outboxes)
            note = note == NULL ? "local and out-boxes are off: they hand over blocks, which only --queue block has"
                                : "stealing is off: one worker has nobody to steal from; local and out-boxes are off: "
                                  "they hand over blocks, which only --queue block has";
        options->local = options->outboxes = false;
    }
    executor.adapts = options->local || options->outboxes;
    executor.sends_plainly = options->queue == QUEUE_COPY && !options->lanes;
    executor.mailbox_count = executor.worker_count * options->mailboxes_per_worker;
    return NULL;
}

static void make_worker(unsigned index, uint64_t seed) {
    struct worker *worker = &executor.workers[index];
    unsigned share = executor.options.mailboxes_per_worker;
    worker->index = index;
    worker->node = crew.members[index].node;
    worker->first_slot = index * share;
    worker->slot_count = share;
    worker->random = random_seed(seed, index);
    queue_init(&worker->local, executor.options.queue, worker->node);
    run_queue_init(&worker->runs, &worker->pool);
    run_queue_shut(&worker->runs);
    atomic_initialise(&worker->sleeping, AWAKE);
    atomic_initialise(&worker->stamp, clock_cycles());
    atomic_initialise(&worker->message_ns, UNKNOWN_NS);
    atomic_initialise(&worker->backlogged, 0);
    atomic_initialise(&worker->robbed, 0);

    worker->mailboxes =
        memory_on_node(share * sizeof *worker->mailboxes, CACHE_LINE, worker->node, "a worker's mailboxes");
    for (unsigned i = 0; i < share; i++) {
        mailbox_init(&worker->mailboxes[i], worker->first_slot + i, executor.options.queue, worker->node);
        atomic_initialise(&executor.slots[worker->first_slot + i], &worker->mailboxes[i]);
    }
}

static void release_everything(void) {
    for (unsigned i = 0; i < executor.worker_count; i++) {
        struct worker *worker = &executor.workers[i];
        for (unsigned j = 0; j < worker->slot_count; j++)
            mailbox_destroy(&worker->mailboxes[j], executor.options.queue);
        queue_destroy(&worker->local, executor.options.queue);
        recycle_release(&worker->recycled);
        block_free_chain(worker->runs.first);
        block_pool_release(&worker->pool);
        free(worker->mailboxes);
    }
    free(executor.workers);
    free(executor.slots);
    neighbours_release(&executor.neighbours);
    executor.workers = NULL;
    executor.slots = NULL;
}

/* Ends the first `count` workers, which have nothing left to do. */
static void end_workers(unsigned count) {
    atomic_store_seq_cst(&executor.stopping, 1); /* pairs with the loads in sleep.c and worker.c */
    for (unsigned i = 0; i < count; i++)
        sleep_wake(&executor.workers[i]);
    crew_join(count);
}

/* Makes the workers that the settled options ask for, and starts them; NULL, or why not. */
static const char *start_workers(uint64_t seed) {
    executor.workers =
        memory_on_node(executor.worker_count * sizeof *executor.workers, CACHE_LINE, ANY_NODE, "the workers");
    executor.slots = memory_zeroed(executor.mailbox_count, sizeof *executor.slots, "the slots");
    for (unsigned i = 0; i < executor.worker_count; i++)
        make_worker(i, seed);
    asymmetric_prepare();
    census_init();
    stats_reset();
    atomic_initialise(&executor.stopping, 0);
    atomic_initialise(&executor.sleepers, 0);
    atomic_initialise(&executor.outside_sends, 0);
    unsigned started;
    const char *why = crew_start(worker_main, executor.workers, sizeof *executor.workers, &started);
    if (why != NULL) {
        end_workers(started);
        release_everything();
    }
    return why;
}

const char *executor_start(const struct executor_config *config) {
    if (executor.running)
        return "an executor is running already: call executor_stop before the next executor_start";
    struct executor_config defaults = executor_defaults();
    if (config == NULL)
        config = &defaults;
    executor.options = message_centric_options(config);
    const char *why = crew_make(config, executor.options.pin);
    if (why == NULL)
        why = settle_options();
    if (why == NULL && executor.options.steal == STEAL_NEAREST)
        why = neighbours_make(&executor.neighbours, config->topology, executor.options.pin, executor.worker_count);
    if (why == NULL)
        why = start_workers(config->seed);
    if (why != NULL)
        crew_release();
    executor.running = why == NULL;
    return why;
}

/* ---- Wait and stop ---------------------------------------------------------------------------------------------- */

void executor_wait(void) {
    check(executor.running, "executor_wait: no executor runs: call executor_start first");
    census_wait();
}

static void complain(struct envelope envelope) {
    lifecycle_complain_unreceived(envelope.actor, envelope.message);
}

static void check_mailboxes(void) {
    enum queue_kind kind = executor.options.queue;
    for (unsigned i = 0; CHECKED_BUILD && i < executor.mailbox_count; i++) {
        struct mailbox *mailbox = slot_mailbox(&executor.slots[i]);
        struct block_pool pool = {.first = NULL};
        queue_drain(&mailbox->queue, kind, queue_count(&mailbox->queue), &pool, 0, complain);
        if (mailbox_lane(mailbox) != NULL)
            lane_run(mailbox_lane(mailbox), lane_count(mailbox_lane(mailbox)), 0, complain);
    }
}

static void collect_statistics(void) {
    struct executor_statistics outside = {
        .actors_created = census_created(),
        .messages_sent = atomic_load_relaxed(&executor.outside_sends),
    };
    stats_collect(&outside);
    for (unsigned i = 0; i < executor.worker_count; i++)
        stats_collect(&executor.workers[i].statistics);
}

void executor_stop(void) {
    check(executor.running, "executor_stop: no executor runs: call executor_start first");
    census_wait();
    end_workers(executor.worker_count);
    check_mailboxes();
    if (STATISTICS_BUILD)
        collect_statistics();
    release_everything();
    crew_release();
    executor.running = false;
}

/* ---- What runs -------------------------------------------------------------------------------------------------- */

unsigned executor_workers(void) {
    return executor.worker_count;
}

unsigned executor_worker(void) {
    return this_worker != NULL ? this_worker->index : executor.worker_count;
}

unsigned executor_place(uint64_t number) {
    return mailbox_for(number) / executor.options.mailboxes_per_worker;
}

const char *executor_note(void) {
    return note;
}
