/* Slots: which mailbox is whose, and the swap that a thief makes (thesis, "Queue Pointer Swap").
 *
 * There are as many slots as mailboxes; a worker owns a contiguous range of slots, and with it the mailboxes that its
 * slots point at. Senders never look at slots: they know the mailbox. The swap is not lock-free, and need not be: it
 * is allowed to fail.
 *
 * Null is a lock. A thief writes null to one of its own slots only, and only it writes to a slot that holds null. So a
 * worker never finds null in its own slots, except in the midst of its own swap.
 */
#ifndef ACTORBENCH_SHARDED_SLOTS_H
#define ACTORBENCH_SHARDED_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/atomic.h"

struct mailbox;

typedef ATOMIC(struct mailbox *) mailbox_slot;

/* The mailbox in a slot; null in another worker's slot while it swaps.
 * Acquire: pairs with the writes of slots_swap, so that whoever finds a mailbox in a slot has seen what its former
 * owners saw; sleep.h relies on it. */
static inline struct mailbox *slot_mailbox(mailbox_slot *slot) {
    return atomic_load_acquire(slot);
}

/* Exchanges `mine` (in `own`, a slot of the caller's) with `loot` (seen in `victims`, a slot of another worker). False,
 * and nothing has changed, if either slot no longer holds what it did.
 *
 * All writes are sequentially consistent: sleep.h needs the store to the victim's slot ordered before the thief's look
 * at whether the victim sleeps. */
static inline bool slots_swap(mailbox_slot *own, struct mailbox *mine, mailbox_slot *victims, struct mailbox *loot) {
    struct mailbox *expected = mine;
    if (!atomic_cas_seq_cst(own, &expected, (struct mailbox *)NULL))
        return false; /* the thief has become a victim: someone stole this mailbox */
    expected = loot;
    if (!atomic_cas_seq_cst(victims, &expected, mine)) {
        atomic_store_seq_cst(own, mine); /* ours to write, since it holds null */
        return false;
    }
    atomic_store_seq_cst(own, loot);
    return true;
}

#endif
