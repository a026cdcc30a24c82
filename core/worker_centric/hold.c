/* Holding mailboxes and letting them go; the reasoning is in hold.h. */
#include "hold.h"

#include "lifecycle.h"
#include "outbox.h"
#include "sleep.h"

void hold_pass_on(struct worker *worker, struct mailbox *mailbox, struct actor *actor, struct message *message,
                  behaviour *reaction) {
    struct envelope envelope = {actor, message, reaction};
    if (!executor.options.outboxes)
        sleep_wake_owner(mailbox_append(mailbox, executor.options.queue, &worker->pool, envelope));
    else if (unlikely(!outbox_send(&worker->outboxes, mailbox, envelope)))
        outbox_send_anyway(worker, mailbox, envelope);
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

/* Goes through the run queue once: what is for mailboxes that leave is put aside, what is for others that the worker does
 * not hold is passed on, up to the mailboxes' queues. */
static void sort_out(struct worker *worker) {
    if (run_queue_is_empty(&worker->runs)) {
        outbox_flush(worker);
        return;
    }
    run_queue_close(&worker->runs);
    struct run_queue old = worker->runs;
    run_queue_init(&worker->runs, &worker->pool);
    for (struct block *block = old.first, *after; block != NULL; block = after) {
        const PLAIN(struct envelope) *next = block == old.first ? old.next : block->envelopes;
        for (; next != block->envelopes + block->count; next++) {
            struct envelope envelope = *next;
            lifecycle_check_delivery(envelope.actor, envelope.message);
            struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&envelope.actor->ticket);
            if (hold_holder(mailbox) != worker)
                hold_pass_on(worker, mailbox, envelope.actor, envelope.message, envelope.reaction);
            else if (mailbox->held.leaves)
                put_aside(worker, &mailbox->held, envelope);
            else
                run_queue_append(&worker->runs, &worker->pool, envelope);
        }
        after = block->next;
        block_give(&worker->pool, block);
    }
    outbox_flush(worker);
}

/* ---- Taking ------------------------------------------------------------------------------------------------------- */

/* Takes a mailbox's turn, unless another worker has it. */
static void hold_mailbox(struct worker *worker, struct mailbox *mailbox) {
    spinlock_acquire(&mailbox->lock);
    uint32_t turn = atomic_load_acquire(&mailbox->turn); /* pairs with the release in mailbox_release */
    bool possible = !turn_is_processed(turn);
    if (possible)
        atomic_store_relaxed(&mailbox->turn, turn + 1); /* relaxed: as in mailbox_gulp */
    spinlock_release(&mailbox->lock);
    if (!possible)
        return;
    atomic_store_relaxed(&mailbox->holder, worker); /* relaxed: see hold_holder */
    mailbox->held.next = worker->held;
    worker->held = mailbox;
}

/* Moves what is in the queue of a mailbox that the worker holds to the end of the run queue; whether there was anything. */
static bool take_queue(struct worker *worker, struct mailbox *mailbox) {
    if (queue_count(&mailbox->queue) == 0)
        return false;
    struct block_queue taken;
    taken.first = taken.last = block_take(&worker->pool); /* what stays behind */
    spinlock_acquire(&mailbox->lock);
    (void)block_queue_transfer(&mailbox->queue.block, &taken);
    spinlock_release(&mailbox->lock);
    struct block *first = taken.first;
    if (first->count == 0 && first != taken.last) {
        taken.first = first->next;
        block_give(&worker->pool, first);
    }
    run_queue_append_blocks(&worker->runs, taken.first, taken.last);
    return true;
}

/* A mailbox of the range that has messages, and that the worker can hold but does not. */
static bool is_new(const struct worker *worker, const struct mailbox *mailbox) {
    return mailbox_count(mailbox) != 0 && hold_holder(mailbox) != worker && !turn_is_processed(mailbox_turn(mailbox));
}

unsigned hold_collect(struct worker *worker) {
    mailbox_slot *slots = &executor.slots[worker->first_slot];
    bool sorted = false;
    for (unsigned i = 0; i < worker->slot_count; i++) {
        struct mailbox *mailbox = slot_mailbox(&slots[i]);
        if (likely(!is_new(worker, mailbox)))
            continue;
        if (!sorted)
            sort_out(worker);
        sorted = true;
        hold_mailbox(worker, mailbox);
    }
    unsigned collected = 0;
    for (struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next)
        collected += take_queue(worker, mailbox);
    return collected;
}

/* ---- Letting go --------------------------------------------------------------------------------------------------- */

/* Marks which mailboxes leave; whether any does. */
static bool mark(struct worker *worker, enum leaving which) {
    for (struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next)
        mailbox->held.leaves = true;
    for (unsigned i = 0; which == LEAVE_STOLEN && i < worker->slot_count; i++) {
        struct mailbox *mailbox = slot_mailbox(&executor.slots[worker->first_slot + i]);
        if (hold_holder(mailbox) == worker)
            mailbox->held.leaves = false;
    }
    bool any = false;
    for (struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next)
        any = any || mailbox->held.leaves;
    return any;
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
    held_init(held);
    atomic_store_relaxed(&mailbox->holder, NO_HOLDER); /* relaxed: see hold_holder */
    mailbox_release(mailbox);                          /* from here on it may be another worker's */
    sleep_wake_owner(sleeper);
}

void hold_leave(struct worker *worker, enum leaving which) {
    bool any = mark(worker, which);
    sort_out(worker);
    if (!any)
        return;
    for (PLAIN(struct mailbox *) *link = &worker->held; *link != NULL;) {
        struct mailbox *mailbox = *link;
        if (!mailbox->held.leaves) {
            link = &mailbox->held.next;
            continue;
        }
        *link = mailbox->held.next;
        release(mailbox);
    }
}
