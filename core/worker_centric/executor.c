/* The worker-centric executor: its workers and their mailboxes, from start to end. */
#include <stdlib.h>

#include "crew.h"
#include "deal.h"
#include "design.h"
#include "give.h"
#include "lifecycle.h"
#include "platform/clock.h"
#include "sharded/sleep.h"

#include "design_body.h"
#include "one_cluster_body.h"

struct executor executor;

const char *design_prepare(const struct actorbench_config *config) {
    struct options *options = &executor.options;
    *options = options_of(config);
    const char *why = delay_refusal(SEND_DELAY(*options));
    return why != NULL ? why
                       : sharding_prepare(config, options->mailboxes, options->mailboxes_per_worker, &options->steal,
                                          options->pin);
}

static void make_worker(unsigned index, uint64_t seed) {
    struct worker *worker = &executor.workers[index];
    worker->index = index;
    worker->random = random_seed(seed, index);
    run_queue_init(&worker->runs, NULL); /* with no slab for who has nothing to do */
    atomic_initialise(&worker->sleeping, AWAKE);
    atomic_initialise(&worker->stamp, clock_cycles());
    atomic_initialise(&worker->waiting, 0);
    atomic_initialise(&worker->begun, 0);
    atomic_initialise(&worker->work_ns, UNKNOWN_NS);
    atomic_initialise(&worker->call, uncalled(worker));
    deal_init(worker);
    unsigned share = sharding_share(index);
    worker->mailboxes = (struct mailbox *)memory_on_node(share * sizeof *worker->mailboxes, CACHE_LINE,
                                                         crew.members[index].node, "a worker's mailboxes");
    for (unsigned i = 0; i < share; i++) {
        mailbox_init(&worker->mailboxes[i], sharding_first(index) + i);
        atomic_initialise(&sharding_slots(index)[i], &worker->mailboxes[i]);
    }
}

void design_make(uint64_t seed) {
    atomic_initialise(&executor.remembers, false);
    atomic_initialise(&executor.places, false);
    atomic_initialise(&executor.rows, NULL);
    executor.workers =
        (struct worker *)memory_on_node(crew.count * sizeof *executor.workers, CACHE_LINE, ANY_NODE, "the workers");
    give_init();
    producers_begin();
    recycle_begin(executor_has(MECHANISM_RECYCLING));
    for (unsigned i = 0; i < crew.count; i++)
        make_worker(i, seed);
    asymmetric_prepare();
}

/* What is left in a mailbox, or was sent by a worker's last behaviours, which are in its run queue. */
static void check_queue(struct run_queue *left) {
    if (run_queue_is_empty(left))
        return;
    struct envelope envelope = *left->next;
    lifecycle_complain_unreceived(envelope.actor, envelope.message);
}

static void check_mailbox(struct mailbox *mailbox) {
    struct run_queue left;
    run_queue_init(&left, NULL);
    if (atomic_load_relaxed(&mailbox->queue.count) != 0)
        run_queue_append_chain(&left, block_queue_take(&mailbox->queue, NULL));
    else
        for (struct lane *lane = lane_at(&mailbox->lanes); lane != NULL && run_queue_is_empty(&left);
             lane = lane_at(&lane->further))
            if (lane_count(lane) != 0)
                (void)lane_take(lane, lane_count(lane), &left, NULL); /* any part will do */
    run_queue_drop_empty(&left, NULL);
    check_queue(&left);
    block_free_chain(left.first);
}

void design_check_left(void) {
    for (unsigned i = 0; i < sharding.mailbox_count; i++)
        check_mailbox(slot_mailbox(&sharding.slots[i]));
    for (unsigned i = 0; i < crew.count; i++)
        check_queue(&executor.workers[i].runs);
}

void design_release(void) {
    for (unsigned i = 0; i < crew.count; i++) {
        struct worker *worker = &executor.workers[i];
        for (unsigned j = 0; j < sharding_share(i); j++)
            mailbox_destroy(&worker->mailboxes[j]);
        recycle_release(&worker->recycled);
        block_free_chain(worker->runs.first);
        block_pool_release(&worker->pool);
        free(worker->mailboxes);
    }
    deal_release();
    producers_release();
    recycle_end();
    block_depot_release();
    free(executor.workers);
    executor.workers = NULL;
    sharding_release();
}

unsigned actorbench_place(uint64_t number) {
    atomic_store_relaxed(&executor.places, true); /* relaxed: who asks is who deals */
    return sharding_owner(deal_number(number));
}
