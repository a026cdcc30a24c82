/* Recycling: taking from the store and giving to it. */
#include "recycle.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "platform/cpu.h"
#include "platform/memory.h"
#include "storage.h"

struct recycled_block {
    struct recycled_block *next;
};

_Thread_local struct recycle_store *this_recycle_store;

/* The list for blocks of a size, or RECYCLED_SIZES: none. */
static inline size_t list_for(size_t size) {
    size_t list = size / RECYCLED_UNIT;
    return size % RECYCLED_UNIT == 0 && list < RECYCLED_SIZES ? list : RECYCLED_SIZES;
}

void *storage_take(size_t size, size_t alignment, const char *what) {
    struct recycle_store *store = this_recycle_store;
    size_t list = store == NULL || alignment > _Alignof(max_align_t) ? RECYCLED_SIZES : list_for(size);
    if (list == RECYCLED_SIZES || store->first[list] == NULL)
        return memory_aligned(size, alignment, what);
    struct recycled_block *block = store->first[list];
    store->first[list] = block->next;
    store->count[list]--;
    return memset(block, 0, size);
}

void storage_give(void *block, size_t size) {
    struct recycle_store *store = this_recycle_store;
    size_t list = store == NULL ? RECYCLED_SIZES : list_for(size);
    if (list == RECYCLED_SIZES || unlikely(store->count[list] == RECYCLED_BLOCKS)) {
        free(block);
        return;
    }
    struct recycled_block *recycled = block;
    recycled->next = store->first[list];
    store->first[list] = recycled;
    store->count[list]++;
}

void recycle_release(struct recycle_store *store) {
    for (size_t list = 0; list < RECYCLED_SIZES; list++)
        for (struct recycled_block *block = store->first[list], *next; block != NULL; block = next) {
            next = block->next;
            free(block);
        }
    memset(store, 0, sizeof *store);
}
