/* Storage of actors and messages: where actorbench_actor_new and actorbench_message_new take it, and ACTORBENCH_DELETE gives it
 * back. Every design defines the two functions. It is malloc(3)'s, whatever the design: a program may give it to free(3). */
#ifndef ACTORBENCH_STORAGE_H
#define ACTORBENCH_STORAGE_H

#include <stddef.h>

/* A zeroed block of `size` bytes, aligned to `alignment`; `what` names it if memory is out, which stops the program. */
void *storage_take(size_t size, size_t alignment, const char *what);

/* Gives back a block of at least `size` bytes, from whatever thread it came. */
void storage_give(void *block, size_t size);

#endif
