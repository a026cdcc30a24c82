/* The actor-centric executor: start and stop, creation of actors, sends. */
#include "executor.h"

#include <stdlib.h>

#include "census.h"
#include "check.h"
#include "crew.h"
#include "lifecycle.h"
#include "mailbox_pool.h"
#include "placement.h"
#include "platform/delay.h"
#include "platform/memory.h"
#include "ready.h"
#include "sleep.h"
#include "stats.h"

struct executor executor;

static const char *note;

/* ---- Actors and sends ------------------------------------------------------------------------------------------- */

static struct mailbox *mailbox_of(struct actor *actor) {
    /* Relaxed: written before the actor's address was given to anybody. */
    return (struct mailbox *)atomic_load_relaxed(&actor->ticket);
}

void actor_construct(struct actor *actor, const struct actor_type *type) {
    check(executor.running, "actor %p of type %s is made while no executor runs: call executor_start first",
          (void *)actor, type->name);
    actor->type = type;
    struct mailbox *mailbox = mailbox_pool_take();
    mailbox_init(mailbox, executor.options.mailbox);
    mailbox->actor = actor;
    mailbox->dispatch = executor.options.dispatch;
    mailbox->initial = (uint16_t)(census_add() % executor.worker_count);
    mailbox->home = NO_HOME;
    atomic_initialise(&actor->ticket, (uintptr_t)mailbox);
}

void actor_limit_dispatch(struct actor *actor, unsigned messages) {
    mailbox_of(actor)->dispatch = messages;
}

struct actor *actor_post(struct actor *receiver, struct message *content, behaviour *reaction) {
    struct mailbox *mailbox = mailbox_of(receiver); /* before the check, which then vouches for it */
    lifecycle_check_send(receiver, content);
    if (STATISTICS_BUILD && this_worker != NULL)
        this_worker->statistics.messages_sent++;
    else if (STATISTICS_BUILD)
        atomic_fetch_add_relaxed(&executor.outside_sends, 1);
    if (SEND_DELAY_BUILD)
        delay_send(executor.options.send_delay);
    struct letter letter = {content, reaction};
    if (mailbox_push(mailbox, executor.options.mailbox, executor.options.link, letter))
        ready_wake(mailbox);
    return receiver;
}

/* ---- Start ------------------------------------------------------------------------------------------------------ */

/* Looks at what only the runtime can tell; NULL, or what is wrong. Turns off what means nothing here, and notes it. */
static const char *settle_options(void) {
    struct actor_centric_options *options = &executor.options;
    executor.worker_count = crew.count;
    note = NULL;
    const char *why = delay_refusal(options->send_delay);
    if (why != NULL)
        return why;
    bool steals = options->steal != STEAL_NONE;
    if (steals && executor.worker_count == 1)
        note = "stealing is off: one worker has nobody to steal from";
    else if (options->ready == READY_GLOBAL && executor.worker_count > 1)
        note = "stealing and placement are off: all workers share one ready queue";
    else if (steals && options->ready == READY_FIFO)
        note = "stealing is off: a queue of kind fifo is its worker's alone";
    if (note != NULL)
        options->steal = STEAL_NONE;
    return NULL;
}

static void make_worker(unsigned index, uint64_t seed) {
    struct worker *worker = &executor.workers[index];
    worker->index = index;
    worker->random = random_seed(seed, index);
    atomic_initialise(&worker->sleeping, AWAKE);
    ready_list_init(&worker->inbox);
    deque_init(&worker->deque, INITIAL_DEQUE);
}

static void release_everything(void) {
    for (unsigned i = 0; i < executor.worker_count; i++)
        deque_destroy(&executor.workers[i].deque);
    free(executor.workers);
    executor.workers = NULL;
    neighbours_release(&executor.neighbours);
    mailbox_pool_empty();
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
    for (unsigned i = 0; i < executor.worker_count; i++)
        make_worker(i, seed);
    ready_list_init(&executor.global);
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
    executor.options = actor_centric_options(config);
    const char *why = crew_make(config, executor.options.pin);
    if (why == NULL)
        why = settle_options();
    if (why == NULL && (placement_has_homes() || executor.options.steal == STEAL_NEAREST))
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

/* Stops a checked build if an actor is still ready. */
static void check_ready(void) {
    for (unsigned i = 0; CHECKED_BUILD && i < executor.worker_count; i++) {
        struct letter letter;
        struct mailbox *mailbox = ready_next(&executor.workers[i]);
        if (mailbox != NULL && mailbox_next(mailbox, executor.options.mailbox, &letter))
            lifecycle_complain_unreceived(mailbox->actor, letter.message);
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
    check_ready();
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
    return (unsigned)(number % executor.worker_count);
}

const char *executor_note(void) {
    return note;
}
