/* What `actorbench lines` asks for: which lines changed hands, from which place in the code to which, how often, at what
 * cost. */
#ifndef ACTORBENCH_MACHINE_HANDOVERS_H
#define ACTORBENCH_MACHINE_HANDOVERS_H

#include <stdbool.h>

#include "core.h"

/* A place in the code had made a line its core's own, and another has asked for it: to write to the byte at `offset` in it,
 * or to read that. */
struct handover {
    uint32_t from, to;
    uint8_t offset;
    bool writes;
};

/* From here on hand-overs are noted; before that none is. */
void handovers_watch(void);

extern bool handovers_watched;

void handovers_note(struct handover handover, uint32_t line, time_ps cost);

/* Writes a line for each: from, to, offset, r or w, how often, ps, of how many lines at least, the address of one of them.
 * At last, how often there was no room to note it. */
void handovers_tell(const char *path);

#endif
