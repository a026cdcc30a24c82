/* Holding mailboxes and letting them go; the reasoning is in hold.h. */
#include "hold.h"

#include "crew.h"
#include "deal.h"
#include "give.h"
#include "lifecycle.h"
#include "pace.h"
#include "sharded/sleep.h"

enum { LEAST_PART = 16 }; /* of what waits, that the rest is sorted out for */

/* The mailbox of an envelope's actor. */
static inline struct mailbox *mailbox_of(struct envelope envelope) {
    lifecycle_check_delivery(envelope.actor, envelope.message);
    return deal_mailbox(envelope.actor);
}

void hold_pass_on(struct worker *worker, struct mailbox *mailbox, struct actorbench_actor *actor,
                  struct actorbench_message *message, actorbench_behaviour *reaction STAMPED(, uint64_t sent)) {
    struct envelope envelope = {actor, message, reaction STAMPED(, sent)};
    if (!executor_has(MECHANISM_OUTBOXES))
        sleep_wake_owner(mailbox_append(mailbox, &worker->pool, envelope));
    else if (unlikely(!outbox_send(&worker->outboxes, mailbox, envelope)))
        outbox_send_anyway(worker, mailbox, envelope);
}

/* ---- Sorting out, by the row: envelopes that follow each other and are for one mailbox ------------------------------ */

/* Puts a row aside for the mailbox that it goes back to. */
static void put_row_aside(struct worker *worker, struct held *held, const PLAIN(struct envelope) * row, size_t count) {
    held->count += count;
    for (size_t put; count != 0; count -= put, row += put) {
        if (held->last == NULL || block_is_full(held->last)) {
            struct block *fresh = block_take(&worker->pool);
            if (held->last == NULL)
                held->first = fresh;
            else
                held->last->next = fresh;
            held->last = fresh;
        }
        put = block_put_row(held->last, row, count);
    }
}

static void pass_row_on(struct worker *worker, struct mailbox *mailbox, const PLAIN(struct envelope) * row,
                        size_t count) {
    for (size_t passed; count != 0; count -= passed, row += passed) {
        passed = outbox_send_row(&worker->outboxes, mailbox, row, count);
        if (passed == 0) { /* no room, or no out-box */
            struct envelope envelope = *row;
            hold_pass_on(worker, mailbox, envelope.actor, envelope.message, envelope.reaction STAMPED(, envelope.sent));
            passed = 1;
        }
    }
}

/* To which of three a row of the run queue goes, if there is anything in it. */
static void sort_row(struct worker *worker, struct mailbox *mailbox, const PLAIN(struct envelope) * row, size_t count) {
    if (count == 0)
        return;
    if (mailbox_holder(mailbox) != worker)
        pass_row_on(worker, mailbox, row, count);
    else if (mailbox->held.leaves)
        put_row_aside(worker, &mailbox->held, row, count);
    else
        run_queue_append_row(&worker->runs, &worker->pool, row, count);
}

/* Goes through the run queue once: what is for mailboxes that leave is put aside, what is for others that the worker does
 * not hold is passed on, up to the mailboxes' queues. */
static void sort_out(struct worker *worker) {
    if (!run_queue_is_empty(&worker->runs)) {
        run_queue_close(&worker->runs);
        struct run_queue old = worker->runs;
        run_queue_init(&worker->runs, &worker->pool);
        /* Looked up once for many: its line may be one that another worker writes. */
        const struct actorbench_actor *last = NULL;
        struct mailbox *mailbox = NULL;
        for (struct block *block = old.first, *after; block != NULL; block = after) {
            const PLAIN(struct envelope) *row = block == old.first ? old.next : block->envelopes;
            const PLAIN(struct envelope) *end = block->envelopes + block->count, *next = row;
            for (; next != end; next++) {
                struct envelope envelope = *next;
                struct mailbox *other = envelope.actor == last ? mailbox : mailbox_of(envelope);
                last = envelope.actor;
                if (other == mailbox)
                    continue;
                sort_row(worker, mailbox, row, (size_t)(next - row));
                row = next;
                mailbox = other;
            }
            sort_row(worker, mailbox, row, (size_t)(end - row));
            after = block->next;
            block_give(&worker->pool, block);
        }
    }
    outbox_flush(worker);
}

