/* What threads do to lines of memory: how often a line changes hands, as between the caches of processors.
 *
 * A thread that writes to a line holds it alone; one that reads it holds it beside the others. A line changes hands when a
 * thread writes to it that others hold, or reads it, not holding it, after it was written to. Caches are without end, and a
 * thread stays on its processor.
 *
 * Only what checker.h sees counts, that is atomic operations: not the messages, the actors and what else is plain memory.
 */
#ifndef ACTORBENCH_TESTS_EXPLORER_LINES_H
#define ACTORBENCH_TESTS_EXPLORER_LINES_H

#include <stdint.h>

#include "checker.h"

struct line_counts {
    uint64_t loads, stores, locked;
    uint64_t transfers;
};

/* Counts an access of a thread, under 32. */
void lines_touch(struct line_counts *counts, unsigned thread, enum touch touch, const volatile void *object);

#endif
