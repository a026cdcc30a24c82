/* The options of the message-centric design, as the runtime reads them. */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_OPTIONS_H
#define ACTORBENCH_MESSAGE_CENTRIC_OPTIONS_H

#include "executor.h"
#include "platform/topology.h"
#include "queue.h"

enum steal_heuristic { STEAL_NONE, STEAL_RANDOM, STEAL_LONGEST, STEAL_NEAREST };
enum loot_rule { LOOT_WORTHWHILE, LOOT_WAITING, LOOT_ANY };
enum idle_policy { IDLE_PARK, IDLE_SPIN };

struct message_centric_options {
    enum queue_kind queue;
    enum reclaim_policy reclaim;
    unsigned mailboxes_per_worker;
    enum steal_heuristic steal;
    enum loot_rule loot;
    enum idle_policy idle;
    enum pin_plan pin;
    unsigned send_delay; /* picoseconds a send; see platform/delay.h */
};

/* The options in a configuration made by executor_set_option. */
struct message_centric_options message_centric_options(const struct executor_config *config);

#endif
