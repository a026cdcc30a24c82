/* Freed memory: in every other schedule it is at once the next to be had of its size, whoever asks, since all threads
 * are one to malloc(3); in the others it is kept for a while, and a write to it is found out. In both it is overwritten,
 * so that who still reads it reads nonsense. */
#ifndef ACTORBENCH_TESTS_EXPLORER_FREED_H
#define ACTORBENCH_TESTS_EXPLORER_FREED_H

#include <stdbool.h>

/* For a schedule: whether freed memory is kept. */
void freed_begin(bool kept);

/* Looks at what is still kept. */
void freed_end(void);

#endif
