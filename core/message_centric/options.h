/* The options of the message-centric design, as the runtime reads them. */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_OPTIONS_H
#define ACTORBENCH_MESSAGE_CENTRIC_OPTIONS_H

#include "executor.h"
#include "platform/topology.h"
#include "queue.h"

enum steal_heuristic { STEAL_NONE, STEAL_RANDOM, STEAL_LONGEST, STEAL_NEAREST };
enum loot_rule { LOOT_WORTHWHILE, LOOT_WAITING, LOOT_ANY };
enum idle_policy { IDLE_PARK, IDLE_SPIN };
enum deal_policy { DEAL_EACH, DEAL_NEAR };
enum census_policy { CENSUS_SHARED, CENSUS_BATCHED };

struct message_centric_options {
    enum queue_kind queue;
    enum reclaim_policy reclaim;
    unsigned mailboxes_per_worker;
    enum steal_heuristic steal;
    enum loot_rule loot;
    enum idle_policy idle;
    enum pin_plan pin;
    bool local;                /* see hold.h */
    bool outboxes;             /* see outbox.h */
    bool lanes;                /* see lane.h */
    enum deal_policy deal;     /* see executor.c */
    enum census_policy census; /* see census.h */
    bool recycle;              /* see recycle.h */
    unsigned prefetch;         /* so many envelopes ahead of the one that runs; 0: none */
    unsigned send_delay;       /* picoseconds a send; see platform/delay.h */
};

/* The options in a configuration made by executor_set_option. */
struct message_centric_options message_centric_options(const struct executor_config *config);

#endif
