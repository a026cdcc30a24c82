/* The options of the actor-centric design: one list, from which all that knows of options reads (core/option.h). */
#ifndef ACTORBENCH_ACTOR_CENTRIC_OPTIONS_H
#define ACTORBENCH_ACTOR_CENTRIC_OPTIONS_H

#include "option.h"

enum mailbox_kind { MAILBOX_SWAP, MAILBOX_STACK, MAILBOX_CHUNK, MAILBOX_LOCKED };
enum link_order { LINK_RELEASE, LINK_ORDERED };
enum ready_kind { READY_GLOBAL, READY_FIFO, READY_DEQUE, READY_LQOQ };
enum placement { PLACE_ROUND_ROBIN, PLACE_SENDER, PLACE_HOME, PLACE_HOME_ANYWHERE };
enum spawn_rule { SPAWN_ROUND_ROBIN, SPAWN_PARENT };
enum loot_rule { LOOT_WAITING, LOOT_ANY };

/* What --clusters may be but a number. */
#define CLUSTERS_PACKAGE ACTORBENCH_WORD(0)
#define CLUSTERS_NUMA    ACTORBENCH_WORD(1)

/* clang-format off */

/* Values: by default, and under --preset caf, caf-locality, react, scalaz. */
#define ACTOR_CENTRIC_OPTIONS(OPTION)                                                                                  \
    OPTION(enum mailbox_kind, mailbox, "mailbox", ACTORBENCH_CHOICE, "swap|stack|chunk|locked", 0,                     \
           "an actor's mailbox: last pointer swapped, stack reversed, array by array, stack under a lock",             \
           MAILBOX_SWAP, MAILBOX_STACK, MAILBOX_STACK, MAILBOX_SWAP, MAILBOX_SWAP)                                     \
    OPTION(enum link_order, link, "link", ACTORBENCH_CHOICE, "release|ordered", 0,                                     \
           "the order of a swap mailbox's link: after what was written before, or fully ordered",                      \
           LINK_RELEASE, LINK_RELEASE, LINK_RELEASE, LINK_RELEASE, LINK_RELEASE)                                       \
    OPTION(enum ready_kind, ready, "ready", ACTORBENCH_CHOICE, "global|fifo|deque|lqoq", 0,                            \
           "where ready actors wait: one queue, one a worker, one to be stolen from, or two that change roles",        \
           READY_DEQUE, READY_DEQUE, READY_DEQUE, READY_LQOQ, READY_GLOBAL)                                            \
    OPTION(enum placement, placement, "placement", ACTORBENCH_CHOICE, "round-robin|sender|home|home-anywhere", 0,      \
           "which worker runs a woken actor: the next, its sender's, or its home's",                                   \
           PLACE_SENDER, PLACE_SENDER, PLACE_HOME, PLACE_SENDER, PLACE_SENDER)                                         \
    OPTION(enum spawn_rule, spawn, "spawn", ACTORBENCH_CHOICE, "round-robin|parent", 0,                                \
           "to which worker a new actor is dealt: the next, or its parent's",                                          \
           SPAWN_ROUND_ROBIN, SPAWN_PARENT, SPAWN_PARENT, SPAWN_ROUND_ROBIN, SPAWN_ROUND_ROBIN)                        \
    OPTION(unsigned, dispatch, "dispatch", ACTORBENCH_NUMBER, NULL, 0,                                                 \
           "messages an actor runs before it yields; 0: no limit, so that others may wait for ever",                   \
           1024, 0, 0, 0, 1024)                                                                                        \
    OPTION(enum steal_heuristic, steal, "steal", ACTORBENCH_CHOICE, "none|random|nearest", 0,                          \
           "how a thief chooses its victim",                                                                           \
           STEAL_RANDOM, STEAL_RANDOM, STEAL_NEAREST, STEAL_RANDOM, STEAL_RANDOM)                                      \
    OPTION(enum loot_rule, loot, "loot", ACTORBENCH_CHOICE, "waiting|any", 0,                                          \
           "what a thief takes: what waits, or anything",                                                              \
           LOOT_WAITING, LOOT_ANY, LOOT_ANY, LOOT_ANY, LOOT_WAITING)                                                   \
    OPTION(enum idle_policy, idle, "idle", ACTORBENCH_CHOICE, "park|spin", 0,                                          \
           "what a worker without work does: sleep after a while, or never",                                           \
           IDLE_PARK, IDLE_PARK, IDLE_PARK, IDLE_PARK, IDLE_PARK)                                                      \
    OPTION(enum pin_plan, pin, "pin", ACTORBENCH_CHOICE, PIN_CHOICES, 0,                                               \
           "the order in which workers are bound to CPUs",                                                             \
           PIN_NONE, PIN_NONE, PIN_NONE, PIN_NONE, PIN_NONE)                                                           \
    OPTION(unsigned, clusters, "clusters", ACTORBENCH_NUMBER, "package|numa", 1,                                       \
           "groups of workers that schedule their own actors: so many, or one a package or NUMA node",                 \
           1, 1, 1, 1, 1)                                                                                              \
    OPTION_SEND_DELAY(OPTION, 1, 1, 1, 1, 1)

/* clang-format on */

struct options {
    ACTOR_CENTRIC_OPTIONS(OPTION_MEMBER)
};

/* The options in a configuration. */
struct options options_of(const struct actorbench_config *config);

#endif
