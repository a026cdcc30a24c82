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

/* Constant while workers run, but for what is in the slots, and `sleepers`. */
struct sharding {
    unsigned share;               /* mailboxes a worker, and slots: worker i has those from i * share on */
    unsigned mailbox_count;       /* of all workers */
    mailbox_slot *slots;          /* mailbox_count of them */
    struct neighbours neighbours; /* if thieves look near by first */

    CACHE_ALIGNED ATOMIC(uint32_t) sleepers; /* how many workers sleep: a hint */
};

extern struct sharding sharding;

/* Makes the slots for crew.count workers with `share` mailboxes each, which steal by *steal; one worker has one mailbox, and
 * *steal becomes STEAL_NONE. NULL, or one line that says what is wrong; then there is nothing to release. */
const char *sharding_prepare(const struct executor_config *config, unsigned share, enum steal_heuristic *steal,
                             enum pin_plan pin);

void sharding_release(void);

/* The first of a worker's slots. */
static inline mailbox_slot *sharding_slots(unsigned worker) {
    return &sharding.slots[worker * sharding.share];
}

#endif
