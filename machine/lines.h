/* The directory of lines: who has each, and what it costs to get it.
 *
 * A line is with one owner, who may write it, or with any number of cores that share it, or with nobody: then it is in an
 * L3 cache or in memory (MESI). It is busy while it changes hands, and who wants it then waits: so a line that many
 * want is had by one after the other.
 *
 * A core's own caches hold what the directory says that it has; what they must drop goes to the L3, which keeps what the
 * L2s have dropped.
 */
#ifndef ACTORBENCH_MACHINE_LINES_H
#define ACTORBENCH_MACHINE_LINES_H

#include "core.h"

enum access { LOAD, STORE, ATOMIC_LOAD, ATOMIC_CHANGE };

/* Once, when layout and cores are made. */
void lines_make(const struct description *description);

/* The running thread's access to a byte of a line that its core is not known to have in its first cache with the right to do
 * that. */
void lines_access(uint32_t line, unsigned offset, enum access access, uint32_t code);

/* Whether the running thread may access a line since it has just come: whoever wants it next must ask for it, which takes as
 * long as half of a transfer. So several loads find a line as it came, and who gets a lock may use what lies beside it. */
static inline bool stays(uint32_t line, enum access access) {
    return line == self->arrived && self->clock <= self->stays_until &&
           (self->arrived_to_write || access == LOAD || access == ATOMIC_LOAD);
}

/* Waits until the stores of the running thread are done. */
static inline void lines_drain(void) {
    if (self->clock < self->drained)
        self->clock = self->drained;
}

/* Wishes the pages that lie whole or in part in this room to be on a node, until they are touched first. */
void lines_place(uint64_t address, uint64_t bytes, int node);

/* Forgets the pages in this room: the next touch is the first. */
void lines_forget(uint64_t address, uint64_t bytes);

/* How many pages there were at most. */
uint64_t lines_most_pages(void);

#endif
