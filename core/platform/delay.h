/* A delay in the send path, for the self-test of the gate: is a send that got slower by 5 % found? Only a build with
 * ACTORBENCH_SEND_DELAY (CONFIG=slowed) has it.
 *
 * The delay of one send is less than a clock can measure. So each send owes its share, and whoever owes a burst burns
 * it at once; what the burst took too long is taken off what is owed, so that the mean is right.
 */
#ifndef ACTORBENCH_PLATFORM_DELAY_H
#define ACTORBENCH_PLATFORM_DELAY_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"

#if defined(ACTORBENCH_SEND_DELAY)
enum { SEND_DELAY_BUILD = true };
#else
enum { SEND_DELAY_BUILD = false };
#endif

enum { DELAY_BURST_NS = 1000, PS_PER_NS = 1000, MAXIMUM_DELAY_PS = 1000 * PS_PER_NS };

/* NULL if a delay of so many picoseconds a send can be had, or one line that says what can (valid until the next call). */
const char *delay_refusal(unsigned share);

/* Adds `share` to what is owed, both in picoseconds; true if that makes a burst. */
static inline bool delay_is_due(int64_t *owed, unsigned share) {
    *owed += share;
    return *owed >= (int64_t)DELAY_BURST_NS * PS_PER_NS;
}

/* Computes nothing for a burst, and takes the time that it took off what is owed. */
static inline void delay_burn(int64_t *owed) {
    uint64_t start = clock_monotonic_ns(), now;
    do
        now = clock_monotonic_ns();
    while (now - start < DELAY_BURST_NS);
    *owed -= (int64_t)(now - start) * PS_PER_NS;
}

/* For every send: adds `share` to what the calling thread owes, and burns what is due. */
static inline void delay_send(unsigned share) {
    static _Thread_local int64_t owed;
    if (delay_is_due(&owed, share))
        delay_burn(&owed);
}

#endif
