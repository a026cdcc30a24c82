/* What the tests in ../sharded ask of this design: its mailboxes, and its workers' own parts. */
#ifndef ACTORBENCH_TESTS_WORKER_CENTRIC_PARTS_H
#define ACTORBENCH_TESTS_WORKER_CENTRIC_PARTS_H

#include "harness.h"
#include "platform/memory.h"
#include "worker_centric/state.h"

static inline void box_init(struct mailbox *box, unsigned number) {
    mailbox_init(box, number);
}

static inline void box_destroy(struct mailbox *box) {
    mailbox_destroy(box);
}

/* From any thread; value: whom to wake. */
static inline uint32_t box_append(struct mailbox *box, struct envelope envelope) {
    return mailbox_append(box, NULL, envelope);
}

/* Drops what is there. */
static inline void box_empty(struct mailbox *box) {
    block_queue_destroy(&box->queue);
    block_queue_init(&box->queue);
}

static inline uint32_t box_sleeper(const struct mailbox *box) {
    return atomic_load_relaxed(&box->sleeper);
}

static inline void parts_init(struct worker *worker) {
    run_queue_init(&worker->runs, &worker->pool);
    atomic_initialise(&worker->waiting, 0);
    atomic_initialise(&worker->begun, 0);
    atomic_initialise(&worker->work_ns, UNKNOWN_NS);
    atomic_initialise(&worker->call, uncalled(worker));
}

static inline void parts_release(struct worker *worker) {
    producers_release();
    block_free_chain(worker->runs.first);
    block_pool_release(&worker->pool);
}

#endif
