/* The wrapped calls. Free blocks wait in a stack for each size; the link to the next is in a block's last bytes, so that
 * the poison is where a reader of a freed object looks first. */
#include "allocator.h"

#include <errno.h>
#include <hwloc.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_REUSED = 1024, GRAIN = 16, POISON = 0xdf };

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
hwloc_bitmap_t __real_hwloc_bitmap_alloc(void);
hwloc_bitmap_t __real_hwloc_bitmap_dup(hwloc_const_bitmap_t bitmap);
int __real_hwloc_topology_init(hwloc_topology_t *topology);
int __real_hwloc_topology_load(hwloc_topology_t topology);
cpu_set_t *__real___sched_cpualloc(size_t count);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);
hwloc_bitmap_t __wrap_hwloc_bitmap_alloc(void);
hwloc_bitmap_t __wrap_hwloc_bitmap_dup(hwloc_const_bitmap_t bitmap);
int __wrap_hwloc_topology_init(hwloc_topology_t *topology);
int __wrap_hwloc_topology_load(hwloc_topology_t topology);
cpu_set_t *__wrap___sched_cpualloc(size_t count);

static bool reuses;
static _Atomic(unsigned long) calls, failing_call;
static _Atomic(bool) has_failed;
static _Atomic(long) live;

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static void *freed[LARGEST_REUSED / GRAIN]; /* under the guard */

void allocator_reuse_at_once(void) {
#if !defined(__SANITIZE_ADDRESS__)
    reuses = true;
#endif
}

void allocator_fail_at(unsigned long nth) {
    atomic_store(&calls, 0);
    atomic_store(&has_failed, false);
    atomic_store(&failing_call, nth);
}

bool allocator_has_failed(void) {
    return atomic_load(&has_failed);
}

long allocator_live_blocks(void) {
    return atomic_load(&live);
}

/* ---- Blocks that are reused at once -------------------------------------------------------------------------------- */

static void **link_of(void *block, size_t usable) {
    return (void **)(void *)((char *)block + usable - sizeof(void *));
}

/* A block that was freed, of at least `size` bytes and so aligned; NULL if the last one of the size does not fit. */
static void *take_freed(size_t alignment, size_t size) {
    size_t usable = (size < GRAIN ? GRAIN : size) + GRAIN / 2 - 1; /* as glibc rounds: 24, 40, 56 ... */
    if (!reuses || usable / GRAIN >= LARGEST_REUSED / GRAIN)
        return NULL;
    (void)pthread_mutex_lock(&guard);
    void **first = &freed[usable / GRAIN], *block = *first;
    if (block != NULL && (malloc_usable_size(block) < size || (uintptr_t)block % alignment != 0))
        block = NULL;
    if (block != NULL)
        *first = *link_of(block, malloc_usable_size(block));
    (void)pthread_mutex_unlock(&guard);
    return block;
}

static bool keep_freed(void *block) {
    size_t usable = malloc_usable_size(block);
    if (!reuses || usable / GRAIN >= LARGEST_REUSED / GRAIN)
        return false;
    memset(block, POISON, usable);
    (void)pthread_mutex_lock(&guard);
    *link_of(block, usable) = freed[usable / GRAIN];
    freed[usable / GRAIN] = block;
    (void)pthread_mutex_unlock(&guard);
    return true;
}

/* ---- The C library's calls ----------------------------------------------------------------------------------------- */

static bool must_fail(void) {
    if (atomic_fetch_add(&calls, 1) + 1 != atomic_load(&failing_call))
        return false;
    atomic_store(&has_failed, true);
    errno = ENOMEM;
    return true;
}

static void *counted(void *block) {
    if (block != NULL)
        (void)atomic_fetch_add(&live, 1);
    return block;
}

void *__wrap_malloc(size_t size) {
    if (must_fail())
        return NULL;
    void *block = take_freed(1, size);
    return counted(block != NULL ? block : __real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    if (must_fail())
        return NULL;
    void *block = size != 0 && count > LARGEST_REUSED / size ? NULL : take_freed(1, count * size);
    return counted(block != NULL ? memset(block, 0, count * size) : __real_calloc(count, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    if (must_fail())
        return NULL;
    void *block = take_freed(alignment, size);
    return counted(block != NULL ? block : __real_aligned_alloc(alignment, size));
}

void *__wrap_realloc(void *block, size_t size) {
    if (must_fail())
        return NULL;
    return block == NULL ? counted(__real_realloc(NULL, size)) : __real_realloc(block, size);
}

void __wrap_free(void *block) {
    if (block == NULL)
        return;
    (void)atomic_fetch_sub(&live, 1);
    if (!keep_freed(block))
        __real_free(block);
}

/* ---- hwloc's and the scheduler's ----------------------------------------------------------------------------------- */

hwloc_bitmap_t __wrap_hwloc_bitmap_alloc(void) {
    return must_fail() ? NULL : __real_hwloc_bitmap_alloc();
}

hwloc_bitmap_t __wrap_hwloc_bitmap_dup(hwloc_const_bitmap_t bitmap) {
    return must_fail() ? NULL : __real_hwloc_bitmap_dup(bitmap);
}

int __wrap_hwloc_topology_init(hwloc_topology_t *topology) {
    return must_fail() ? -1 : __real_hwloc_topology_init(topology);
}

int __wrap_hwloc_topology_load(hwloc_topology_t topology) {
    return must_fail() ? -1 : __real_hwloc_topology_load(topology);
}

cpu_set_t *__wrap___sched_cpualloc(size_t count) {
    return must_fail() ? NULL : __real___sched_cpualloc(count);
}
