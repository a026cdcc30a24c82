/* The options of the message-centric design: one list, from which all that knows of options reads (core/option.h). */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_OPTIONS_H
#define ACTORBENCH_MESSAGE_CENTRIC_OPTIONS_H

#include "option.h"
#include "queue.h"

#ifndef SCANS_BEFORE_STEAL
#define SCANS_BEFORE_STEAL 2 /* the default; builds that hunt for errors steal at once */
#endif

/* Where a thief begins in its victim's range. */
enum search_start { SEARCH_FIRST, SEARCH_RANDOM };

/* How a thief goes on after attempts in vain; see steal.h. */
enum steal_backoff { BACKOFF_NONE, BACKOFF_DOUBLE };

/* clang-format off */

/* Values: by default, and under --preset thesis. */
#define MESSAGE_CENTRIC_OPTIONS(OPTION)                                                                                \
    OPTION(enum queue_kind, queue, "queue", ACTORBENCH_CHOICE, "copy|list", 0,                                         \
           "how a mailbox holds envelopes: copied, or allocated for each send", QUEUE_COPY, QUEUE_COPY)                \
    OPTION(enum reclaim_policy, reclaim, "reclaim", ACTORBENCH_CHOICE, "none|naive|half", 0,                           \
           "when a copy queue gives memory back", RECLAIM_HALF, RECLAIM_HALF)                                          \
    OPTION(unsigned, copy_queue_size, "copy-queue-size", ACTORBENCH_NUMBER, NULL, 1,                                   \
           "envelopes that a copy queue has room for at first", COPY_QUEUE_SIZE, COPY_QUEUE_SIZE)                      \
    OPTION(unsigned, copy_queue_growth, "copy-queue-growth", ACTORBENCH_NUMBER, NULL, 101,                             \
           "percent of its size that a full copy queue grows to", COPY_QUEUE_GROWTH, COPY_QUEUE_GROWTH)                \
    OPTION(unsigned, mailboxes, "mailboxes", ACTORBENCH_NUMBER, NULL, 0,                                               \
           "mailboxes of all workers; 0: as many as the next option says", 0, 0)                                       \
    OPTION(unsigned, mailboxes_per_worker, "mailboxes-per-worker", ACTORBENCH_NUMBER, NULL, 1,                         \
           "sharding; one worker has one mailbox", 16, 16)                                                             \
    OPTION(enum steal_heuristic, steal, "steal", ACTORBENCH_CHOICE, "none|random|nearest|longest", 0,                  \
           "how a thief chooses its victim", STEAL_LONGEST, STEAL_LONGEST)                                             \
    OPTION(enum search_start, search, "search", ACTORBENCH_CHOICE, "first|random", 0,                                  \
           "which of its victim's mailboxes a thief looks at first", SEARCH_FIRST, SEARCH_FIRST)                       \
    OPTION(unsigned, scans_before_steal, "scans-before-steal", ACTORBENCH_NUMBER, NULL, 1,                             \
           "scans without work before a worker tries to steal", SCANS_BEFORE_STEAL, SCANS_BEFORE_STEAL)                \
    OPTION(enum steal_backoff, steal_backoff, "steal-backoff", ACTORBENCH_CHOICE, "none|double", 0,                    \
           "whether each attempt in vain doubles the scans before the next", BACKOFF_NONE, BACKOFF_NONE)               \
    OPTION(enum idle_policy, idle, "idle", ACTORBENCH_CHOICE, "park|spin", 0,                                          \
           "what a worker without work does: sleep after a while, or never", IDLE_PARK, IDLE_SPIN)                     \
    OPTION(enum pin_plan, pin, "pin", ACTORBENCH_CHOICE, PIN_CHOICES, 0,                                               \
           "the order in which workers are bound to CPUs", PIN_NONE, PIN_NONE)                                         \
    OPTION_SEND_DELAY(OPTION, 1, 1)

/* clang-format on */

struct options {
    MESSAGE_CENTRIC_OPTIONS(OPTION_MEMBER)
};

/* The options in a configuration. */
struct options options_of(const struct actorbench_config *config);

#endif
