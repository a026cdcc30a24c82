/* Checked allocation, and placement on NUMA nodes by libnuma. */
#include "memory.h"

#include <numa.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fatal.h"

static void *checked(void *block, size_t size, const char *what) {
    if (block == NULL && size != 0)
        fatal("out of memory: %zu bytes for %s cannot be had; use less work (--scale) or free memory", size, what);
    return block;
}

void *memory_zeroed(size_t count, size_t size, const char *what) {
    return checked(calloc(count, size), count * size, what);
}

void *memory_block(size_t size, const char *what) {
    return checked(malloc(size), size, what);
}

void *memory_resize(void *block, size_t size, const char *what) {
    return checked(realloc(block, size), size, what);
}

static size_t round_up(size_t size, size_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

static void *aligned(size_t size, size_t alignment, const char *what) {
    return checked(aligned_alloc(alignment, round_up(size, alignment)), size, what);
}

/* Pages that nobody touched yet, asked to lie on the node. libnuma's wish only: a full node is no error. */
static void *pages_on_node(size_t size, int node, const char *what) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *block = aligned(size, page, what);
    numa_tonode_memory(block, round_up(size, page), node);
    return block;
}

void *memory_aligned(size_t size, size_t alignment, const char *what) {
    if (alignment <= _Alignof(max_align_t))
        return memory_zeroed(1, size, what);
    return memset(aligned(size, alignment, what), 0, size);
}

void *memory_on_node(size_t size, size_t alignment, int node, const char *what) {
    void *block = node == ANY_NODE ? aligned(size, alignment, what) : pages_on_node(size, node, what);
    return memset(block, 0, size);
}

void *memory_resize_on_node(void *block, size_t old_size, size_t size, int node, const char *what) {
    if (node == ANY_NODE || size <= old_size || size < (size_t)sysconf(_SC_PAGESIZE))
        return memory_resize(block, size, what);
    void *moved = pages_on_node(size, node, what);
    if (old_size != 0)
        memcpy(moved, block, old_size);
    free(block);
    return moved;
}
