/* Thread-local variables for threads that are contexts on one kernel thread: those of the program itself, not of its
 * libraries, are exchanged at each switch. */
#ifndef ACTORBENCH_TESTS_EXPLORER_LOCALS_H
#define ACTORBENCH_TESTS_EXPLORER_LOCALS_H

/* The variables of a new thread, as the linker initialised them. Never freed. */
void *locals_new(void);

/* Keeps the variables' values in `before`, and gives them those in `after`. */
void locals_change(void *before, const void *after);

#endif
