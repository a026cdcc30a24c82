/* The message-centric executor: its workers and mailboxes, creation of actors, sends (thesis, "Actor System" and "Executor"). */
#include "executor.h"

#include <stdio.h>
#include <stdlib.h>

#include "census.h"
#include "check.h"
#include "crew.h"
#include "delivery.h"
#include "design.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "send.h"
#include "state.h"
#include "storage.h"

#include "design_body.h"
#include "one_cluster_body.h"
#include "sharded/sleep.h"

struct executor executor;

/* ---- Actors and sends ------------------------------------------------------------------------------------------- */

/* Each mailbox in turn. */
void actorbench_actor_construct(struct actorbench_actor *actor, const struct actorbench_actor_type *type) {
    check(executor_round.running, "actor %p of type %s is made while no executor runs: call actorbench_start first",
          (void *)actor, type->name);
    actor->type = type;
    unsigned number = (unsigned)(census_add(1) % sharding.mailbox_count);
    unsigned owner = sharding_owner(number);
    atomic_initialise(&actor->ticket, (uintptr_t)&executor.workers[owner].mailboxes[number - sharding_first(owner)]);
}

void actorbench_actor_limit_dispatch(struct actorbench_actor *actor, unsigned messages) {
    (void)actor, (void)messages; /* a gulp is run whole, whoever its messages are for */
}

void *storage_take(size_t size, size_t alignment, const char *what) {
    return memory_aligned(size, alignment, what);
}

void storage_give(void *block, size_t size) {
    (void)size;
    free(block);
}

/* A send whatever it takes: waiting for the lock, growing the queue, waking the owner. Out of line, and called last, so
 * that the usual send needs no stack frame. */
__attribute__((noinline)) static struct actorbench_actor *
post_slowly(struct actorbench_actor *receiver, struct actorbench_message *content,
            actorbench_behaviour *reaction STAMPED(, uint64_t sent)) {
    /* Relaxed: written before the receiver's address was given to anybody. */
    struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&receiver->ticket);
    struct envelope envelope = {receiver, content, reaction STAMPED(, sent)};
    sleep_wake_owner(mailbox_append(mailbox, executor.options.queue, envelope));
    return receiver;
}

struct actorbench_actor *actorbench_post(struct actorbench_actor *receiver, struct actorbench_message *content,
                                         actorbench_behaviour *reaction) {
    send_begin(receiver, content, this_worker != NULL ? &this_worker->statistics : NULL, SEND_DELAY(executor.options));
    struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&receiver->ticket); /* as above */
    struct envelope envelope = {receiver, content, reaction STAMPED(, clock_cycles())};
    if (likely(executor.options.queue == QUEUE_COPY && mailbox_append_quickly(mailbox, envelope)))
        return receiver;
    return post_slowly(receiver, content, reaction STAMPED(, envelope.sent));
}

/* ---- A round ---------------------------------------------------------------------------------------------------- */

enum { MOST_SLOTS = 1 << 20, MOST_GROWTH = 10000 };

/* Says why copy queues can't be so large, or grow so fast, or NULL. */
static const char *queue_refusal(const struct options *options) {
    static char line[128];
    if (options->copy_queue_size > MOST_SLOTS)
        (void)snprintf(line, sizeof line, "--copy-queue-size %u is too much: choose 1 to %d", options->copy_queue_size,
                       MOST_SLOTS);
    else if (options->copy_queue_growth > MOST_GROWTH)
        (void)snprintf(line, sizeof line, "--copy-queue-growth %u is too much: choose 101 to %d",
                       options->copy_queue_growth, MOST_GROWTH);
    else
        return NULL;
    return line;
}

const char *design_prepare(const struct actorbench_config *config) {
    struct options *options = &executor.options;
    *options = options_of(config);
    const char *why = delay_refusal(SEND_DELAY(*options));
    if (why == NULL)
        why = queue_refusal(options);
    if (why == NULL)
        why =
            sharding_prepare(config, options->mailboxes, options->mailboxes_per_worker, &options->steal, options->pin);
    copy_queue_shape = (struct copy_queue_shape){options->copy_queue_size, options->copy_queue_growth};
    executor.wakes_thieves = options->steal != STEAL_NONE && options->idle == IDLE_PARK;
    return why;
}

static void make_worker(unsigned index, uint64_t seed) {
    struct worker *worker = &executor.workers[index];
    int node = crew.members[index].node;
    worker->index = index;
    worker->random = random_seed(seed, index);
    queue_init(&worker->local, executor.options.queue, node);
    atomic_initialise(&worker->sleeping, AWAKE);
    atomic_initialise(&worker->stamp, clock_cycles());
    unsigned share = sharding_share(index);
    worker->mailboxes =
        (struct mailbox *)memory_on_node(share * sizeof *worker->mailboxes, CACHE_LINE, node, "a worker's mailboxes");
    for (unsigned i = 0; i < share; i++) {
        mailbox_init(&worker->mailboxes[i], executor.options.queue, node);
        atomic_initialise(&sharding_slots(index)[i], &worker->mailboxes[i]);
    }
}

void design_make(uint64_t seed) {
    executor.workers =
        (struct worker *)memory_on_node(crew.count * sizeof *executor.workers, CACHE_LINE, ANY_NODE, "the workers");
    for (unsigned i = 0; i < crew.count; i++)
        make_worker(i, seed);
}

static void complain(struct envelope envelope) {
    lifecycle_complain_unreceived(envelope.actor, envelope.message);
}

void design_check_left(void) {
    for (unsigned i = 0; i < sharding.mailbox_count; i++) {
        union queue *queue = &slot_mailbox(&sharding.slots[i])->queue;
        queue_drain(queue, executor.options.queue, queue_count(queue), complain);
    }
}

void design_release(void) {
    for (unsigned i = 0; i < crew.count; i++) {
        struct worker *worker = &executor.workers[i];
        for (unsigned j = 0; j < sharding_share(i); j++)
            queue_destroy(&worker->mailboxes[j].queue, executor.options.queue);
        queue_destroy(&worker->local, executor.options.queue);
        free(worker->mailboxes);
    }
    free(executor.workers);
    executor.workers = NULL;
    sharding_release();
}

/* ---- What runs -------------------------------------------------------------------------------------------------- */

unsigned actorbench_place(uint64_t number) {
    return sharding_owner((unsigned)(number % sharding.mailbox_count));
}
