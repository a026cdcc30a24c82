/* The actor-centric executor: its workers, creation of actors, sends. */
#include "executor.h"

#include <stdlib.h>

#include "census.h"
#include "check.h"
#include "clusters.h"
#include "crew.h"
#include "design.h"
#include "lifecycle.h"
#include "mailbox_pool.h"
#include "placement.h"
#include "platform/memory.h"
#include "ready.h"
#include "send.h"
#include "storage.h"

#include "design_body.h"

struct executor executor;

#define NO_SUCH_CLUSTER "there is no such cluster: choose one below actorbench_clusters()"

/* ---- Actors and sends ------------------------------------------------------------------------------------------- */

static struct mailbox *mailbox_of(struct actorbench_actor *actor) {
    /* Relaxed: written before the actor's address was given to anybody. */
    return (struct mailbox *)atomic_load_relaxed(&actor->ticket);
}

/* Makes an actor's mailbox; the caller deals it out. */
static inline struct mailbox *make_mailbox(struct actorbench_actor *actor, const struct actorbench_actor_type *type) {
    check(executor_round.running, "actor %p of type %s is made while no executor runs: call actorbench_start first",
          (void *)actor, type->name);
    actor->type = type;
    struct mailbox *mailbox = mailbox_pool_take();
    mailbox_init(mailbox, executor.options.mailbox);
    mailbox->actor = actor;
    mailbox->dispatch = executor.options.dispatch;
    mailbox->home = NO_HOME;
    mailbox->is_bound = false;
    atomic_initialise(&actor->ticket, (uintptr_t)mailbox);
    return mailbox;
}

void actorbench_actor_construct(struct actorbench_actor *actor, const struct actorbench_actor_type *type) {
    struct mailbox *mailbox = make_mailbox(actor, type);
    mailbox->initial = placement_deal(this_worker, census_add(1));
    atomic_initialise(&mailbox->place, executor.division.cluster_of[mailbox->initial]);
}

const char *actorbench_actor_construct_in(struct actorbench_actor *actor, const struct actorbench_actor_type *type,
                                          unsigned cluster) {
    if (cluster >= executor.division.count)
        return NO_SUCH_CLUSTER;
    struct mailbox *mailbox = make_mailbox(actor, type);
    (void)census_add(1);
    mailbox->initial = placement_next_of(cluster);
    atomic_initialise(&mailbox->place, cluster);
    return NULL;
}

const char *actorbench_actor_move(struct actorbench_actor *actor, unsigned cluster) {
    if (cluster >= executor.division.count)
        return NO_SUCH_CLUSTER;
    atomic_store_relaxed(&mailbox_of(actor)->place, cluster); /* as in actorbench_actor_fix */
    return NULL;
}

const char *actorbench_actor_fix(struct actorbench_actor *actor, unsigned worker) {
    if (worker >= crew.count)
        return "there is no such worker: choose one below actorbench_workers()";
    /* Relaxed, both: whoever comes to know of it by the actor, its messages or anything else sees them; others may not yet. */
    atomic_store_relaxed(&executor.looks, 1);
    atomic_store_relaxed(&mailbox_of(actor)->place, BOUND_TO(worker));
    return NULL;
}

void actorbench_actor_limit_dispatch(struct actorbench_actor *actor, unsigned messages) {
    mailbox_of(actor)->dispatch = messages;
}

void *storage_take(size_t size, size_t alignment, const char *what) {
    return memory_aligned(size, alignment, what);
}

void storage_give(void *block, size_t size) {
    (void)size;
    free(block);
}

struct actorbench_actor *actorbench_post(struct actorbench_actor *receiver, struct actorbench_message *content,
                                         actorbench_behaviour *reaction) {
    struct mailbox *mailbox = mailbox_of(receiver); /* before the check, which then vouches for it */
    send_begin(receiver, content, this_worker != NULL ? &this_worker->statistics : NULL, SEND_DELAY(executor.options));
    struct letter letter = {content, reaction STAMPED(, clock_cycles())};
    if (mailbox_push(mailbox, executor.options.mailbox, executor.options.link, letter))
        ready_wake(mailbox);
    return receiver;
}

