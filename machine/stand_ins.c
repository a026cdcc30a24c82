/* What stands in for the system and the C library, by the linker's --wrap: threads, parking, clocks, naps, memory, copying,
 * files on the machine, and what the machine says of itself. Its functions are called as those that they replace. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "heap.h"
#include "program.h"
#include "stand_ins.h"
#include "touch.h"

#define CODE ((uint32_t)(uintptr_t)__builtin_return_address(0))

static struct { time_ps clock, park, wake, barrier; } costs;

void stand_ins_make(const struct description *machine) {
    costs.clock = picoseconds(machine->clock_ns);
    costs.park = picoseconds(machine->park_ns);
    costs.wake = picoseconds(machine->wake_ns);
    costs.barrier = picoseconds(machine->barrier_ns);
}

/* ---- Threads ------------------------------------------------------------------------------------------------------ */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    (void)attributes;
    *thread = threads_start(run, argument);
    return 0;
}

int __wrap_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result) {
    void *value = threads_join((unsigned)thread);
    if (result != NULL)
        *result = value;
    return 0;
}

int __wrap_nanosleep(const struct timespec *length, struct timespec *left);
int __wrap_nanosleep(const struct timespec *length, struct timespec *left) {
    (void)left;
    threads_sleep(((time_ps)length->tv_sec * 1000000000u + (time_ps)length->tv_nsec) * 1000);
    return 0;
}

void simulated_pause(void) {
    threads_pause(false);
}

int __wrap_sched_yield(void);
int __wrap_sched_yield(void) {
    threads_pause(true);
    return 0;
}

int __wrap_sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *set);
int __wrap_sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *set) {
    (void)thread;
    for (unsigned i = 0; i < layout.units; i++)
        if (CPU_ISSET_S(i, bytes, set))
            return threads_bind((int)i) ? 0 : -1;
    errno = EINVAL;
    return -1;
}

int __wrap_sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *set) {
    (void)thread;
    CPU_ZERO_S(bytes, set);
    for (unsigned i = 0; i < layout.units; i++)
        CPU_SET_S(i, bytes, set);
    return 0;
}

/* ---- Parking, and the barrier of all threads ---------------------------------------------------------------------- */

static long wait_on(const uint32_t *word, uint32_t expected, const struct timespec *timeout, uint32_t code) {
    self->clock += costs.park;
    touch_atomic_load((uintptr_t)word, code);
    if (*word != expected) {
        errno = EAGAIN;
        return -1;
    }
    time_ps length = timeout == NULL ? 0 : ((time_ps)timeout->tv_sec * 1000000000u + (time_ps)timeout->tv_nsec) * 1000;
    threads_park(word, timeout == NULL ? NEVER : self->clock + length);
    return 0;
}

static long wake(const uint32_t *word) {
    threads_turn();
    lines_drain();
    self->clock += costs.wake;
    return threads_unpark(word);
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    long result = -1;
    if (number == SYS_futex) {
        const uint32_t *word = va_arg(arguments, const uint32_t *);
        int operation = va_arg(arguments, int);
        uint32_t value = va_arg(arguments, uint32_t);
        const struct timespec *timeout = operation == FUTEX_WAIT_PRIVATE ? va_arg(arguments, const void *) : NULL;
        result = operation == FUTEX_WAIT_PRIVATE ? wait_on(word, value, timeout, CODE) : wake(word);
    } else if (number == SYS_membarrier) {
        int command = va_arg(arguments, int);
        threads_turn();
        if (command == MEMBARRIER_CMD_PRIVATE_EXPEDITED)
            self->clock += costs.barrier;
        result = 0;
    } else {
        /* None of the machine's: what watches over a test asks the host. */
        long first = va_arg(arguments, long), second = va_arg(arguments, long), third = va_arg(arguments, long);
        result = __real_syscall(number, first, second, third);
    }
    va_end(arguments);
    return result;
}

/* ---- Clocks ------------------------------------------------------------------------------------------------------- */

enum { FIRST_SECOND = 1 }; /* zero means "never" in places */

int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
    self->clock += costs.clock;
    uint64_t ns = (clock == CLOCK_PROCESS_CPUTIME_ID ? threads_busy() : self->clock) / 1000;
    now->tv_sec = (time_t)(ns / 1000000000u) + FIRST_SECOND;
    now->tv_nsec = (long)(ns % 1000000000u);
    return 0;
}

uint64_t simulated_cycles(void) {
    self->clock += costs.clock / 2;
    return self->clock / 100; /* in tenths of a ns */
}

/* ---- Memory ------------------------------------------------------------------------------------------------------- */

void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
    return heap_take(bytes, 1, false, CODE);
}

void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : heap_take(bytes, 1, true, CODE);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return heap_take(bytes, alignment, false, CODE);
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block) {
    if (heap_has(block))
        heap_give(block, CODE);
    else
        __real_free(block); /* a library's */
}

void *__real_memcpy(void *to, const void *from, size_t bytes);

void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes) {
    if (block == NULL)
        return heap_take(bytes, 1, false, CODE);
    size_t room = heap_room(block);
    if (bytes <= room && bytes >= room / 2)
        return block;
    void *moved = heap_take(bytes, 1, false, CODE);
    if (moved == NULL)
        return NULL;
    size_t kept = bytes < room ? bytes : room;
    touch_range((uintptr_t)block, kept, LOAD, CODE);
    touch_range((uintptr_t)moved, kept, STORE, CODE);
    (void)__real_memcpy(moved, block, kept);
    heap_give(block, CODE);
    return moved;
}

/* ---- Copying: calls only; what the compiler has made moves of comes by the hooks ---------------------------------- */

void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes) {
    touch_range((uintptr_t)from, bytes, LOAD, CODE);
    touch_range((uintptr_t)to, bytes, STORE, CODE);
    return __real_memcpy(to, from, bytes);
}

void *__real_memmove(void *to, const void *from, size_t bytes);
void *__wrap_memmove(void *to, const void *from, size_t bytes);
void *__wrap_memmove(void *to, const void *from, size_t bytes) {
    touch_range((uintptr_t)from, bytes, LOAD, CODE);
    touch_range((uintptr_t)to, bytes, STORE, CODE);
    return __real_memmove(to, from, bytes);
}

void *__real_memset(void *to, int value, size_t bytes);
void *__wrap_memset(void *to, int value, size_t bytes);
void *__wrap_memset(void *to, int value, size_t bytes) {
    touch_range((uintptr_t)to, bytes, STORE, CODE);
    return __real_memset(to, value, bytes);
}

/* ---- What the machine says of itself ------------------------------------------------------------------------------ */

int __wrap_numa_available(void);
int __wrap_numa_available(void) {
    return 0;
}

int __wrap_numa_num_configured_nodes(void);
int __wrap_numa_num_configured_nodes(void) {
    return (int)layout.nodes;
}

void __wrap_numa_tonode_memory(void *start, size_t bytes, int node);
void __wrap_numa_tonode_memory(void *start, size_t bytes, int node) {
    lines_place((uintptr_t)start, bytes, node);
}

/* The kernel's files: the process' memory is that of the simulated machine, and no quota is known. */
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode) {
    static char status[64];
    if (strcmp(path, "/proc/self/status") == 0) {
        int length = snprintf(status, sizeof status, "VmHWM: %llu kB\n",
                              (unsigned long long)(lines_most_pages() * PAGE_BYTES / 1024));
        return fmemopen(status, (size_t)length, "r");
    }
    if (strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0)
        return NULL;
    return __real_fopen(path, mode);
}
