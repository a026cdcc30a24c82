/* When threads go on: those that run, and those that wait until a time, the earliest first, and of several the one with the lowest number. */
#ifndef ACTORBENCH_MACHINE_DUE_H
#define ACTORBENCH_MACHINE_DUE_H

#include <stddef.h>

#include "core.h"

enum { AHEAD = 2 * 1000 }; /* by so much may a thread be ahead of the earliest */

extern struct due {
    struct thread **heap; /* from 1 on */
    unsigned count;
} due;

void due_begin(void);

/* The earliest, which stays there; NULL: nobody. */
static inline struct thread *due_first(void) {
    return due.count == 0 ? NULL : due.heap[1];
}

/* Says when a thread that is not there goes on; the running one goes no further than that without a look. */
void due_add(struct thread *thread, time_ps when);

void due_remove(struct thread *thread);

#endif
