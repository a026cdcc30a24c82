/* The depot of blocks. */
#include "pool.h"

#include "platform/spinlock.h"

/* Whoever holds the lock has the rest. */
static struct {
    CACHE_ALIGNED struct spinlock lock;
    ATOMIC(unsigned) count; /* but for a look whether there is any: relaxed, the lock orders it */
    struct block *lists[DEPOT_LISTS];
    struct slab *slabs; /* all there are */
} depot;

bool block_depot_give(struct block *list) {
    spinlock_acquire(&depot.lock);
    unsigned count = atomic_load_relaxed(&depot.count);
    if (count != DEPOT_LISTS) {
        depot.lists[count] = list;
        atomic_store_relaxed(&depot.count, count + 1);
    }
    spinlock_release(&depot.lock);
    return count != DEPOT_LISTS;
}

struct block *block_depot_take(void) {
    if (atomic_load_relaxed(&depot.count) == 0) /* what comes now is taken next time */
        return NULL;
    spinlock_acquire(&depot.lock);
    unsigned count = atomic_load_relaxed(&depot.count);
    struct block *list = count != 0 ? depot.lists[count - 1] : NULL;
    if (list != NULL)
        atomic_store_relaxed(&depot.count, count - 1);
    spinlock_release(&depot.lock);
    return list;
}

struct slab *block_depot_slab(void) {
    struct slab *slab = (struct slab *)memory_block(sizeof *slab, "blocks of envelopes");
    spinlock_acquire(&depot.lock);
    slab->next = depot.slabs;
    depot.slabs = slab;
    spinlock_release(&depot.lock);
    return slab;
}

void block_depot_release(void) {
    for (struct block *list; (list = block_depot_take()) != NULL;)
        block_free_chain(list);
    for (struct slab *slab; (slab = depot.slabs) != NULL; free(slab))
        depot.slabs = slab->next;
}