/* ---- Taking ------------------------------------------------------------------------------------------------------- */

/* A mailbox of the range that has messages, and that the worker can hold but does not. The holder first: to count takes a lane's line from
 * who sends by it. */
static bool is_new(const struct mailbox *mailbox) {
    return mailbox_holder(mailbox) == NULL && mailbox_count(mailbox) != 0;
}

/* Puts a mailbox into the list of those that are held. */
static void keep(struct worker *worker, struct mailbox *mailbox) {
    mailbox->held.next = worker->held;
    worker->held = mailbox;
}

static void take_mailbox(struct worker *worker, struct mailbox *mailbox) {
    if (mailbox_hold(mailbox, worker))
        keep(worker, mailbox);
}

/* Moves what is in the queue of a mailbox that the worker holds to the end of the run queue; whether there was anything. */
static bool take_queue(struct worker *worker, struct mailbox *mailbox) {
    if (atomic_load_relaxed(&mailbox->queue.count) == 0) /* a hint, and what comes now is taken next time */
        return false;
    struct block *empty = block_take(&worker->pool);
    spinlock_acquire(&mailbox->lock);
    bool leaves = mailbox->queue.is_put_into;
    struct block_chain chain = block_queue_take(&mailbox->queue, leaves ? empty : NULL);
    spinlock_release(&mailbox->lock);
    if (!leaves)
        block_give(&worker->pool, empty);
    struct block *first = chain.first;
    if (first->count == 0 && first != chain.last) {
        chain.first = first->next;
        block_give(&worker->pool, first);
    }
    run_queue_append_foreign(&worker->runs, chain);
    return true;
}

/* The same with the mailbox's lanes, as much as is taken at a time. */
static void take_lanes(struct worker *worker, struct mailbox *mailbox, struct collected *collected) {
    for (struct lane *lane = lane_at(&mailbox->lanes); lane != NULL; lane = lane_at(&lane->further)) {
        uint64_t waiting = lane_count(lane);
        if (likely(waiting == 0))
            continue;
        uint64_t taken = lane_take(lane, waiting, &worker->runs, &worker->pool);
        collected->from_lanes += taken;
        collected->in_lanes += waiting - taken;
    }
}

struct collected hold_collect(struct worker *worker, enum collecting which) {
    mailbox_slot *slots = sharding_slots(worker->index);
    unsigned share = sharding_share(worker->index), slot = worker->collect_slot;
    struct collected collected = {0, 0, 0, 0};
    bool sorted = crew.count == 1; /* who is alone passes nothing on */
    unsigned taken = 0;
    for (unsigned i = 0; i < share; i++, slot = slot + 1 == share ? 0 : slot + 1) {
        struct mailbox *mailbox = slot_mailbox(&slots[slot]);
        if (likely(!is_new(mailbox)))
            continue;
        if (which == COLLECT_ONE && taken++ != 0) {
            if (collected.left == 0)
                worker->collect_slot = slot;
            collected.left += mailbox_count(mailbox);
            continue;
        }
        if (!sorted)
            sort_out(worker);
        sorted = true;
        take_mailbox(worker, mailbox);
    }
    for (struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next)
        collected.queues += take_queue(worker, mailbox);
    for (struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next)
        take_lanes(worker, mailbox, &collected);
    return collected;
}

/* ---- Borrowing ------------------------------------------------------------------------------------------------------ */

/* Whether a mailbox is in one of the worker's slots. */
static bool is_own(const struct worker *worker, const struct mailbox *mailbox) {
    mailbox_slot *slots = sharding_slots(worker->index);
    for (unsigned i = 0; i < sharding_share(worker->index); i++)
        if (slot_mailbox(&slots[i]) == mailbox)
            return true;
    return false;
}

