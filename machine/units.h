/* The processing units, and the system that says which thread runs on which: one at a time, whose slice ends when others wait for the unit.
 * Who becomes ready goes to its own unit if it is bound or if that is idle, else to an idle one, near first.
 */
#ifndef ACTORBENCH_MACHINE_UNITS_H
#define ACTORBENCH_MACHINE_UNITS_H

#include "core.h"
#include "description.h"

struct unit {
    struct thread *running, *first, *last; /* and those that are ready */
};

extern struct unit units[MOST_UNITS];

void units_begin(const struct description *machine);

/* Whether others wait for a thread's unit. */
static inline bool units_is_wanted(const struct thread *thread) {
    return units[thread->unit].first != NULL;
}

/* Lets a thread run on an idle unit, from then on at the earliest. */
void units_run_on(unsigned unit, struct thread *thread, time_ps at);

/* A thread, which may have never run, is to go on, from then on at the earliest: on an idle unit, or when its turn comes. */
void units_make_ready(struct thread *thread, time_ps at, bool is_new);

/* Takes the caller off its unit, whose next thread runs. */
void units_leave(void);

/* The same, and it waits behind the others; or goes to another unit, if one is idle. */
void units_requeue(void);

/* Takes the caller to the unit that it has been bound to, or lets it wait for that. */
void units_move(unsigned unit);

/* The threads of a core share its issue slots: called when the number of those that run has changed. */
void units_share_core(const struct core *core);

#endif
