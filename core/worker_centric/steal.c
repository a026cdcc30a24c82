/* One attempt to steal; the rules are in steal.h. */
#include "steal.h"

#include "give.h"
#include "hold.h"
#include "pace.h"
#include "platform/clock.h"
#include "sharded/sleep.h"
#include "sharded/victim.h"
#include "stats.h"

/* The suspect, if it has begun no run since the thief has its eye on it, and that is long ago; or NULL. */
static struct worker *stuck_suspect(struct suspect *suspect) {
    struct worker *victim = suspect->victim;
    if (victim == NULL)
        return NULL;
    bool gets_on = atomic_load_relaxed(&victim->begun) != suspect->begun; /* a hint */
    bool stuck = !gets_on && clock_monotonic_ns() >= suspect->since + STUCK_NS;
    if (gets_on || stuck)
        suspect->victim = NULL;
    return stuck ? victim : NULL;
}

static void suspect(struct suspect *suspect, struct worker *victim) {
    suspect->victim = victim;
    suspect->begun = atomic_load_relaxed(&victim->begun); /* a hint */
    suspect->since = clock_monotonic_ns();
}

/* The next of the thief's slots that holds an empty mailbox, or NULL if work has come in the meantime. The search goes on
 * where the last one ended, so that the same mailbox is not given away again and again. */
static mailbox_slot *slot_to_give(struct worker *thief) {
    unsigned share = sharding_share(thief->index);
    for (unsigned i = 0; i < share; i++) {
        mailbox_slot *slot = sharding_slots(thief->index) + thief->give_slot;
        thief->give_slot = (thief->give_slot + 1) % share;
        if (mailbox_count(slot_mailbox(slot)) == 0)
            return slot;
    }
    return NULL;
}

/* What can be taken from a victim. */
struct loot {
    mailbox_slot *slot;
    struct mailbox *mailbox; /* NULL: nothing */
    bool is_all;             /* no other could be taken */
};

/* One of the victim's mailboxes that have messages and that nobody holds. */
static struct loot find_loot(struct worker *thief, const struct worker *victim) {
    mailbox_slot *slots = sharding_slots(victim->index);
    unsigned share = sharding_share(victim->index), start = random_below(&thief->random, share);
    struct loot loot = {NULL, NULL, true};
    for (unsigned i = 0; i < share && loot.is_all; i++) {
        mailbox_slot *slot = &slots[(start + i) % share];
        struct mailbox *mailbox = slot_mailbox(slot);
        if (mailbox == NULL || mailbox_holder(mailbox) != NULL || mailbox_count(mailbox) == 0)
            continue;
        if (loot.mailbox == NULL)
            loot = (struct loot){slot, mailbox, true};
        else
            loot.is_all = false;
    }
    return loot;
}

/* Takes a mailbox from a victim; false if there was none. The only one it takes from who is stuck, and if there are more then wakes another thief. */
static bool take(struct worker *thief, struct worker *victim, bool stuck) {
    struct loot loot = find_loot(thief, victim);
    if (loot.mailbox == NULL || (loot.is_all && !stuck))
        return false;
    mailbox_slot *own = slot_to_give(thief);
    if (own == NULL)
        return false;
    if (!slots_swap(own, slot_mailbox(own), loot.slot, loot.mailbox)) {
        count_statistic(&thief->statistics, steal_failed_swap, 1);
        return false;
    }
    give_tell(victim);
    count_theft(&thief->statistics, steals, 1);
    count_theft(&thief->statistics, messages_stolen, mailbox_count(loot.mailbox));
    if (stuck && !loot.is_all)
        sleep_wake_one(thief);
    return true;
}

/* Asks a victim, if there is something to ask for. */
static bool ask(struct worker *thief, struct worker *victim, bool stuck) {
    uint32_t waiting = atomic_load_relaxed(&victim->waiting); /* hints, both */
    if (waiting == 0 || (!stuck && (waiting == 1 || !pace_is_worth(waiting, atomic_load_relaxed(&victim->work_ns)))))
        return false;
    give_ask(victim, thief);
    count_statistic(&thief->statistics, asks, 1);
    return true;
}

void steal_attempt(struct worker *thief) {
    /* Relaxed: only the longest-victim heuristic reads it, as a hint. */
    atomic_store_relaxed(&thief->stamp, clock_cycles());
    count_statistic(&thief->statistics, steal_attempts, 1);
    (void)hold_leave(thief, LEAVE_ALL); /* what it gives for loot must not be held */

    struct worker *victim = stuck_suspect(&thief->suspect);
    bool stuck = victim != NULL;
    if (!stuck)
        victim = victim_choose(thief, executor.options.steal);
    bool asked = ask(thief, victim, stuck), taken = (stuck || pace_is_coarse(victim)) && take(thief, victim, stuck);
    count_statistic(&thief->statistics, steal_no_candidate, !asked && !taken);
    if (!stuck && thief->suspect.victim == NULL && atomic_load_relaxed(&victim->waiting) != 0) /* a hint: at work */
        suspect(&thief->suspect, victim);
}
