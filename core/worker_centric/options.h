/* The options of the worker-centric design: one list, from which all that knows of options reads (core/option.h). */
#ifndef ACTORBENCH_WORKER_CENTRIC_OPTIONS_H
#define ACTORBENCH_WORKER_CENTRIC_OPTIONS_H

#include "option.h"

/* What --without takes away: bits, in the order of its choices. */
enum mechanism {
    MECHANISM_LANES = 1,      /* lane.h */
    MECHANISM_OUTBOXES = 2,   /* outbox.h */
    MECHANISM_NEAR = 4,       /* deal.h */
    MECHANISM_RECYCLING = 8,  /* recycle.h */
    MECHANISM_BORROWING = 16, /* hold.h */
};

/* clang-format off */

/* Values: by default. */
#define WORKER_CENTRIC_OPTIONS(OPTION)                                                                                 \
    OPTION(unsigned, mailboxes, "mailboxes", ACTORBENCH_NUMBER, NULL, 0,                                               \
           "mailboxes of all workers; 0: as many as the next option says", 0)                                          \
    OPTION(unsigned, mailboxes_per_worker, "mailboxes-per-worker", ACTORBENCH_NUMBER, NULL, 1,                         \
           "sharding: what can be stolen apart; one worker has one mailbox", 16)                                       \
    OPTION(enum steal_heuristic, steal, "steal", ACTORBENCH_CHOICE, "none|random|nearest|longest", 0,                  \
           "how a thief chooses whom it asks for work", STEAL_LONGEST)                                                 \
    OPTION(enum idle_policy, idle, "idle", ACTORBENCH_CHOICE, "park|spin", 0,                                          \
           "what a worker without work does: sleep after a while, or never", IDLE_PARK)                                \
    OPTION(enum pin_plan, pin, "pin", ACTORBENCH_CHOICE, PIN_CHOICES, 0,                                               \
           "the order in which workers are bound to CPUs", PIN_NONE)                                                   \
    OPTION(unsigned, without, "without", ACTORBENCH_SET, "lanes|out-boxes|near|recycling|borrowing", 0,                \
           "takes mechanisms away, to see what each is worth: queues of threads outside, envelopes handed over in "    \
           "blocks, actors placed near their makers, storage used again, idle workers' mailboxes borrowed", 0)         \
    OPTION_SEND_DELAY(OPTION, 1)

/* clang-format on */

struct options {
    WORKER_CENTRIC_OPTIONS(OPTION_MEMBER)
};

/* The options in a configuration. */
struct options options_of(const struct actorbench_config *config);

#endif
