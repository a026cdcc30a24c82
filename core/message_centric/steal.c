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
    return mailbox != NULL && mailbox_count(mailbox) != 0 && !turn_is_processed(mailbox_turn(mailbox));
}

/* Whether messages of so much work are worth the way to another worker. */
static bool pays(uint32_t work_ns) {
    return work_ns != UNKNOWN_NS && (uint64_t)work_ns * crew.count >= CROSSING_NS;
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

static void take(struct worker *thief, struct worker *victim, mailbox_slot *theirs, struct mailbox *loot) {
    thief->suspect.mailbox = NULL;
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

/* Looks through a victim's slots, from a random start, and takes or suspects the first mailbox that fits. */
static void search(struct worker *thief, struct worker *victim) {
    mailbox_slot *slots = sharding_slots(victim->index);
    unsigned start = random_below(&thief->random, sharding.share);
    bool found = false;
    for (unsigned i = 0; i < sharding.share; i++) {
        mailbox_slot *slot = &slots[(start + i) % sharding.share];
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

    struct suspect *suspect = &thief->suspect;
    if (!suspect_waits(suspect)) {
        suspect->mailbox = NULL;
    } else if (suspect_is_loot(thief)) {
        take(thief, suspect->victim, suspect->slot, suspect->mailbox);
        return;
    }
    search(thief, victim_choose(thief, executor.options.steal));
}

void steal_invite(struct worker *busy) {
    const struct options *options = &executor.options;
    if (options->steal == STEAL_NONE)
        return;
    if (options->loot != LOOT_WORTHWHILE || pays(atomic_load_relaxed(&busy->message_ns)))
        sleep_wake_one(busy);
}
