/* Timers: a message after a time, or again and again, until it is cancelled (React++, "The Messaging Layer": alarms).
 *
 *     struct actorbench_timers *timers = actorbench_timers_start();
 *     static struct actorbench_timer alarm;
 *     actorbench_timer_set(sleeper, timers, &alarm, &s, &wake, 5 * 1000 * 1000, 0);          once, in 5 ms
 *     ...
 *     uint64_t sent = actorbench_timer_cancel(timers, &alarm);
 *     actorbench_timers_stop(timers);
 *
 * One thread keeps the time of all timers, and sends: a thread outside, as far as the executor knows. A timer that is late, as the
 * thread was not given a CPU, sends once for each period that has passed. All functions are safe from any thread, but start and stop.
 */
#ifndef ACTORBENCH_MESSAGING_TIMER_H
#define ACTORBENCH_MESSAGING_TIMER_H

#include "../actor.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

struct actorbench_timers;

/* A timer, in storage of the program's, zeroed before it is set for the first time; it stays there until its only message has come,
 * or it is cancelled. Private. */
struct actorbench_timer {
    uint64_t due_ns, period_ns; /* of the monotonic clock */
    uint64_t sent;              /* messages, since it was set */
    size_t place;               /* in the heap, from 1; 0: it is not set */
    struct actorbench_actor *receiver;
    struct actorbench_message *message;
    actorbench_behaviour *reaction;
};

/* Starts the thread; NULL, and errno, if there is none to be had. */
struct actorbench_timers *actorbench_timers_start(void);

/* Ends it. Timers that are still set send no more. */
void actorbench_timers_stop(struct actorbench_timers *timers);

/* Sends `m` to `receiver`, whose type is A, when so many nanoseconds have passed; and then every `period_ns`, unless that is 0. The
 * receiver must not end before, and a message that is sent again and again is ACTORBENCH_NODELETE. The timer is not set already. */
#define actorbench_timer_set(A, timers, timer, receiver, m, after_ns, period_ns)              \
    actorbench_timer_begin(timers, timer, ACTORBENCH_BASE(A, receiver, actor), &(m)->message, \
                           ACTORBENCH_BEHAVIOUR(A, m), after_ns, period_ns)

/* From here on the timer sends nothing; how often it has sent. So many messages the receiver gets, or has got: it knows when it may
 * end. One that was never sent is the caller's again. */
uint64_t actorbench_timer_cancel(struct actorbench_timers *timers, struct actorbench_timer *timer);

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

void actorbench_timer_begin(struct actorbench_timers *timers, struct actorbench_timer *timer,
                            struct actorbench_actor *receiver, struct actorbench_message *message,
                            actorbench_behaviour *reaction, uint64_t after_ns, uint64_t period_ns);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
