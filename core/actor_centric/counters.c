/* What the actor-centric design counts. */
#include "stats.h"

const struct executor_counter executor_counters[] = {
    COUNTER(actors_created),
    COUNTER(messages_sent),
    COUNTER(messages_received),
    COUNTER(activations),
    MEAN(mean_dispatch_size, messages_received, activations),
    COUNTER(yields),
    COUNTER(steal_attempts),
    COUNTER(steal_no_candidate),
    THEFT_COUNTER(steals),
    THEFT_COUNTER(actors_stolen),
    THEFT_MEAN(mean_steal_size, actors_stolen, steals),
    COUNTER(swaps),
    COUNTER(balances),
    COUNTER(home_returns),
    {0},
};
