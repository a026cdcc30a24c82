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

static const char *refusal(unsigned share, enum steal_heuristic steal) {
    if (share == 0)
        return "there would be fewer mailboxes than workers: every worker needs at least one to receive anything";
    if (share > MAXIMUM_SHARE) {
        (void)snprintf(line, sizeof line, "%u mailboxes a worker are too many: choose 1 to %d", share, MAXIMUM_SHARE);
        return line;
    }
    if (crew.count == 1)
        return NULL;
    if (share > MAXIMUM_MAILBOXES / crew.count) {
        (void)snprintf(line, sizeof line, "%u mailboxes for each of %u workers are too many: choose 1 to %u", share,
                       crew.count, MAXIMUM_MAILBOXES / crew.count);
        return line;
    }
    if (steal != STEAL_NONE && share == 1)
        return "stealing needs more mailboxes than workers: use --mailboxes-per-worker 2 or more, or --steal none";
    return NULL;
}

const char *sharding_prepare(const struct executor_config *config, unsigned share, enum steal_heuristic *steal,
                             enum pin_plan pin) {
    const char *why = refusal(share, *steal);
    if (why != NULL)
        return why;
    if (crew.count == 1) {
        share = 1;
        if (*steal != STEAL_NONE)
            executor_round.note = "stealing is off: one worker has nobody to steal from";
        *steal = STEAL_NONE;
    }
    if (*steal == STEAL_NEAREST)
        why = neighbours_make(&sharding.neighbours, config->topology, pin, crew.count);
    if (why != NULL)
        return why;
    sharding.share = share;
    sharding.mailbox_count = crew.count * share;
    sharding.slots = memory_zeroed(sharding.mailbox_count, sizeof *sharding.slots, "the slots");
    atomic_initialise(&sharding.sleepers, 0);
    return NULL;
}

void sharding_release(void) {
    free(sharding.slots);
    sharding.slots = NULL;
    neighbours_release(&sharding.neighbours);
}
