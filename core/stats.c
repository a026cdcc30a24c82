/* Adding up the workers' counters. */
#include "stats.h"

#include <string.h>

static struct actorbench_statistics total;

void stats_reset(void) {
    memset(&total, 0, sizeof total);
}

void stats_collect(const struct actorbench_statistics *worker) {
    /* Every member is a count. */
    const uint64_t *counts = (const uint64_t *)worker;
    uint64_t *sums = (uint64_t *)&total;
    for (size_t i = 0; i < sizeof total / sizeof *sums; i++)
        sums[i] += counts[i];
}

bool actorbench_last_statistics(struct actorbench_statistics *statistics) {
    *statistics = total;
    return STATISTICS_BUILD;
}
