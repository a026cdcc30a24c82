/* Sleeping, as core/sharded/sleep.h has it: a worker's messages are all in its mailboxes' queues. */
#include "crew.h"
#include "state.h"

static inline bool nothing_elsewhere(const struct worker *worker) {
    (void)worker;
    return true;
}

#include "sharded/sleep_body.h"