/* ---- A round ---------------------------------------------------------------------------------------------------- */

/* Turns off what means nothing here, and says so. */
static void reduce(struct options *options) {
    bool steals = options->steal != STEAL_NONE;
    if (steals && crew.count == 1)
        executor_round.note = "stealing is off: one worker has nobody to steal from";
    else if (steals && executor.division.count == crew.count)
        executor_round.note = "stealing is off: each cluster has one worker";
    else if (options->ready == READY_GLOBAL && executor.division.count > 1)
        executor_round.note = "stealing and placement are off: all workers of a cluster share one ready queue";
    else if (options->ready == READY_GLOBAL && crew.count > 1)
        executor_round.note = "stealing and placement are off: all workers share one ready queue";
    else if (steals && options->ready == READY_FIFO)
        executor_round.note = "stealing is off: a queue of kind fifo is its worker's alone";
    if (executor_round.note != NULL)
        options->steal = STEAL_NONE;
}

const char *design_prepare(const struct actorbench_config *config) {
    struct options *options = &executor.options;
    *options = options_of(config);
    const char *why = delay_refusal(SEND_DELAY(*options));
    if (why != NULL)
        return why;
    why = division_make(&executor.division, options->clusters, config->topology, options->pin, crew.count);
    if (why != NULL)
        return why;
    reduce(options);
    if (!placement_has_homes() && options->steal != STEAL_NEAREST)
        return NULL;
    why = neighbours_make(&executor.neighbours, config->topology, options->pin, crew.count);
    if (why == NULL)
        neighbours_keep_within(&executor.neighbours, executor.division.cluster_of);
    else
        division_release(&executor.division);
    return why;
}

static void make_worker(unsigned index, uint64_t seed) {
    struct worker *worker = &executor.workers[index];
    worker->index = index;
    worker->random = random_seed(seed, index);
    atomic_initialise(&worker->sleeping, AWAKE);
    ready_list_init(&worker->inbox);
    ready_list_init(&worker->bound);
    deque_init(&worker->deque, INITIAL_DEQUE);
}

void design_make(uint64_t seed) {
    executor.workers =
        (struct worker *)memory_on_node(crew.count * sizeof *executor.workers, CACHE_LINE, ANY_NODE, "the workers");
    for (unsigned i = 0; i < crew.count; i++)
        make_worker(i, seed);
    unsigned clusters = executor.division.count;
    executor.global = (struct ready_list *)memory_on_node(clusters * sizeof *executor.global, CACHE_LINE, ANY_NODE,
                                                          "the clusters' ready queues");
    for (unsigned i = 0; i < clusters; i++)
        ready_list_init(&executor.global[i]);
    atomic_initialise(&executor.looks, clusters > 1 || executor.options.ready == READY_GLOBAL);
}

/* An actor that is still ready has a letter. */
void design_check_left(void) {
    for (unsigned i = 0; i < crew.count; i++) {
        struct letter letter;
        struct mailbox *mailbox = ready_next(&executor.workers[i]);
        if (mailbox != NULL && mailbox_next(mailbox, executor.options.mailbox, &letter))
            lifecycle_complain_unreceived(mailbox->actor, letter.message);
    }
}

void design_release(void) {
    for (unsigned i = 0; i < crew.count; i++)
        deque_destroy(&executor.workers[i].deque);
    free(executor.workers);
    executor.workers = NULL;
    free(executor.global);
    executor.global = NULL;
    neighbours_release(&executor.neighbours);
    division_release(&executor.division);
    mailbox_pool_empty();
}

/* ---- What runs -------------------------------------------------------------------------------------------------- */

unsigned actorbench_place(uint64_t number) {
    return placement_deal(NULL, number);
}

unsigned actorbench_clusters(void) {
    return executor.division.count;
}

unsigned actorbench_cluster_of(unsigned worker) {
    return worker < crew.count ? executor.division.cluster_of[worker] : executor.division.count;
}

unsigned actorbench_cluster(void) {
    return actorbench_cluster_of(actorbench_worker());
}
