/* What serves so many lines a second: a memory, a link between packages.
 *
 * Threads run ahead of each other between two atomic accesses, so that requests do not come in the order of their times. So what is
 * served is counted by windows of time, in whatever order it comes; who finds a window full waits for the next that has room. */
#ifndef ACTORBENCH_MACHINE_RATE_H
#define ACTORBENCH_MACHINE_RATE_H

#include <stdint.h>

#include "core.h"

enum { RATE_WINDOWS = 4096 }; /* that are remembered: who is further behind waits for no one */

struct rate {
    uint32_t room; /* lines a window */
    struct {
        uint64_t number;
        uint32_t used;
    } windows[RATE_WINDOWS];
};

/* `share`: the time that one line takes. */
void rate_make(struct rate *rate, time_ps share);

/* Takes a line's share; gives the time from which on it is served, `now` or later. */
time_ps rate_take(struct rate *rate, time_ps now);

#endif