/* Whether it takes a wake until a mailbox's worker finds what is appended. A hint. */
static bool is_asleep(const struct mailbox *mailbox) {
    uint32_t sleeper = atomic_load_relaxed(&mailbox->sleeper);
    return sleeper != NO_SLEEPER && atomic_load_relaxed(&executor.workers[sleeper].sleeping) == ASLEEP;
}

/* Whether the worker takes a mailbox for which it has so many messages, instead of handing them over; `idles`: it has nothing else
 * to do. */
static bool may_take(const struct worker *worker, const struct mailbox *mailbox, uint64_t messages, bool idles) {
    if (mailbox_holder(mailbox) != NULL || !executor_has(MECHANISM_BORROWING))
        return false;
    if (is_own(worker, mailbox))
        return true;
    uint64_t work_ns = pace_borrowed(worker);
    bool is_worth = idles && is_asleep(mailbox) ? pace_is_worth_waking(messages, work_ns)
                                                : pace_is_worth_crossing(messages, work_ns);
    return executor.options.steal != STEAL_NONE && !is_worth;
}

void hold_meet(struct worker *worker, const struct mailbox *mailbox) {
    if (pace_is_long(run_queue_length(&worker->runs)) && atomic_load_relaxed(&mailbox->queue.count) == 0 && /* a hint */
        (is_asleep(mailbox) || is_own(worker, mailbox)) && may_take(worker, mailbox, 1, false))
        give_end_run(worker);
}

/* Holds an out-box's mailbox, if nobody was faster, and puts what is in the out-box in front of the run queue, or, if that is empty,
 * behind what waits in the mailbox's queue. */
static bool take_box(struct worker *worker, struct outbox *box, bool idles) {
    struct mailbox *mailbox = box->mailbox;
    if (!mailbox_hold(mailbox, worker))
        return false;
    /* Relaxed: what came before its last holder let go of it is seen. */
    bool is_first = atomic_load_relaxed(&mailbox->queue.count) == 0;
    if (!is_first && !idles) {
        mailbox_release(mailbox);
        return false;
    }
    keep(worker, mailbox);
    worker->borrowed += box->block->count;
    if (is_first) {
        run_queue_prepend(&worker->runs, box->block);
        outbox_empty(box);
    } else {
        outbox_deliver(box);
    }
    return true;
}

void hold_end_run(struct worker *worker) {
    struct outboxes *outboxes = &worker->outboxes;
    bool idles = run_queue_is_empty(&worker->runs);
    for (; outboxes->used_count != 0; outboxes->used_count--) {
        struct outbox *box = &outboxes->boxes[outboxes->used[outboxes->used_count - 1]];
        if (!may_take(worker, box->mailbox, box->block->count, idles) || !take_box(worker, box, idles))
            outbox_deliver(box);
    }
}

/* ---- Letting go --------------------------------------------------------------------------------------------------- */

static void mark_all(struct worker *worker, bool leave) {
    for (struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next)
        mailbox->held.leaves = leave;
}

static void mark_moved(struct worker *worker) {
    mark_all(worker, true);
    mailbox_slot *slots = sharding_slots(worker->index);
    for (unsigned i = 0; i < sharding_share(worker->index); i++) {
        struct mailbox *mailbox = slot_mailbox(&slots[i]);
        if (mailbox_holder(mailbox) == worker)
            mailbox->held.leaves = false;
    }
}

/* Counts what waits for each mailbox that is held, and in all, by one of `step` messages in a block of the run queue; *leaving of these in any
 * case: what is in the run queue for others, and what waits for mailboxes that are marked. */
