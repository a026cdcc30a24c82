/* Sharding: mailboxes that actors share, some for each worker, and the slots that say which are whose (thesis, "Executor").
 *
 * What the designs with such mailboxes have in common is in this folder: their number and slots (here), the swap of a theft
 * (slots.h), whom a thief chooses (victim.h), and how idle workers sleep (sleep.h). The last two work on the design's own
 * struct worker, struct mailbox and `executor`, and so are included after its state.h, which says what these must have.
 */
#ifndef ACTORBENCH_SHARDED_SHARDING_H
#define ACTORBENCH_SHARDED_SHARDING_H

#include "neighbours.h"
#include "option.h"
#include "platform/cpu.h"
#include "slots.h"

/* Constant while workers run, but for what is in the slots. */
struct sharding {
    CACHE_ALIGNED unsigned mailbox_count; /* of all workers */
    unsigned share;                       /* mailboxes a worker, and slots; */
    unsigned larger;                      /* so many workers, the first, have one more */
    mailbox_slot *slots;                  /* mailbox_count of them */
    struct neighbours neighbours;         /* if thieves look near by first */
};

extern struct sharding sharding;

/* Makes the slots for crew.count workers, which steal by *steal: `mailboxes` in all, or, if that is 0, `share` for each, and one
 * for a worker alone. One worker's *steal becomes STEAL_NONE. NULL, or one line that says what is wrong; then there is nothing
 * to release. */
const char *sharding_prepare(const struct actorbench_config *config, unsigned mailboxes, unsigned share,
                             enum steal_heuristic *steal, enum pin_plan pin);

void sharding_release(void);

/* How many slots a worker has. */
static inline unsigned sharding_share(unsigned worker) {
    return sharding.share + (worker < sharding.larger);
}

/* The number, in all, of the first slot of a worker's, and of the mailbox that is in it at first. */
static inline unsigned sharding_first(unsigned worker) {
    return worker * sharding.share + (worker < sharding.larger ? worker : sharding.larger);
}

/* The first of a worker's slots. */
static inline mailbox_slot *sharding_slots(unsigned worker) {
    return &sharding.slots[sharding_first(worker)];
}

/* Whose a mailbox is at first, by its number. */
static inline unsigned sharding_owner(unsigned mailbox) {
    bool is_larger = mailbox < sharding.larger * (sharding.share + 1);
    return is_larger ? mailbox / (sharding.share + 1) : (mailbox - sharding.larger) / sharding.share;
}

#endif
