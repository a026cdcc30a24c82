/* One attempt to steal; the rules are in steal.h. */
#include "steal.h"

#include "platform/clock.h"
#include "sharded/sleep.h"
#include "sharded/victim.h"
#include "stats.h"

/* The first of the thief's slots, as it scans them, that holds an empty mailbox; or NULL if work has come in the meantime. */
static mailbox_slot *slot_to_give(const struct worker *thief) {
    mailbox_slot *slots = sharding_slots(thief->index);
    unsigned share = sharding_share(thief->index);
    for (unsigned i = 0; i < share; i++) {
        mailbox_slot *slot = &slots[(thief->scan_start + i) % share];
        if (mailbox_count(slot_mailbox(slot)) == 0)
            return slot;
    }
    return NULL;
}

/* Its scans end with this slot from now on. */
static void scan_last(struct worker *thief, const mailbox_slot *slot) {
    thief->scan_start = (unsigned)(slot - sharding_slots(thief->index) + 1) % sharding_share(thief->index);
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
    scan_last(thief, own);
    sleep_wake_swapped(victim);
    victim_succeeded(thief);
    count_theft(&thief->statistics, steals, 1);
    count_theft(&thief->statistics, messages_stolen, mailbox_count(loot));
}

/* Looks through a victim's slots once, and takes the first mailbox that fits. */
static void search(struct worker *thief, struct worker *victim) {
    mailbox_slot *slots = sharding_slots(victim->index);
    unsigned share = sharding_share(victim->index);
    unsigned start = executor.options.search == SEARCH_RANDOM ? random_below(&thief->random, share) : 0;
    for (unsigned i = 0; i < share; i++) {
        mailbox_slot *slot = &slots[(start + i) % share];
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
