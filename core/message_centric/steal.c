/* One attempt to steal; the rules are in steal.h. */
#include "steal.h"

#include "platform/clock.h"
#include "sleep.h"
#include "stats.h"
#include "victim.h"

/* The next slot of the thief's range that holds an empty mailbox, or NULL if work has come in the meantime. The search
 * goes on where the last one ended, so that the same mailbox is not given away again and again. */
static mailbox_slot *slot_to_give(struct worker *thief) {
    for (unsigned i = 0; i < thief->slot_count; i++) {
        mailbox_slot *slot = &executor.slots[thief->first_slot + thief->give_slot];
        thief->give_slot = (thief->give_slot + 1) % thief->slot_count;
        if (mailbox_count(slot_mailbox(slot)) == 0)
            return slot;
    }
    return NULL;
}

static bool is_candidate(const struct mailbox *mailbox) {
    return mailbox != NULL && mailbox_count(mailbox) != 0 && !mailbox_is_processed(mailbox);
}

/* Whether messages of so much work are worth the way to another worker. */
static bool pays(uint32_t work_ns) {
    return work_ns != UNKNOWN_NS && (uint64_t)work_ns * executor.worker_count >= CROSSING_NS;
}

/* Whether a victim's mailbox is known to be worth it, by its own last gulp, its owner's or the thief's. */
static bool is_worthwhile(const struct worker *thief, const struct worker *victim, const struct mailbox *mailbox) {
    uint32_t work_ns = atomic_load_relaxed(&mailbox->message_ns); /* all three are hints */
    if (work_ns == UNKNOWN_NS)
        work_ns = atomic_load_relaxed(&victim->message_ns);
    if (work_ns == UNKNOWN_NS)
        work_ns = atomic_load_relaxed(&thief->message_ns);
    return pays(work_ns);
}

/* Whether the rule for loot allows to take a candidate now. */
static bool is_loot(struct worker *thief, const struct mailbox *mailbox) {
    if (executor.options.loot == LOOT_ANY)
        return true;
    uint32_t gulps = atomic_load_relaxed(&mailbox->gulps); /* a hint */
    uint64_t now = clock_monotonic_ns();
    if (mailbox != thief->suspect || gulps != thief->suspect_gulps) {
        thief->suspect = mailbox;
        thief->suspect_gulps = gulps;
        thief->suspect_since = now;
        return false;
    }
    return executor.options.loot == LOOT_WAITING || is_worthwhile(thief, thief->suspect_victim, mailbox) ||
           now - thief->suspect_since >= LONG_WAIT_NS;
}

static void swap(struct worker *thief, struct worker *victim, mailbox_slot *theirs, struct mailbox *loot) {
    mailbox_slot *own = slot_to_give(thief);
    if (own == NULL)
        return;
    if (!slots_swap(own, slot_mailbox(own), theirs, loot)) {
        count_statistic(&thief->statistics, steal_failed_swap, 1);
        return;
    }
    sleep_wake_robbed(victim);
    count_statistic(&thief->statistics, steals, 1);
    count_statistic(&thief->statistics, messages_stolen, mailbox_count(loot));
}

void steal_attempt(struct worker *thief) {
    /* Relaxed: only the longest-victim heuristic reads it, as a hint. */
    atomic_store_relaxed(&thief->stamp, clock_cycles());
    count_statistic(&thief->statistics, steal_attempts, 1);

    struct worker *victim = thief->suspect != NULL ? thief->suspect_victim : victim_choose(thief);
    unsigned start = thief->suspect != NULL ? thief->suspect_slot : random_below(&thief->random, victim->slot_count);
    for (unsigned i = 0; i < victim->slot_count; i++) {
        unsigned slot = (start + i) % victim->slot_count;
        mailbox_slot *theirs = &executor.slots[victim->first_slot + slot];
        struct mailbox *mailbox = slot_mailbox(theirs);
        if (!is_candidate(mailbox))
            continue;
        thief->suspect_victim = victim;
        thief->suspect_slot = slot;
        if (is_loot(thief, mailbox)) {
            thief->suspect = NULL;
            swap(thief, victim, theirs, mailbox);
        }
        return;
    }
    thief->suspect = NULL;
    count_statistic(&thief->statistics, steal_no_candidate, 1);
}

void steal_invite(struct worker *busy) {
    const struct message_centric_options *options = &executor.options;
    if (options->steal == STEAL_NONE)
        return;
    if (options->loot != LOOT_WORTHWHILE || pays(atomic_load_relaxed(&busy->message_ns)))
        sleep_wake_one(busy);
}
