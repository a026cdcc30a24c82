/* Threads that make trouble: those that are paused wherever they are, and those that cannot be had. The linker (--wrap)
 * puts this before pthread_create(3) and pthread_join(3). */
#ifndef ACTORBENCH_TESTS_STRESS_THREADS_H
#define ACTORBENCH_TESTS_STRESS_THREADS_H

#include <stdint.h>

/* From now on a helper thread stops, now and then, the calling thread or one that was created, by a signal whose
 * handler sleeps: up to a millisecond as a rule, and long enough for everybody else to go to sleep now and then. System
 * calls are not restarted after it. Until the process ends. */
void threads_pause(uint64_t seed);

/* Lets the n-th creation from now on fail, counted from 1, and no other. */
void threads_fail_at(unsigned nth);

/* How many were created and not joined. */
unsigned threads_running(void);

#endif
