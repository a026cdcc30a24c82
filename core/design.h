/* What a design gives to the executor (executor.c), which keeps the life of a round: start, wait, stop. All functions but
 * design_work are for the thread that starts and stops it. */
#ifndef ACTORBENCH_DESIGN_H
#define ACTORBENCH_DESIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "executor.h"
#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/topology.h"

struct layer;

/* What the executor keeps for the design. */
struct executor_round {
    CACHE_ALIGNED bool running;
    const char *note;          /* as actorbench_note() */
    const struct layer *layer; /* or NULL; see layer.h */
    CACHE_ALIGNED ATOMIC(uint32_t) stopping;
    CACHE_ALIGNED ATOMIC(uint64_t) outside_sends; /* by threads that are no workers; statistics builds only */
};

extern struct executor_round executor_round;

/* Reads the configuration and checks what its options ask for together, when the crew has been made. NULL, or one line that
 * says what is wrong; then there is nothing to release. Sets executor_round.note. */
const char *design_prepare(const struct actorbench_config *config);

/* What --pin asks for; before all others. */
enum pin_plan design_pin(const struct actorbench_config *config);

/* Makes the workers, crew.count of them. */
void design_make(uint64_t seed);

/* A worker's life, in its thread: until executor_round.stopping, and there is nothing left to do. */
void design_work(unsigned index);

/* Wakes a worker, should it sleep, after executor_round.stopping has been set. */
void design_wake(unsigned worker);

/* Wakes a worker that sleeps, the first one from `first` on, if any does. From any thread. */
void design_wake_any(unsigned first);

/* Stops a checked build if there is a message that nobody received. */
void design_check_left(void);

/* The counters of a worker that has ended. */
const struct actorbench_statistics *design_statistics(unsigned worker);

/* Frees all that design_prepare and design_make took. */
void design_release(void);

#endif
