/* Sleeping and waking; the reasoning is in sleep.h. */
#include "sleep.h"

#include "platform/parking.h"

/* Whether nothing came by a lane before the senders could see that the worker sleeps. */
static bool lanes_are_empty(struct worker *worker) {
    asymmetric_heavy();
    for (unsigned i = 0; i < worker->slot_count; i++) {
        const struct mailbox *mailbox = slot_mailbox(&executor.slots[worker->first_slot + i]);
        const struct lane *lane = atomic_load_seq_cst(&mailbox->lane); /* pairs with the claim in executor.c */
        if (lane != NULL && lane_count_before_sleep(lane) != 0)
            return false;
    }
    return true;
}

/* Steps 2 and 3. False if there is a reason to stay awake. */
static bool prepare(struct worker *worker) {
    if (atomic_load_seq_cst(&executor.stopping)) /* pairs with the store in executor_stop */
        return false;
    for (unsigned i = 0; i < worker->slot_count; i++) {
        mailbox_slot *slot = &executor.slots[worker->first_slot + i];
        struct mailbox *mailbox = slot_mailbox(slot);
        spinlock_acquire(&mailbox->lock);
        /* Sequentially consistent: pairs with the swap, (b) in sleep.h. */
        bool quiet = atomic_load_seq_cst(slot) == mailbox && mailbox_count(mailbox) == 0;
        if (quiet)
            atomic_store_seq_cst(&mailbox->sleeper,
                                 worker->index); /* pairs with the load in executor.c, post_by_lane */
        spinlock_release(&mailbox->lock);
        if (!quiet)
            return false;
    }
    return !executor.options.lanes || lanes_are_empty(worker);
}

void sleep_worker(struct worker *worker) {
    atomic_store_seq_cst(&worker->sleeping, ASLEEP); /* pairs with the load in sleep_wake_robbed */
    if (prepare(worker)) {
        uint64_t timeout = executor.options.steal == STEAL_NONE ? PARKING_NO_TIMEOUT : LOOT_CHECK_NS;
        atomic_fetch_add_relaxed(&executor.sleepers, 1);
        parking_wait(&worker->sleeping, ASLEEP, timeout);
        atomic_fetch_sub_relaxed(&executor.sleepers, 1);
    }
    atomic_store_relaxed(&worker->sleeping, AWAKE); /* relaxed: a wake that comes too late is only superfluous */
}

void sleep_wake(struct worker *worker) {
    /* Sequentially consistent: for executor_stop, whose store of `stopping` must come before. */
    if (atomic_exchange_seq_cst(&worker->sleeping, AWAKE) == ASLEEP)
        parking_wake(&worker->sleeping);
}

void sleep_wake_one(struct worker *caller) {
    if (likely(atomic_load_relaxed(&executor.sleepers) == 0)) /* a hint, like all here */
        return;
    unsigned start = random_below(&caller->random, executor.worker_count);
    for (unsigned i = 0; i < executor.worker_count; i++) {
        struct worker *other = &executor.workers[(start + i) % executor.worker_count];
        if (other != caller && atomic_load_relaxed(&other->sleeping) == ASLEEP) {
            sleep_wake(other);
            return;
        }
    }
}
