/* What stands in for the system while a schedule is explored: parking (in place of core/platform/parking.c), and, by
 * the linker's --wrap, threads, naps and files. (And free(3): freed.c.)
 *
 * A parked thread runs again when it is woken or, by virtual time, when its timeout is over while others still run. The
 * executors' timeouts are there to look for loot; work must not depend on them, and so no timeout ends a state in which
 * nobody can run.
 */
#include <pthread.h>
#include <stdio.h>

#include "explorer.h"
#include "platform/parking.h"

void parking_wait(ATOMIC(uint32_t) *word, uint32_t expected, uint64_t timeout_ns) {
    /* The kernel compares and queues in one step: the switch is before both. */
    explorer_access("park", __FILE__, __LINE__);
    if (atomic_load(word) == expected)
        explorer_block(PARKED, (const void *)word, timeout_ns);
}

void parking_wake(ATOMIC(uint32_t) *word) {
    explorer_access("wake", __FILE__, __LINE__);
    explorer_unblock(PARKED, (const void *)word);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    (void)attributes;
    *thread = explorer_start(run, argument);
    explorer_access("create", __FILE__, __LINE__);
    return 0;
}

int __wrap_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result) {
    unsigned number = (unsigned)thread;
    explorer_access("join", __FILE__, __LINE__);
    if (explorer_state(number) != ENDED)
        explorer_block(JOINING, explorer_end_of(number), 0);
    if (result != NULL)
        *result = explorer_result(number);
    return 0;
}

int __wrap_nanosleep(const struct timespec *length, struct timespec *left);
int __wrap_nanosleep(const struct timespec *length, struct timespec *left) {
    (void)length, (void)left;
    explorer_spin("nap", __FILE__, __LINE__);
    return 0;
}

/* Only the kernel's files on the machine's quotas and on memory are opened: what they say means nothing here. */
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode) {
    (void)path, (void)mode;
    return NULL;
}