static uint64_t count_waiting(struct worker *worker, size_t step, uint64_t *leaving) {
    uint64_t sum = 0;
    *leaving = 0;
    for (struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next) {
        mailbox->held.waiting = mailbox_count_in_lanes(mailbox);
        sum += mailbox->held.waiting;
    }
    struct run_queue *runs = &worker->runs;
    run_queue_close(runs);
    for (const struct block *block = runs->first; block != NULL; block = block->next) {
        size_t i = block == runs->first ? (size_t)(runs->next - block->envelopes) : 0;
        for (; i < block->count; i += step) {
            struct mailbox *mailbox = mailbox_of(block->envelopes[i]);
            if (mailbox_holder(mailbox) == worker)
                mailbox->held.waiting = mailbox->held.waiting + step;
            else
                *leaving += step;
            sum += step;
        }
    }
    for (const struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next)
        if (mailbox->held.leaves)
            *leaving += mailbox->held.waiting;
    return sum;
}

/* Marks mailboxes that together have half of what waits at most, with what leaves in any case; how much that is, counted by that step. Or none,
 * if that is not worth the way, or too small a part. If one `stays`, since a behaviour of its actors runs, which is work as well: half at least,
 * if the others have so much. */
static uint64_t mark_half(struct worker *worker, size_t step, const struct mailbox *stays) {
    uint64_t marked, waiting = count_waiting(worker, step, &marked);
    for (struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next) {
        struct held *held = &mailbox->held;
        uint64_t more = held->waiting, least = stays == NULL ? marked + more : marked;
        if (held->leaves || more == 0 || mailbox == stays || least > waiting / 2)
            continue;
        held->leaves = true;
        marked += held->waiting;
    }
    if (marked == 0 || (marked >= waiting / LEAST_PART &&
                        pace_is_worth(marked, atomic_load_relaxed(&worker->work_ns)))) /* relaxed: its own */
        return marked;
    mark_moved(worker);
    return 0;
}

static bool any_leaves(const struct worker *worker) {
    for (const struct mailbox *mailbox = worker->held; mailbox != NULL; mailbox = mailbox->held.next)
        if (mailbox->held.leaves)
            return true;
    return false;
}

/* Gives what was put aside back to the mailbox, and the mailbox to whoever holds it next. */
static void release(struct mailbox *mailbox) {
    struct held *held = &mailbox->held;
    uint32_t sleeper = NO_SLEEPER;
    if (held->count != 0) {
        struct block_chain aside = {held->first, held->last, held->count};
        spinlock_acquire(&mailbox->lock);
        block_queue_prepend(&mailbox->queue, aside);
        sleeper = mailbox_take_sleeper(mailbox);
        spinlock_release(&mailbox->lock);
    }
    held_init(held);
    mailbox_release(mailbox); /* from here on it may be another worker's */
    sleep_wake_owner(sleeper);
}

bool hold_seems_divisible(struct worker *worker) {
    mark_moved(worker);
    uint64_t half = mark_half(worker, SAMPLE_STEP, NULL);
    mark_all(worker, false);
    return half != 0;
}

/* Lets go of the mailboxes that are marked. */
static void leave_marked(struct worker *worker) {
    sort_out(worker);
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

uint64_t hold_leave(struct worker *worker, enum leaving which) {
    if (worker->held == NULL)
        return 0;
    mark_moved(worker);
    if (which == LEAVE_ALL)
        mark_all(worker, true);
    uint64_t half = which == LEAVE_HALF ? mark_half(worker, 1, NULL) : 0;
    if (half != 0 || any_leaves(worker))
        leave_marked(worker);
    return half;
}

uint64_t hold_leave_midway(struct worker *worker, struct actorbench_actor *running, enum leaving which) {
    struct mailbox *stays = deal_mailbox(running);
    bool all = which == LEAVE_ALL;
    mark_moved(worker);
    if (all)
        mark_all(worker, true);
    stays->held.leaves = false;
    uint64_t leaving = 0;
    if (which == LEAVE_HALF)
        leaving = mark_half(worker, SAMPLE_STEP, stays);
    else if (count_waiting(worker, all ? 1 : SAMPLE_STEP, &leaving) > 2 * leaving && !all)
        leaving = 0;
    if (leaving != 0)
        leave_marked(worker);
    mark_all(worker, false);
    return leaving;
}
