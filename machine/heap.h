/* The program's heap: at simulated addresses, laid out and handed around like glibc's, so that it costs what that costs.
 *
 * A thread keeps up to seven free blocks of each small size for itself, and takes and gives others under the lock of an
 * arena: its own for what it needs, the block's own for what it frees. Large blocks are pages of their own.
 */
#ifndef ACTORBENCH_MACHINE_HEAP_H
#define ACTORBENCH_MACHINE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "description.h"

void heap_make(const struct description *machine);

void *heap_take(size_t bytes, size_t alignment, bool zeroed, uint32_t code);
void heap_give(void *block, uint32_t code);

/* How many bytes a block has room for. */
size_t heap_room(const void *block);

/* Whether it is a block of this heap. */
bool heap_has(const void *block);

#endif
