/* Parking: a thread sleeps in the kernel until a word changes (Linux futex(2)).
 *
 * Protocol of use. The sleeper stores `expected` in the word, looks once more for what it waits for, and calls
 * parking_wait; the waker makes what is waited for visible, changes the word, and calls parking_wake. The kernel
 * compares the word with `expected` under its own lock, so a wake between the look and the wait is not lost.
 */
#ifndef ACTORBENCH_PLATFORM_PARKING_H
#define ACTORBENCH_PLATFORM_PARKING_H

#include <stdint.h>

#include "atomic.h"

#define PARKING_NO_TIMEOUT 0

/* Sleeps while *word == expected, at most `timeout_ns` nanoseconds (PARKING_NO_TIMEOUT: without end). May return
 * early for no reason: look again. */
void parking_wait(ATOMIC(uint32_t) *word, uint32_t expected, uint64_t timeout_ns);

/* Wakes every thread that sleeps on the word. */
void parking_wake(ATOMIC(uint32_t) *word);

#endif
