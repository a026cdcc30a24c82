/* Holding mailboxes and letting them go; the reasoning is in hold.h. */
#include "hold.h"

#include "outbox.h"
#include "sleep.h"

/* Moves what is in a mailbox's queue to the end of the run queue. Under the mailbox's lock. */
static void take_queue(struct worker *worker, struct mailbox *mailbox) {
    if (queue_count(&mailbox->queue) == 0)
        return;
    struct block_queue taken;
    (void)block_queue_transfer(&mailbox->queue.block, &taken);
    run_queue_append_blocks(&worker->runs, taken.first, taken.last);
}

bool hold_mailbox(struct worker *worker, struct mailbox *mailbox) {
    if (outbox_of(&worker->outboxes, mailbox)->mailbox == mailbox)
        outbox_flush(worker);
    bool held = hold_holder(mailbox) == worker;
    spinlock_acquire(&mailbox->lock);
    if (!held) {
        uint32_t turn = atomic_load_acquire(&mailbox->turn); /* pairs with the release in mailbox_release */
        if (turn_is_processed(turn)) {
            spinlock_release(&mailbox->lock);
            return false;
        }
        atomic_store_relaxed(&mailbox->turn, turn + 1); /* relaxed: as in mailbox_gulp */
    }
    take_queue(worker, mailbox);
    spinlock_release(&mailbox->lock);
    if (!held) {
        atomic_store_relaxed(&mailbox->holder, worker); /* relaxed: see hold_holder */
        mailbox->held.next = worker->held;
        worker->held = mailbox;
    }
    return true;
}

void hold_send_anyway(struct worker *worker, struct mailbox *mailbox, struct envelope envelope) {
    if (queue_count(&mailbox->queue) != 0)
        (void)hold_mailbox(worker, mailbox);
    run_queue_append(&worker->runs, &worker->pool, envelope);
}

/* Takes the mailboxes that leave out of the worker's list; a list of them. They still cannot be gulped. */
static struct mailbox *choose(struct worker *worker, enum leaving which) {
    for (unsigned i = 0; which == LEAVE_STOLEN && i < worker->slot_count; i++) {
        struct mailbox *mailbox = slot_mailbox(&executor.slots[worker->first_slot + i]);
        if (hold_holder(mailbox) == worker)
            mailbox->held.stays = true;
    }
    struct mailbox *leaving = NULL;
    for (PLAIN(struct mailbox *) *link = &worker->held; *link != NULL;) {
        struct mailbox *mailbox = *link;
        if (mailbox->held.stays) {
            mailbox->held.stays = false;
            link = &mailbox->held.next;
            continue;
        }
        *link = mailbox->held.next;
        mailbox->held.next = leaving;
        leaving = mailbox;
        atomic_store_relaxed(&mailbox->holder, NO_HOLDER); /* relaxed: see hold_holder */
    }
    return leaving;
}

/* Puts an envelope aside for the mailbox that it goes back to. */
static void put_aside(struct worker *worker, struct held *held, struct envelope envelope) {
    if (held->last == NULL || block_is_full(held->last)) {
        struct block *fresh = block_take(&worker->pool);
        if (held->last == NULL)
            held->first = fresh;
        else
            held->last->next = fresh;
        held->last = fresh;
    }
    block_put(held->last, envelope);
    held->count++;
}

/* Goes through the run queue once: what is for mailboxes that are no longer held is put aside for them. */
static void sort_out(struct worker *worker) {
    run_queue_close(&worker->runs);
    struct run_queue old = worker->runs;
    run_queue_init(&worker->runs, &worker->pool);
    for (struct block *block = old.first, *after; block != NULL; block = after) {
        const PLAIN(struct envelope) *next = block == old.first ? old.next : block->envelopes;
        for (; next != block->envelopes + block->count; next++) {
            struct envelope envelope = *next;
            struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&envelope.actor->ticket);
            if (hold_holder(mailbox) == worker)
                run_queue_append(&worker->runs, &worker->pool, envelope);
            else
                put_aside(worker, &mailbox->held, envelope);
        }
        after = block->next;
        block_give(&worker->pool, block);
    }
}

/* Gives what was put aside back to the mailbox, and the mailbox to whoever gulps it next. */
static void release(struct mailbox *mailbox) {
    struct held *held = &mailbox->held;
    uint32_t sleeper = NO_SLEEPER;
    if (held->count != 0) {
        spinlock_acquire(&mailbox->lock);
        block_queue_prepend_blocks(&mailbox->queue.block, held->first, held->last, held->count);
        sleeper = mailbox_take_sleeper(mailbox);
        spinlock_release(&mailbox->lock);
    }
    held->next = NULL;
    held->first = held->last = NULL;
    held->count = 0;
    mailbox_release(mailbox); /* from here on it may be another worker's */
    sleep_wake_owner(sleeper);
}

void hold_leave(struct worker *worker, enum leaving which) {
    outbox_flush(worker);
    struct mailbox *leaving = choose(worker, which);
    if (leaving == NULL)
        return;
    if (!run_queue_is_empty(&worker->runs))
        sort_out(worker);
    while (leaving != NULL) {
        struct mailbox *next = leaving->held.next;
        release(leaving);
        leaving = next;
    }
}
