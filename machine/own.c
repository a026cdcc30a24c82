/* The simulator's own memory, and its end. */
#include "own.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FAILED = 3 };

void own_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("simulated machine: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    _exit(FAILED);
}

static void *map(uint64_t address, uint64_t bytes, int flags) {
    void *room = mmap((void *)(uintptr_t)address, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (room == MAP_FAILED)
        own_fail("%llu MiB of addresses cannot be had: %s", (unsigned long long)(bytes >> 20), strerror(errno));
    return room;
}

void *own_room(uint64_t bytes) {
    return map(0, bytes, 0);
}

void own_room_at(uint64_t address, uint64_t bytes) {
    if (map(address, bytes, MAP_FIXED_NOREPLACE) != (void *)(uintptr_t)address)
        own_fail("the address %llx is taken", (unsigned long long)address);
}
