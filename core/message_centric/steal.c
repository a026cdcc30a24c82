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

static bool take(struct worker *thief, struct worker *victim, mailbox_slot *theirs, struct mailbox *loot) {
    mailbox_slot *own = slot_to_give(thief);
    if (own == NULL)
        return false;
    if (!slots_swap(own, slot_mailbox(own), theirs, loot)) {
        count_statistic(&thief->statistics, steal_failed_swap, 1);
        return false;
    }
    scan_last(thief, own);
    sleep_wake_swapped(victim);
    victim_succeeded(thief);
    count_theft(&thief->statistics, steals, 1);
    count_theft(&thief->statistics, messages_stolen, mailbox_count(loot));
    return true;
}

/* Looks through a victim's slots once, and takes the first mailbox that fits. */
static bool search(struct worker *thief, struct worker *victim) {
    mailbox_slot *slots = sharding_slots(victim->index);
    unsigned share = sharding_share(victim->index);
    unsigned start = executor.options.search == SEARCH_RANDOM ? random_below(&thief->random, share) : 0;
    for (unsigned i = 0; i < share; i++) {
        mailbox_slot *slot = &slots[(start + i) % share];
        struct mailbox *mailbox = slot_mailbox(slot);
        if (is_candidate(mailbox))
            return take(thief, victim, slot, mailbox);
    }
    count_statistic(&thief->statistics, steal_no_candidate, 1);
    return false;
}

bool steal_attempt(struct worker *thief) {
    /* Relaxed: only the longest-victim heuristic reads it, as a hint. */
    atomic_store_relaxed(&thief->stamp, clock_cycles());
    count_statistic(&thief->statistics, steal_attempts, 1);
    return search(thief, victim_choose(thief, executor.options.steal));
}

void steal_begin(struct worker *thief) {
    thief->steal_wait = thief->steal_left = executor.options.scans_before_steal;
    chase_begin(&thief->chase);
}

void steal_after_scan(struct worker *thief) {
    if (--thief->steal_left != 0)
        return;
    if (steal_attempt(thief))
        thief->steal_wait = executor.options.scans_before_steal;
    else if (executor.options.steal_backoff == BACKOFF_DOUBLE && thief->steal_wait < LONGEST_WAIT)
        thief->steal_wait *= 2;
    thief->steal_left = thief->steal_wait;
}

void steal_after_sleep(struct worker *thief) {
    thief->steal_wait = executor.options.scans_before_steal;
    if (thief->steal_left > thief->steal_wait)
        thief->steal_left = thief->steal_wait;
}
