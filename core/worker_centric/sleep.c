/* Sleeping, as core/sharded/sleep.h has it, but that messages may also be in lanes, whose sends take no lock.
 *
 * Such a send publishes its message, then looks at the mailbox's sleeper; the worker, having made itself the sleeper, looks at
 * the lanes of its mailboxes. Between its two steps each side has a barrier (platform/asymmetric.h), so one of the two sees
 * what the other did: the worker gives up, or the send takes the lock and the sleeper out, as any append. The barrier is not
 * had where there is no lane: to make the first one, and to look for it, are both sequentially consistent. */
#include "crew.h"
#include "state.h"

/* Whether any of the worker's mailboxes has a lane. */
static bool has_lanes(const struct worker *worker) {
    mailbox_slot *slots = sharding_slots(worker->index);
    for (unsigned i = 0; i < sharding_share(worker->index); i++)
        if (lane_at_before_sleep(&slot_mailbox(&slots[i])->lanes) != NULL) /* pairs with own_lane in send.c */
            return true;
    return false;
}

static bool nothing_elsewhere(const struct worker *worker) {
    if (!has_lanes(worker))
        return true;
    asymmetric_heavy();
    mailbox_slot *slots = sharding_slots(worker->index);
    for (unsigned i = 0; i < sharding_share(worker->index); i++) {
        const ATOMIC(struct lane *) *link = &slot_mailbox(&slots[i])->lanes;
        for (const struct lane *lane; (lane = lane_at_before_sleep(link)) != NULL; link = &lane->further) /* as above */
            if (lane_count_before_sleep(lane) != 0)
                return false;
    }
    return true;
}

#include "sharded/sleep_body.h"
