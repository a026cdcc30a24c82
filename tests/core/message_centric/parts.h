/* What the tests in ../sharded ask of this design: its mailboxes, and its workers' own parts. */
#ifndef ACTORBENCH_TESTS_MESSAGE_CENTRIC_PARTS_H
#define ACTORBENCH_TESTS_MESSAGE_CENTRIC_PARTS_H

#include "harness.h"
#include "message_centric/state.h"
#include "platform/memory.h"

static inline void box_init(struct mailbox *box, unsigned number) {
    (void)number;
    mailbox_init(box, executor.options.queue, ANY_NODE);
}

static inline void box_destroy(struct mailbox *box) {
    queue_destroy(&box->queue, executor.options.queue);
}

/* From any thread; value: whom to wake. */
static inline uint32_t box_append(struct mailbox *box, struct envelope envelope) {
    return mailbox_append(box, executor.options.queue, envelope);
}

/* Drops what is there. */
static inline void box_empty(struct mailbox *box) {
    box_destroy(box);
    queue_init(&box->queue, executor.options.queue, ANY_NODE);
}

static inline uint32_t box_sleeper(const struct mailbox *box) {
    return box->sleeper;
}

static inline void parts_init(struct worker *worker) {
    queue_init(&worker->local, executor.options.queue, ANY_NODE);
}

static inline void parts_release(struct worker *worker) {
    queue_destroy(&worker->local, executor.options.queue);
}

#endif
