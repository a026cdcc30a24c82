/* What a send begins with, whatever the design. */
#ifndef ACTORBENCH_SEND_H
#define ACTORBENCH_SEND_H

#include "design.h"
#include "lifecycle.h"
#include "platform/delay.h"
#include "stats.h"

/* Checks and counts a send, and slows it down, each in builds that do so; elsewhere nothing. `statistics`: the calling worker's
 * counters, NULL on a thread that is no worker. `delay`: SEND_DELAY of the options. */
static inline void send_begin(struct actorbench_actor *receiver, struct actorbench_message *content,
                              struct actorbench_statistics *statistics, unsigned delay) {
    lifecycle_check_send(receiver, content);
    if (STATISTICS_BUILD && statistics != NULL)
        statistics->messages_sent++;
    else if (STATISTICS_BUILD)
        atomic_fetch_add_relaxed(&executor_round.outside_sends, 1);
    if (SEND_DELAY_BUILD)
        delay_send(delay);
}

#endif
