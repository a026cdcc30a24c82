/* The actor-centric executor: its workers, creation of actors, sends. */
#include "executor.h"

#include <stdlib.h>

#include "census.h"
#include "check.h"
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

/* ---- Actors and sends ------------------------------------------------------------------------------------------- */

static struct mailbox *mailbox_of(struct actorbench_actor *actor) {
    /* Relaxed: written before the actor's address was given to anybody. */
    return (struct mailbox *)atomic_load_relaxed(&actor->ticket);
}

void actorbench_actor_construct(struct actorbench_actor *actor, const struct actorbench_actor_type *type) {
    check(executor_round.running, "actor %p of type %s is made while no executor runs: call actorbench_start first",
          (void *)actor, type->name);
    actor->type = type;
    struct mailbox *mailbox = mailbox_pool_take();
    mailbox_init(mailbox, executor.options.mailbox);
    mailbox->actor = actor;
    mailbox->dispatch = executor.options.dispatch;
    mailbox->initial = placement_deal(this_worker, census_add(1));
    mailbox->home = NO_HOME;
    atomic_initialise(&actor->ticket, (uintptr_t)mailbox);
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
    reduce(options);
    if (!placement_has_homes() && options->steal != STEAL_NEAREST)
        return NULL;
    return neighbours_make(&executor.neighbours, config->topology, options->pin, crew.count);
}

static void make_worker(unsigned index, uint64_t seed) {
    struct worker *worker = &executor.workers[index];
    worker->index = index;
    worker->random = random_seed(seed, index);
    atomic_initialise(&worker->sleeping, AWAKE);
    ready_list_init(&worker->inbox);
    deque_init(&worker->deque, INITIAL_DEQUE);
}

void design_make(uint64_t seed) {
    executor.workers =
        (struct worker *)memory_on_node(crew.count * sizeof *executor.workers, CACHE_LINE, ANY_NODE, "the workers");
    for (unsigned i = 0; i < crew.count; i++)
        make_worker(i, seed);
    ready_list_init(&executor.global);
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
    neighbours_release(&executor.neighbours);
    mailbox_pool_empty();
}

/* ---- What runs -------------------------------------------------------------------------------------------------- */

unsigned actorbench_place(uint64_t number) {
    return (unsigned)(number % crew.count);
}
