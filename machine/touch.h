/* An access of the running thread: next to nothing, if its core is known to have the line in its first cache. */
#ifndef ACTORBENCH_MACHINE_TOUCH_H
#define ACTORBENCH_MACHINE_TOUCH_H

#include "lines.h"
#include "threads.h"

extern time_ps touch_atomic_ps;

static inline void touch(uintptr_t address, enum access access, uint32_t code) {
    uint32_t line = line_at(address);
    uint32_t known = self->core->filter[line % FILTER], reads = access == LOAD || access == ATOMIC_LOAD;
    self->counts.accesses++;
    if (__builtin_expect((known | reads) != (line << 1 | 1), 0) && line != NO_LINE)
        lines_access(line, (unsigned)(address % LINE_BYTES), access, code);
}

static inline void touch_range(uintptr_t address, uint64_t bytes, enum access access, uint32_t code) {
    for (uintptr_t at = address & ~(uintptr_t)(LINE_BYTES - 1); at < address + bytes; at += LINE_BYTES)
        touch(at, access, code);
}

static inline void touch_atomic_load(uintptr_t address, uint32_t code) {
    self->polls++;
    if (stays(line_at(address), ATOMIC_LOAD)) {
        self->counts.accesses++;
        return;
    }
    threads_turn();
    touch(address, ATOMIC_LOAD, code);
}

/* With a lock prefix: after all stores before it, and nothing goes on before it is done. */
static inline void touch_atomic_change(uintptr_t address, uint32_t code) {
    threads_turn();
    lines_drain();
    self->counts.atomics++;
    touch(address, ATOMIC_CHANGE, code);
    self->clock += touch_atomic_ps;
}

static inline void touch_atomic_store(uintptr_t address, int order, uint32_t code) {
    if (order == __ATOMIC_SEQ_CST) {
        touch_atomic_change(address, code);
        return;
    }
    threads_turn();
    touch(address, STORE, code);
}

#endif
