/* The crew: the workers' threads, whatever the workers of a design are: how many, on which CPUs, their start and end.
 *
 * All functions are for the thread that starts and stops the executor. One crew a program.
 */
#ifndef ACTORBENCH_CREW_H
#define ACTORBENCH_CREW_H

#include <pthread.h>
#include <stddef.h>

#include "executor.h"
#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/spinlock.h"
#include "platform/topology.h"

struct crew_member {
    unsigned index;
    void (*work)(unsigned index);
    pthread_t thread;
    int cpu, node;           /* where it is pinned, or -1 and ANY_NODE */
    struct lock_waits waits; /* in a build that counts; when it has ended */
};

struct crew {
    unsigned count;
    struct crew_member *members;

    CACHE_ALIGNED ATOMIC(uint32_t) sleepers; /* how many workers sleep: a hint; see worker_sleep.h */
};

extern struct crew crew;

/* Makes room for the workers that the configuration asks for, and gives each its CPU by the plan. Returns NULL, or one
 * line that says what is wrong (valid until the next call). crew_release gives back what it took, whatever it returned. */
const char *crew_make(const struct actorbench_config *config, enum pin_plan pin);

/* Starts a thread for each worker, bound to its CPU if it has one: work(its index). Returns NULL, or one line that says which
 * could not be started; then *started of them run. */
const char *crew_start(void (*work)(unsigned index), unsigned *started);

/* Waits for the end of the first `count` threads, which have been told to end. */
void crew_join(unsigned count);

/* Gives the crew's room back. */
void crew_release(void);

#endif
