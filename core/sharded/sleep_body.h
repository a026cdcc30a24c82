/* Sleeping and waking; the reasoning is in sleep.h. Included by a file of a design's, after
 *
 *     void mailbox_set_sleeper(struct mailbox *, uint32_t worker)      step 3, under the lock
 *     bool nothing_elsewhere(struct worker *)                          the end of step 3
 */
#include "design.h"
#include "platform/parking.h"
#include "sleep.h"

/* Steps 2 and 3. False if there is a reason to stay awake. */
static bool prepare(struct worker *worker) {
    if (atomic_load_seq_cst(&executor_round.stopping)) /* pairs with the store in executor_stop */
        return false;
    mailbox_slot *slots = sharding_slots(worker->index);
    for (unsigned i = 0; i < sharding_share(worker->index); i++) {
        struct mailbox *mailbox = slot_mailbox(&slots[i]);
        spinlock_acquire(&mailbox->lock);
        /* Sequentially consistent: pairs with the swap, (b) in sleep.h. */
        bool quiet = atomic_load_seq_cst(&slots[i]) == mailbox && mailbox_count(mailbox) == 0;
        if (quiet)
            mailbox_set_sleeper(mailbox, worker->index);
        spinlock_release(&mailbox->lock);
        if (!quiet)
            return false;
    }
    return nothing_elsewhere(worker);
}

void sleep_worker(struct worker *worker) {
    atomic_store_seq_cst(&worker->sleeping, ASLEEP); /* pairs with the load in sleep_wake_swapped */
    if (prepare(worker)) {
        uint64_t timeout = executor.options.steal == STEAL_NONE ? PARKING_NO_TIMEOUT : LOOT_CHECK_NS;
        atomic_fetch_add_relaxed(&sharding.sleepers, 1);
        parking_wait(&worker->sleeping, ASLEEP, timeout);
        atomic_fetch_sub_relaxed(&sharding.sleepers, 1);
    }
    atomic_store_relaxed(&worker->sleeping, AWAKE); /* relaxed: a wake that comes too late is only superfluous */
}

void sleep_wake(struct worker *worker) {
    /* Sequentially consistent: for executor_stop, whose store of `stopping` must come before. */
    if (atomic_exchange_seq_cst(&worker->sleeping, AWAKE) == ASLEEP)
        parking_wake(&worker->sleeping);
}

void sleep_wake_one(struct worker *caller) {
    if (likely(atomic_load_relaxed(&sharding.sleepers) == 0)) /* a hint, like all here */
        return;
    unsigned start = random_below(&caller->random, crew.count);
    for (unsigned i = 0; i < crew.count; i++) {
        struct worker *other = &executor.workers[(start + i) % crew.count];
        if (other != caller && atomic_load_relaxed(&other->sleeping) == ASLEEP) {
            sleep_wake(other);
            return;
        }
    }
}
