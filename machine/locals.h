/* Thread-local variables for threads that are contexts on one kernel thread: those of the program itself, not of its
 * libraries, are exchanged at each switch. */
#ifndef ACTORBENCH_MACHINE_LOCALS_H
#define ACTORBENCH_MACHINE_LOCALS_H

#include <stddef.h>

/* Bytes of a thread's variables, and where those of the thread that runs are. */
size_t locals_bytes(void);
void *locals_here(void);

/* Fills so many zeroed bytes with a new thread's variables, as the linker initialised them. */
void locals_begin(void *locals);

/* Keeps the variables' values in `before`, and gives them those in `after`. */
void locals_change(void *before, const void *after);

#endif
