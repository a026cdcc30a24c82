/* The actor-centric design's options: one table, which the command line, the record and the runtime read. */
#include "options.h"

#include "platform/delay.h"

const char executor_design[] = "actor-centric";

enum {
    OPTION_MAILBOX,
    OPTION_LINK,
    OPTION_READY,
    OPTION_PLACEMENT,
    OPTION_DISPATCH,
    OPTION_STEAL,
    OPTION_LOOT,
    OPTION_IDLE,
    OPTION_PIN,
    OPTION_SEND_DELAY
};

const struct executor_option executor_options[] = {
    [OPTION_MAILBOX] = {"mailbox", "swap|stack|chunk", MAILBOX_SWAP, 0,
                        "how an actor's mailbox is linked: last pointer swapped, stack reversed, array by array"},
    [OPTION_LINK] = {"link", "release|ordered", LINK_RELEASE, 0,
                     "the order of a swap mailbox's link: after what was written before, or fully ordered"},
    [OPTION_READY] =
        {"ready", "global|fifo|deque|lqoq", READY_DEQUE, 0,
         "where ready actors wait: one queue, one a worker, one to be stolen from, or two that change roles"},
    [OPTION_PLACEMENT] = {"placement", "round-robin|sender|home|home-anywhere", PLACE_SENDER, 0,
                          "which worker runs a woken actor: the next, its sender's, or its home's"},
    [OPTION_DISPATCH] = {"dispatch", NULL, 0, 0, "messages an actor runs before it yields; 0: no limit"},
    [OPTION_STEAL] = {"steal", "none|random|nearest", STEAL_RANDOM, 0, "how a thief chooses its victim"},
    [OPTION_LOOT] = {"loot", "waiting|any", LOOT_WAITING, 0, "what a thief takes: what waits, or anything"},
    [OPTION_IDLE] = {"idle", "park|spin", IDLE_PARK, 0,
                     "what a worker without work does: sleep after a while, or never"},
    [OPTION_PIN] = {"pin", "none|cores|smt|spread", PIN_NONE, 0, "the order in which workers are bound to CPUs"},
#if defined(ACTORBENCH_SEND_DELAY)
    [OPTION_SEND_DELAY] = {"send-delay", NULL, 1, 1, "picoseconds added to each send, on average"},
#endif
    {0},
};

const struct executor_preset executor_presets[] = {
    {"caf", "mailbox=stack ready=deque placement=sender steal=random loot=any", "CAF's work stealing"},
    {"caf-locality", "mailbox=stack ready=deque placement=home steal=nearest loot=any",
     "CAF's locality-guided scheduling"},
    {"react", "mailbox=swap ready=lqoq placement=sender steal=random", "React++'s two queues a worker"},
    {"scalaz", "mailbox=swap ready=global", "scalaz' actor on a pool of threads"},
    {0},
};

struct actor_centric_options actor_centric_options(const struct executor_config *config) {
    const unsigned *value = config->options;
    struct actor_centric_options options = {
        .mailbox = (enum mailbox_kind)value[OPTION_MAILBOX],
        .link = (enum link_order)value[OPTION_LINK],
        .ready = (enum ready_kind)value[OPTION_READY],
        .placement = (enum placement)value[OPTION_PLACEMENT],
        .dispatch = value[OPTION_DISPATCH],
        .steal = (enum steal_heuristic)value[OPTION_STEAL],
        .loot = (enum loot_rule)value[OPTION_LOOT],
        .idle = (enum idle_policy)value[OPTION_IDLE],
        .pin = (enum pin_plan)value[OPTION_PIN],
        .send_delay = SEND_DELAY_BUILD ? value[OPTION_SEND_DELAY] : 0,
    };
    return options;
}
