/* One attempt to steal; the rules are in steal.h. */
#include "steal.h"

#include "platform/clock.h"
#include "sharded/sleep.h"
#include "sharded/victim.h"
#include "stats.h"

/* The next slot of the thief's range that holds an empty mailbox, or NULL if work has come in the meantime. The search
 * goes on where the last one ended, so that the same mailbox is not given away again and again. */
static mailbox_slot *slot_to_give(struct worker *thief) {
    for (unsigned i = 0; i < sharding.share; i++) {
        mailbox_slot *slot = sharding_slots(thief->index) + thief->give_slot;
        thief->give_slot = (thief->give_slot + 1) % sharding.share;
        if (mailbox_count(slot_mailbox(slot)) == 0)
            return slot;
    }
    return NULL;
}

static bool is_candidate(const struct mailbox *mailbox) {
    return mailbox != NULL && mailbox_count(mailbox) != 0 && !mailbox_is_processed(mailbox);
}

static void take(struct worker *thief, struct worker *victim, mailbox_slot *theirs, struct mailbox *loot) {
    mailbox_slot *own = slot_to_give(thief);
    if (own == NULL)
        return;
    if (!slots_swap(own, slot_mailbox(own), theirs, loot)) {
        count_statistic(&thief->statistics, steal_failed_swap, 1);
        return;
    }
    sleep_wake_swapped(victim);
    victim_succeeded(thief);
    count_theft(&thief->statistics, steals, 1);
    count_theft(&thief->statistics, messages_stolen, mailbox_count(loot));
}

/* Looks through a victim's slots, from a random start, and takes the first mailbox that fits. */
static void search(struct worker *thief, struct worker *victim) {
    mailbox_slot *slots = sharding_slots(victim->index);
    unsigned start = random_below(&thief->random, sharding.share);
    for (unsigned i = 0; i < sharding.share; i++) {
        mailbox_slot *slot = &slots[(start + i) % sharding.share];
        struct mailbox *mailbox = slot_mailbox(slot);
        if (is_candidate(mailbox)) {
            take(thief, victim, slot, mailbox);
            return;
        }
    }
    count_statistic(&thief->statistics, steal_no_candidate, 1);
}

void steal_attempt(struct worker *thief) {
    /* Relaxed: only the longest-victim heuristic reads it, as a hint. */
    atomic_store_relaxed(&thief->stamp, clock_cycles());
    count_statistic(&thief->statistics, steal_attempts, 1);
    search(thief, victim_choose(thief, executor.options.steal));
}
