/* Sleeping on slots; the reasoning is in sleep.h. Included by a file of a design's, after
 *
 *     void mailbox_set_sleeper(struct mailbox *, uint32_t worker)      step 3, under the lock
 *     bool nothing_elsewhere(struct worker *)                          the end of step 3
 */
#include "sleep.h"

/* Step 3. */
static bool sleep_begin(struct worker *worker) {
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

/* What is left in a mailbox is found there by the next append, which then wakes in vain. */
static void sleep_end(const struct worker *worker) {
    (void)worker;
}

/* Anybody from anybody. */
static bool sleep_may_help(const struct worker *thief, const struct worker *busy) {
    (void)thief, (void)busy;
    return true;
}

#include "worker_sleep_body.h"
