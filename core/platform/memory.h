/* Memory that is checked, and that lies where it is used.
 *
 * Every function either succeeds or stops the program with one line that names what could not be had: a runtime that
 * cannot grow a queue would have to drop a message. Everything is released by free(3). All functions are safe from
 * any thread.
 */
#ifndef ACTORBENCH_PLATFORM_MEMORY_H
#define ACTORBENCH_PLATFORM_MEMORY_H

#include <stddef.h>

/* No particular NUMA node: where the machine has one node, or where a worker is not pinned to any. */
#define ANY_NODE (-1)

/* `count` zeroed elements of `size` bytes; `what` names them in the message of a failure. */
void *memory_zeroed(size_t count, size_t size, const char *what);

/* `size` bytes, zeroed, aligned to `alignment` (a power of two). */
void *memory_aligned(size_t size, size_t alignment, const char *what);

/* `size` bytes, not initialised. */
void *memory_block(size_t size, const char *what);

/* Like realloc(3). */
void *memory_resize(void *block, size_t size, const char *what);

/* `size` bytes, zeroed, aligned to `alignment` (a power of two), on the NUMA node `node` as far as the system permits
 * (a preference, not a demand; ANY_NODE: wherever they are first touched). */
void *memory_on_node(size_t size, size_t alignment, int node, const char *what);

/* A block of `old_size` bytes made `size` bytes large, its contents kept: like realloc(3), but what grows to a page or
 * more goes to `node`. */
void *memory_resize_on_node(void *block, size_t old_size, size_t size, int node, const char *what);

#endif
