/* Counts that every worker adds to without disturbing the others: one for each message queue. A queue's messages are
 * worked off by one worker at a time, in both systems, and an actor's `ticket` is the number of its queue. */
#ifndef TALLY_H
#define TALLY_H

#include <stdint.h>

#if defined(__cplusplus) || defined(__cforall)
extern "C" {
#endif

struct tally {
    uint64_t received, ended;
    uint64_t apart[6]; /* a cache line each */
};

/* One for each of the executor's queues, all zero; freed by free. */
struct tally *tally_new(void);

/* The sums; exact once the workers are gone. */
uint64_t tally_received(const struct tally *tallies);
uint64_t tally_ended(const struct tally *tallies);

#if defined(__cplusplus) || defined(__cforall)
}
#endif

#endif
