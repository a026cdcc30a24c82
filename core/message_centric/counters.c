/* What the message-centric design counts. */
#include "stats.h"

const struct actorbench_counter actorbench_counters[] = {
    COUNTER(actors_created),
    COUNTER(messages_sent),
    COUNTER(messages_received),
    COUNTER(lock_waits),
    COUNTER(lock_wait_ns),
    COUNTER(gulps),
    MEAN(mean_gulp_size, messages_received, gulps),
    COUNTER(missed_gulps),
    COUNTER(steal_attempts),
    COUNTER(steal_no_candidate),
    COUNTER(steal_failed_swap),
    THEFT_COUNTER(steals),
    THEFT_COUNTER(messages_stolen),
    THEFT_MEAN(mean_steal_size, messages_stolen, steals),
    {0},
};
