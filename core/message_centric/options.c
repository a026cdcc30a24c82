/* The message-centric design's options: one table, which the command line, the record and the runtime read. */
#include "options.h"

#include "platform/delay.h"

const char executor_design[] = "message-centric";

enum {
    OPTION_QUEUE,
    OPTION_RECLAIM,
    OPTION_MAILBOXES,
    OPTION_STEAL,
    OPTION_LOOT,
    OPTION_IDLE,
    OPTION_PIN,
    OPTION_LOCAL,
    OPTION_OUTBOXES,
    OPTION_LANES,
    OPTION_DEAL,
    OPTION_CENSUS,
    OPTION_RECYCLE,
    OPTION_PREFETCH,
    OPTION_SEND_DELAY
};

const struct executor_option executor_options[] = {
    [OPTION_QUEUE] = {"queue", "copy|list|block", QUEUE_BLOCK, 0,
                      "how a mailbox holds envelopes: copied, allocated for each send, or in a chain of blocks"},
    [OPTION_RECLAIM] = {"reclaim", "none|naive|half", RECLAIM_HALF, 0, "when a copy queue gives memory back"},
    [OPTION_MAILBOXES] = {"mailboxes-per-worker", NULL, 16, 1, "sharding; one worker has one mailbox"},
    [OPTION_STEAL] = {"steal", "none|random|longest|nearest", STEAL_LONGEST, 0, "how a thief chooses its victim"},
    [OPTION_LOOT] = {"loot", "worthwhile|waiting|any", LOOT_WORTHWHILE, 0,
                     "what a thief takes: what waits and is worth the way, what waits, or anything"},
    [OPTION_IDLE] = {"idle", "park|spin", IDLE_PARK, 0,
                     "what a worker without work does: sleep after a while, or never"},
    [OPTION_PIN] = {"pin", "none|cores|smt|spread", PIN_NONE, 0, "the order in which workers are bound to CPUs"},
    [OPTION_LOCAL] = {"local", "off|on", true, 0,
                      "small work: a send to a mailbox that its worker holds goes past the mailbox's queue and lock"},
    [OPTION_OUTBOXES] = {"out-boxes", "off|on", true, 0,
                         "small work: what goes to other workers' mailboxes is collected, and appended in blocks"},
    [OPTION_LANES] = {"lanes", "off|on", true, 0,
                      "a thread that is no worker sends by a queue of its own, without the mailbox's lock"},
    [OPTION_DEAL] = {"deal", "each|near", DEAL_NEAR, 0,
                     "to which mailboxes new actors go: to each in turn, or near those that are made with them"},
    [OPTION_CENSUS] = {"census", "shared|batched", CENSUS_BATCHED, 0,
                       "whether each actor's making and end is counted at once, or by each worker for itself"},
    [OPTION_RECYCLE] = {"recycle", "off|on", true, 0,
                        "a worker keeps the storage of actors and messages that ended for those that it makes next"},
    [OPTION_PREFETCH] = {"prefetch", NULL, 0, 0,
                         "how many envelopes ahead actors are and messages are fetched into the cache; 0: not"},
#if defined(ACTORBENCH_SEND_DELAY)
    [OPTION_SEND_DELAY] = {"send-delay", NULL, 1, 1, "picoseconds added to each send, on average"},
#endif
    {0},
};

const struct executor_preset executor_presets[] = {
    {"thesis",
     "queue=copy loot=any idle=spin local=off out-boxes=off lanes=off deal=each census=shared recycle=off prefetch=0",
     "as in the thesis' system"},
    {"plain", "queue=copy local=off out-boxes=off lanes=off deal=each census=shared recycle=off prefetch=0",
     "as there, but for what thieves take and for idle workers, which sleep"},
    {0},
};

struct message_centric_options message_centric_options(const struct executor_config *config) {
    const unsigned *value = config->options;
    struct message_centric_options options = {
        .queue = (enum queue_kind)value[OPTION_QUEUE],
        .reclaim = (enum reclaim_policy)value[OPTION_RECLAIM],
        .mailboxes_per_worker = value[OPTION_MAILBOXES],
        .steal = (enum steal_heuristic)value[OPTION_STEAL],
        .loot = (enum loot_rule)value[OPTION_LOOT],
        .idle = (enum idle_policy)value[OPTION_IDLE],
        .pin = (enum pin_plan)value[OPTION_PIN],
        .local = value[OPTION_LOCAL] != 0,
        .outboxes = value[OPTION_OUTBOXES] != 0,
        .lanes = value[OPTION_LANES] != 0,
        .deal = (enum deal_policy)value[OPTION_DEAL],
        .census = (enum census_policy)value[OPTION_CENSUS],
        .recycle = value[OPTION_RECYCLE] != 0,
        .prefetch = value[OPTION_PREFETCH],
        .send_delay = SEND_DELAY_BUILD ? value[OPTION_SEND_DELAY] : 0,
    };
    return options;
}
