/* Out-boxes: filling and emptying. */
#include "outbox.h"

#include "state.h"

#include "sharded/sleep.h"

void outbox_deliver(struct outbox *box) {
    struct mailbox *mailbox = box->mailbox;
    outbox_empty(box);
    sleep_wake_owner(mailbox_append_block(mailbox, box->block));
}

void outbox_send_anyway(struct worker *worker, struct mailbox *mailbox, struct envelope envelope) {
    struct outboxes *outboxes = &worker->outboxes;
    struct outbox *box = outbox_of(outboxes, mailbox);
    if (box->mailbox == NULL)
        outboxes->used[outboxes->used_count++] = (uint16_t)(box - outboxes->boxes);
    else if (box->mailbox != mailbox || block_is_full(box->block))
        outbox_deliver(box);
    if (box->mailbox == NULL) {
        box->mailbox = mailbox;
        atomic_store_relaxed(&mailbox->boxed, worker->index + 1); /* a hint for give_hurry */
        box->block = block_take(&worker->pool);
    }
    block_put(box->block, envelope);
}

void outbox_flush(struct worker *worker) {
    struct outboxes *outboxes = &worker->outboxes;
    outboxes->flushed = outboxes->used_count;
    while (outboxes->used_count != 0)
        outbox_deliver(&outboxes->boxes[outboxes->used[--outboxes->used_count]]);
}
