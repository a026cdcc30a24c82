/* Simulated addresses: the same on every host and in every run.
 *
 *     arena    one mapping at a fixed address: room for lines of the image and of thread-local variables, then stacks, then
 *              the heap
 *     image    the program's own code and data, linked at a fixed address; its lines are numbered in the arena's first part
 *     locals   thread-local variables lie where the C library puts them; each thread's have lines in the arena
 *
 * Whatever lies elsewhere belongs to libraries, and costs nothing.
 */
#ifndef ACTORBENCH_MACHINE_ADDRESSES_H
#define ACTORBENCH_MACHINE_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

#define ARENA       UINT64_C(0x100000000000)
#define ARENA_BYTES (UINT64_C(32) << 30)

enum { LINE_SHIFT = 6, LINE_BYTES = 1 << LINE_SHIFT, PAGE_SHIFT = 12, PAGE_BYTES = 1 << PAGE_SHIFT };

#define IMAGE_BYTES  (UINT64_C(64) << 20)
#define LOCALS_BYTES UINT64_C(4096) /* of a thread */
#define LOCALS_AT    IMAGE_BYTES
#define MOST_THREADS UINT64_C(1100)
#define STACKS_AT    (LOCALS_AT + (UINT64_C(8) << 20))
#define STACK_BYTES  (UINT64_C(256) << 10)
#define HEAP_AT      (UINT64_C(512) << 20)

#define ARENA_LINES ((uint32_t)(ARENA_BYTES >> LINE_SHIFT))
#define NO_LINE     UINT32_C(0) /* the image begins higher */

extern char __executable_start[], _end[];

extern struct addresses {
    uintptr_t locals;
    size_t locals_bytes;
    uint32_t locals_line; /* of the thread that runs */
} addresses;

/* The line at an address; NO_LINE for what is not simulated. */
static inline uint32_t line_at(uintptr_t address) {
    uintptr_t offset = address - ARENA;
    if (__builtin_expect(offset < ARENA_BYTES, 1))
        return (uint32_t)(offset >> LINE_SHIFT);
    offset = address - (uintptr_t)__executable_start;
    if (offset < (uintptr_t)_end - (uintptr_t)__executable_start)
        return (uint32_t)((offset >> LINE_SHIFT) + 1);
    offset = address - addresses.locals;
    if (offset < addresses.locals_bytes)
        return addresses.locals_line + (uint32_t)(offset >> LINE_SHIFT);
    return NO_LINE;
}

#endif
