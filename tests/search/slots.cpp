/* The swap of slots, by thieves at once: every mailbox is in exactly one slot at the end, a swap that failed has
 * changed nothing, and the thesis' guarantees hold: of M thieves of one mailbox exactly one succeeds, of a chain at
 * least one, and of a cycle perhaps none. Who finds a mailbox in a slot has seen what its former owner wrote. */
#include "search.h"

#include "sharded/slots.h"

struct mailbox {
    char address;
};

/* Slot i belongs to worker i, and holds mailbox i at first. Mailboxes are compared, not looked into. */
enum { SLOTS = 4 };

struct note {
    search::plain<unsigned> owner; /* who had mailbox i in its slot before the swap: written by it, with no lock */
};

static struct {
    mailbox_slot *slots;
    struct mailbox *mailboxes; /* an address a slot */
    struct note *notes;
} row;

template <typename derived, int thieves> struct thefts : search::scenario<derived, thieves> {
    bool succeeded[thieves];

    void prepare() {
        row.slots = search::zeroed<mailbox_slot>(SLOTS);
        row.mailboxes = search::zeroed<struct mailbox>(SLOTS);
        row.notes = search::zeroed<struct note>(SLOTS);
        for (unsigned i = 0; i < SLOTS; i++)
            atomic_initialise(&row.slots[i], &row.mailboxes[i]);
    }

    /* Worker `thief` tries to get what is in another's slot, as `take` does in a steal.c. */
    void steal(unsigned thief, unsigned victim) {
        succeeded[thief] = false;
        struct mailbox *loot = slot_mailbox(&row.slots[victim]);
        if (loot == NULL)
            return; /* a swap is under way */
        struct mailbox *mine = slot_mailbox(&row.slots[thief]);
        ALWAYS(mine != NULL);
        if (mine == &row.mailboxes[thief])
            row.notes[thief].owner = thief + 1;
        succeeded[thief] = slots_swap(&row.slots[thief], mine, &row.slots[victim], loot);
    }

    unsigned successes() {
        unsigned count = 0;
        for (bool one : succeeded)
            count += one;
        return count;
    }

    /* Every mailbox is in one slot. */
    void finish() {
        unsigned seen[SLOTS] = {0};
        for (unsigned i = 0; i < SLOTS; i++) {
            struct mailbox *mailbox = slot_mailbox(&row.slots[i]);
            ALWAYS(mailbox != NULL);
            seen[mailbox - row.mailboxes]++;
        }
        for (unsigned count : seen)
            ALWAYS(count == 1);
        static_cast<derived *>(this)->judge();
        free(row.slots);
        free(row.mailboxes);
        free(row.notes);
    }
};

/* Two workers for the mailbox of a third. */
struct one_victim_two_thieves : thefts<one_victim_two_thieves, 2> {
    void thread(unsigned number) {
        steal(number, 3);
    }
    void judge() {
        ALWAYS(successes() >= 1);
    }
};

struct one_victim_three_thieves : thefts<one_victim_three_thieves, 3> {
    void thread(unsigned number) {
        steal(number, 3);
    }
    void judge() {
        ALWAYS(successes() >= 1);
    }
};

/* 0 steals from 1, which steals from 2 ... the last from slot 3, whose owner does not steal. */
struct chain_of_two : thefts<chain_of_two, 2> {
    void thread(unsigned number) {
        steal(number, number == 0 ? 1 : 3);
    }
    void judge() {
        ALWAYS(successes() >= 1);
    }
};

struct chain_of_three : thefts<chain_of_three, 3> {
    void thread(unsigned number) {
        steal(number, number + 1);
    }
    void judge() {
        ALWAYS(successes() >= 1);
    }
};

/* Each from the next, in a circle. */
struct cycle_of_two : thefts<cycle_of_two, 2> {
    void thread(unsigned number) {
        steal(number, 1 - number);
    }
    void judge() {
    }
};

struct cycle_of_three : thefts<cycle_of_three, 3> {
    void thread(unsigned number) {
        steal(number, (number + 1) % 3);
    }
    void judge() {
    }
};

/* A refuted claim: of a cycle at least one succeeds. */
struct cycle_has_a_winner : thefts<cycle_has_a_winner, 2> {
    void thread(unsigned number) {
        steal(number, 1 - number);
    }
    void judge() {
        ALWAYS(successes() >= 1);
    }
};

/* A thief's mailbox comes to its victim with what the thief wrote; the loot with what the victim wrote before. */
struct sight : thefts<sight, 2> {
    void thread(unsigned number) {
        if (number == 0) {
            steal(0, 1);
            return;
        }
        struct mailbox *found = slot_mailbox(&row.slots[1]);
        if (found == &row.mailboxes[0])
            ALWAYS(row.notes[0].owner == 1);
    }
    void judge() {
    }
};

/* What a thief gave away is stolen on from its victim: the second thief sees what the first wrote. */
struct sight_of_the_second : thefts<sight_of_the_second, 2> {
    void thread(unsigned number) {
        steal(number, 3);
        struct mailbox *found = slot_mailbox(&row.slots[number]);
        if (found == &row.mailboxes[1 - number])
            ALWAYS(row.notes[1 - number].owner == 2 - number);
    }
    void judge() {
    }
};

/* The same, of who looks into the second thief's slot. */
struct sight_of_a_third : thefts<sight_of_a_third, 3> {
    void thread(unsigned number) {
        if (number < 2) {
            steal(number, 3);
            return;
        }
        succeeded[2] = false;
        struct mailbox *found = slot_mailbox(&row.slots[1]);
        if (found == &row.mailboxes[0])
            ALWAYS(row.notes[0].owner == 1);
    }
    void judge() {
    }
};

SEARCHES(FULL(one_victim_two_thieves), BOUNDED(one_victim_three_thieves, 5), FULL(chain_of_two),
         BOUNDED(chain_of_three, 5), FULL(cycle_of_two), BOUNDED(cycle_of_three, 5), FULL(cycle_has_a_winner),
         FULL(sight), FULL(sight_of_the_second), FULL(sight_of_a_third))
