/* One attempt to steal; the rules are in steal.h. */
#include "steal.h"

#include "hold.h"
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
    return mailbox != NULL && mailbox_count(mailbox) != 0 && !turn_is_processed(mailbox_turn(mailbox));
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
    return executor.options.loot != LOOT_WORTHWHILE || pays(work_ns);
}

static void suspect(struct worker *thief, struct worker *victim, mailbox_slot *slot, struct mailbox *mailbox) {
    thief->suspect = (struct suspect){
        .mailbox = mailbox,
        .slot = slot,
        .victim = victim,
        .turn = mailbox_turn(mailbox),
        .since = clock_monotonic_ns(),
    };
}

/* Whether the suspect still is where it was, with messages that nobody gulped meanwhile. */
static bool suspect_waits(const struct suspect *suspect) {
    return suspect->mailbox != NULL && slot_mailbox(suspect->slot) == suspect->mailbox &&
           is_candidate(suspect->mailbox) && mailbox_turn(suspect->mailbox) == suspect->turn;
}

/* Whether a suspect that waits may be taken now. */
static bool suspect_is_loot(const struct worker *thief) {
    const struct suspect *suspect = &thief->suspect;
    return is_worthwhile(thief, suspect->victim, suspect->mailbox) ||
           clock_monotonic_ns() - suspect->since >= LONG_WAIT_NS;
}

/* Whether a mailbox that was stolen from under its holder is still held by it. */
static bool awaits(const struct worker *thief) {
    return thief->awaited != NULL && hold_holder(thief->awaited) == thief->awaited_from;
}

/* Tells a victim that slots of its range have changed: it may hold what was in them, or be about to; see hold.h.
 * Release: pairs with the exchange in worker.c, which then sees the new slots. An exchange, since two thieves may come. */
static void tell(struct worker *victim) {
    if (executor.options.local)
        (void)atomic_exchange_acq_rel(&victim->robbed, 1);
    sleep_wake_robbed(victim);
}

/* Takes every second mailbox that a backlogged victim holds, and tells it. False if there was none. */
static bool take_half(struct worker *thief, struct worker *victim) {
    unsigned held = 0, taken = 0;
    for (unsigned i = 0; i < victim->slot_count; i++) {
        mailbox_slot *slot = &executor.slots[victim->first_slot + i];
        struct mailbox *mailbox = slot_mailbox(slot);
        if (mailbox == NULL || hold_holder(mailbox) != victim || held++ % 2 == 0)
            continue;
        mailbox_slot *own = slot_to_give(thief);
        if (own == NULL)
            break;
        if (!slots_swap(own, slot_mailbox(own), slot, mailbox)) {
            count_statistic(&thief->statistics, steal_failed_swap, 1);
            continue;
        }
        thief->awaited = mailbox;
        taken++;
    }
    if (taken == 0)
        return false;
    thief->awaited_from = victim;
    tell(victim);
    prowl_succeeded(&thief->prowl);
    count_statistic(&thief->statistics, steals, taken);
    return true;
}

static void take(struct worker *thief, struct worker *victim, mailbox_slot *theirs, struct mailbox *loot) {
    thief->suspect.mailbox = NULL;
    mailbox_slot *own = slot_to_give(thief);
    if (own == NULL)
        return;
    if (!slots_swap(own, slot_mailbox(own), theirs, loot)) {
        count_statistic(&thief->statistics, steal_failed_swap, 1);
        return;
    }
    tell(victim);
    prowl_succeeded(&thief->prowl);
    count_statistic(&thief->statistics, steals, 1);
    count_statistic(&thief->statistics, messages_stolen, mailbox_count(loot));
}

/* Looks through a victim's slots, from a random start, and takes or suspects the first mailbox that fits. */
static void search(struct worker *thief, struct worker *victim) {
    unsigned start = random_below(&thief->random, victim->slot_count);
    bool found = false;
    for (unsigned i = 0; i < victim->slot_count; i++) {
        mailbox_slot *slot = &executor.slots[victim->first_slot + (start + i) % victim->slot_count];
        struct mailbox *mailbox = slot_mailbox(slot);
        if (!is_candidate(mailbox))
            continue;
        if (executor.options.loot == LOOT_ANY) {
            take(thief, victim, slot, mailbox);
            return;
        }
        found = true;
        bool worthwhile = is_worthwhile(thief, victim, mailbox);
        /* A suspect that is not worth it is kept, for its long wait, until a better one is found. */
        if (worthwhile || thief->suspect.mailbox == NULL)
            suspect(thief, victim, slot, mailbox);
        if (worthwhile)
            return;
    }
    if (!found)
        count_statistic(&thief->statistics, steal_no_candidate, 1);
}

void steal_attempt(struct worker *thief) {
    /* Relaxed: only the longest-victim heuristic reads it, as a hint. */
    atomic_store_relaxed(&thief->stamp, clock_cycles());
    count_statistic(&thief->statistics, steal_attempts, 1);

    if (awaits(thief))
        return;
    hold_leave(thief, LEAVE_ALL); /* what it gives away must not be held; there is nothing in it */
    thief->awaited = NULL;

    struct suspect *suspect = &thief->suspect;
    if (!suspect_waits(suspect)) {
        suspect->mailbox = NULL;
    } else if (suspect_is_loot(thief)) {
        take(thief, suspect->victim, suspect->slot, suspect->mailbox);
        return;
    }
    struct worker *victim = victim_choose(thief);
    if (atomic_load_relaxed(&victim->backlogged) && take_half(thief, victim)) /* a hint */
        return;
    search(thief, victim);
}

void steal_invite(struct worker *busy) {
    const struct message_centric_options *options = &executor.options;
    if (options->steal == STEAL_NONE)
        return;
    if (options->loot != LOOT_WORTHWHILE || pays(atomic_load_relaxed(&busy->message_ns)))
        sleep_wake_one(busy);
}
