/* Adding up the workers' counters. */
#include "stats.h"

#include <string.h>

static struct executor_statistics total;

void stats_reset(void) {
    memset(&total, 0, sizeof total);
}

void stats_collect(const struct executor_statistics *worker) {
    total.actors_created += worker->actors_created;
    total.messages_sent += worker->messages_sent;
    total.messages_received += worker->messages_received;
    total.gulps += worker->gulps;
    total.missed_gulps += worker->missed_gulps;
    total.steal_attempts += worker->steal_attempts;
    total.steal_no_candidate += worker->steal_no_candidate;
    total.steal_failed_swap += worker->steal_failed_swap;
    total.steals += worker->steals;
    total.messages_stolen += worker->messages_stolen;
}

bool executor_last_statistics(struct executor_statistics *statistics) {
    *statistics = total;
    return STATISTICS_BUILD;
}
