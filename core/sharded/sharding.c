/* Making the slots, and refusing what cannot be. */
#include "sharding.h"

#include <stdio.h>
#include <stdlib.h>

#include "crew.h"
#include "design.h"
#include "platform/memory.h"

enum { MAXIMUM_SHARE = 65536, MAXIMUM_MAILBOXES = 1 << 20 };

struct sharding sharding;

static char line[256];

/* Says why there can't be so many mailboxes in all, or NULL. */
static const char *refusal(unsigned mailboxes, enum steal_heuristic steal) {
    if (mailboxes < crew.count) {
        (void)snprintf(
            line, sizeof line,
            "%u mailboxes for %u workers are fewer mailboxes than workers: every worker needs at least one to "
            "receive anything, choose %u to %d",
            mailboxes, crew.count, crew.count, MAXIMUM_MAILBOXES);
        return line;
    }
    if (mailboxes > MAXIMUM_MAILBOXES) {
        (void)snprintf(line, sizeof line, "%u mailboxes are too many: choose %u to %d", mailboxes, crew.count,
                       MAXIMUM_MAILBOXES);
        return line;
    }
    if (steal != STEAL_NONE && crew.count > 1 && mailboxes == crew.count)
        return "stealing needs more mailboxes than workers: use --mailboxes-per-worker 2 or more, more --mailboxes, or "
               "--steal none";
    return NULL;
}

/* The same of so many for each. */
static const char *refusal_of_share(unsigned share, enum steal_heuristic steal) {
    if (share > MAXIMUM_SHARE) {
        (void)snprintf(line, sizeof line, "%u mailboxes a worker are too many: choose 1 to %d", share, MAXIMUM_SHARE);
        return line;
    }
    if (crew.count > 1 && share > MAXIMUM_MAILBOXES / crew.count) {
        (void)snprintf(line, sizeof line, "%u mailboxes for each of %u workers are too many: choose 1 to %u", share,
                       crew.count, MAXIMUM_MAILBOXES / crew.count);
        return line;
    }
    return refusal(share * crew.count, steal);
}

const char *sharding_prepare(const struct actorbench_config *config, unsigned mailboxes, unsigned share,
                             enum steal_heuristic *steal, enum pin_plan pin) {
    const char *why = mailboxes != 0 ? refusal(mailboxes, *steal) : refusal_of_share(share, *steal);
    if (why != NULL)
        return why;
    if (mailboxes == 0)
        mailboxes = crew.count == 1 ? 1 : share * crew.count;
    if (crew.count == 1) {
        if (*steal != STEAL_NONE)
            executor_round.note = "stealing is off: one worker has nobody to steal from";
        *steal = STEAL_NONE;
    }
    if (*steal == STEAL_NEAREST)
        why = neighbours_make(&sharding.neighbours, config->topology, pin, crew.count);
    if (why != NULL)
        return why;
    sharding.mailbox_count = mailboxes;
    sharding.share = mailboxes / crew.count;
    sharding.larger = mailboxes % crew.count;
    sharding.slots = memory_zeroed(sharding.mailbox_count, sizeof *sharding.slots, "the slots");
    return NULL;
}

void sharding_release(void) {
    free(sharding.slots);
    sharding.slots = NULL;
    neighbours_release(&sharding.neighbours);
}
