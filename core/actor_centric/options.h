/* The options of the actor-centric design, as the runtime reads them. */
#ifndef ACTORBENCH_ACTOR_CENTRIC_OPTIONS_H
#define ACTORBENCH_ACTOR_CENTRIC_OPTIONS_H

#include "executor.h"
#include "platform/topology.h"

enum mailbox_kind { MAILBOX_SWAP, MAILBOX_STACK, MAILBOX_CHUNK };
enum link_order { LINK_RELEASE, LINK_ORDERED };
enum ready_kind { READY_GLOBAL, READY_FIFO, READY_DEQUE, READY_LQOQ };
enum placement { PLACE_ROUND_ROBIN, PLACE_SENDER, PLACE_HOME, PLACE_HOME_ANYWHERE };
enum steal_heuristic { STEAL_NONE, STEAL_RANDOM, STEAL_NEAREST };
enum loot_rule { LOOT_WAITING, LOOT_ANY };
enum idle_policy { IDLE_PARK, IDLE_SPIN };

struct actor_centric_options {
    enum mailbox_kind mailbox;
    enum link_order link;
    enum ready_kind ready;
    enum placement placement;
    unsigned dispatch; /* messages an actor runs before it yields; 0: no limit */
    enum steal_heuristic steal;
    enum loot_rule loot;
    enum idle_policy idle;
    enum pin_plan pin;
    unsigned send_delay; /* picoseconds a send; see platform/delay.h */
};

/* The options in a configuration made by executor_set_option. */
struct actor_centric_options actor_centric_options(const struct executor_config *config);

#endif
