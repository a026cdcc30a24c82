/* Out-boxes: a worker collects what goes to one mailbox of another worker, and appends it block by block: one lock, and one
 * line of the mailbox, for many messages instead of one.
 *
 * A block is appended when it is full; the others at the end of the run (worker.c), and before the worker lets go of any
 * mailbox (hold.h). So a message is delayed by no more than the run that it was passed on in. A run may be long, where actors of one
 * worker keep each other busy; so the mailbox says who has something for it, and a worker that has nothing to do calls those who
 * have something for its mailboxes, which ends their runs (give.h).
 *
 * A worker has OUTBOXES of them, and mailboxes share them by number; the newcomer has the other's block appended. They are enough for the
 * mailboxes of 64 workers: with fewer nearly every message to one of many mailboxes is appended by itself, and wakes its worker by itself, so
 * slowly that this sleeps again before the next one. Out-boxes that are not in use have no block. All are the worker's own.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_OUTBOX_H
#define ACTORBENCH_WORKER_CENTRIC_OUTBOX_H

#include "mailbox.h"

enum { OUTBOXES = TESTED(1024, 2) };

struct outbox {
    struct mailbox *mailbox; /* NULL: nothing is in it, and it is in no list */
    struct block *block;     /* not empty, if there is a mailbox */
};

struct outboxes {
    struct outbox boxes[OUTBOXES];
    uint16_t used[OUTBOXES]; /* the numbers of those that are not empty */
    unsigned used_count;
    unsigned flushed; /* so many the last flush has emptied */
};

struct worker;

static inline struct outbox *outbox_of(struct outboxes *outboxes, const struct mailbox *mailbox) {
    return &outboxes->boxes[mailbox->number % OUTBOXES];
}

/* Sends to a mailbox in the usual case: its out-box is in use and has room. False, and nothing has happened, otherwise. */
static inline bool outbox_send(struct outboxes *outboxes, struct mailbox *mailbox, struct envelope envelope) {
    struct outbox *box = outbox_of(outboxes, mailbox);
    if (unlikely(box->mailbox != mailbox || block_is_full(box->block)))
        return false;
    block_put(box->block, envelope);
    return true;
}

/* The same with envelopes for one mailbox, as many as there is room for; how many. */
static inline size_t outbox_send_row(struct outboxes *outboxes, const struct mailbox *mailbox,
                                     const PLAIN(struct envelope) * envelopes, size_t count) {
    struct outbox *box = outbox_of(outboxes, mailbox);
    return box->mailbox == mailbox ? block_put_row(box->block, envelopes, count) : 0;
}

/* Sends one in every case. */
void outbox_send_anyway(struct worker *worker, struct mailbox *mailbox, struct envelope envelope);

/* Says that nothing is in an out-box any more. Its number stays in `used`. */
static inline void outbox_empty(struct outbox *box) {
    atomic_store_relaxed(&box->mailbox->boxed, 0); /* a hint: another worker may have something for it */
    box->mailbox = NULL;
}

/* Appends what is in an out-box to its mailbox, and wakes who sleeps there. Its number stays in `used`. */
void outbox_deliver(struct outbox *box);

/* Appends what is in the out-boxes to its mailboxes, and wakes who sleeps there. */
void outbox_flush(struct worker *worker);

#endif
