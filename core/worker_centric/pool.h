/* A pool: the blocks that a worker has emptied, for those that it fills next. Its worker's own.
 *
 * Some go from worker to worker, and are allocated one by one. Who has too many of them, since others send it more than it sends them,
 * gives them to the depot, a whole list by its pointer, for who has too few: malloc(3) and free(3) of each would wait for each other's
 * heaps.
 *
 * Others stay: those that a run queue fills itself. Were it to fill one that has come from another worker it would have to fetch its lines,
 * a hundred nanoseconds each, where that worker's last messages filled a few of them. And a behaviour that sends a million messages fills
 * 6,000 blocks before any is emptied, while malloc(3) grows the heap of a thread that is not main by a system call a page. So these come from
 * slabs, which the pool keeps until it ends. (Not on huge pages, which the kernel would clear at once: a virtual machine that gives free
 * memory back to its host then waits for the host, and a behaviour that sends a million messages took three times as long.)
 *
 * Where errors are hunted there is neither depot nor slab, so that a use of a block after its end is found.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_POOL_H
#define ACTORBENCH_WORKER_CENTRIC_POOL_H

#include "block.h"
#include "check.h"

enum {
    SPARE_BLOCKS = TESTED(128, 1), /* in a list: 512 KiB */
    DEPOT_LISTS = 128,             /* 64 MiB; what is more is freed */
};
#define HAS_DEPOT (!CHECKED_BUILD && TESTED(true, false))
#define HAS_SLABS HAS_DEPOT

enum { SLAB_BLOCKS = 256 }; /* 1 MiB */

struct slab {
    struct slab *next;
    struct block blocks[SLAB_BLOCKS];
};

struct block_pool {
    struct block *first;   /* of those that go from worker to worker, */
    unsigned count;        /* so many: SPARE_BLOCKS at most; */
    struct block *reserve; /* and as many, or NULL */
    unsigned fresh;        /* blocks of the first slab that were never taken */
    struct block *kept;    /* of slabs */
    struct slab *slabs;
};

/* The depot: takes a list of SPARE_BLOCKS, which is the depot's from here on; false if it has room for no more. From any thread. */
bool block_depot_give(struct block *list);

/* A list of SPARE_BLOCKS, or NULL. From any thread. */
struct block *block_depot_take(void);

/* Frees what is in it, when no pool is used any more. */
void block_depot_release(void);

static inline struct block *block_empty(struct block *block) {
    block->next = NULL;
    block->count = 0;
    return block;
}

static inline struct block *block_take_first(struct block_pool *pool) {
    struct block *block = pool->first;
    pool->first = block->next;
    pool->count--;
    return block;
}

/* A block if the pool has none at hand. Out of line, so that the usual case needs no stack frame. */
__attribute__((noinline, cold, unused)) static struct block *block_take_otherwise(struct block_pool *pool) {
    if (HAS_DEPOT && pool != NULL) {
        pool->first = pool->reserve != NULL ? pool->reserve : block_depot_take();
        pool->reserve = NULL;
        if (pool->first != NULL) {
            pool->count = SPARE_BLOCKS;
            return block_take_first(pool);
        }
    }
    struct block *block = (struct block *)memory_block(sizeof *block, "a block of envelopes");
    block->is_kept = false;
    return block;
}

/* An empty block from the caller's pool or the depot, or if these are empty, or the pool is NULL, from the heap; stops the program if
 * memory is out. */
static inline struct block *block_take(struct block_pool *pool) {
    if (unlikely(pool == NULL || pool->first == NULL))
        return block_empty(block_take_otherwise(pool));
    return block_empty(block_take_first(pool));
}

/* The same of those that stay. */
static inline struct block *block_take_kept(struct block_pool *pool) {
    if (!HAS_SLABS || pool == NULL)
        return block_take(pool);
    struct block *block = pool->kept;
    if (likely(block != NULL)) {
        pool->kept = block->next;
        return block_empty(block);
    }
    if (pool->fresh == 0) {
        struct slab *slab = (struct slab *)memory_block(sizeof *slab, "blocks of envelopes");
        slab->next = pool->slabs;
        pool->slabs = slab;
        pool->fresh = SLAB_BLOCKS;
    }
    block = &pool->slabs->blocks[SLAB_BLOCKS - pool->fresh--];
    block->is_kept = true;
    return block_empty(block);
}

/* Makes room in a pool that has no more; false: there is none. */
__attribute__((noinline, cold, unused)) static bool block_pool_unload(struct block_pool *pool) {
    if (!HAS_DEPOT || (pool->reserve != NULL && !block_depot_give(pool->reserve)))
        return false;
    pool->reserve = pool->first;
    pool->first = NULL;
    pool->count = 0;
    return true;
}

/* Gives a block whose envelopes have run to the caller's pool, or if that and the depot are full, or the pool is NULL, back to the
 * heap. */
static inline void block_give(struct block_pool *pool, struct block *block) {
    if (block->is_kept) { /* the pool's own */
        block->next = pool->kept;
        pool->kept = block;
        return;
    }
    if (unlikely(pool == NULL || (pool->count == SPARE_BLOCKS && !block_pool_unload(pool)))) {
        free(block);
        return;
    }
    block->next = pool->first;
    pool->first = block;
    pool->count++;
}

static inline void block_pool_release(struct block_pool *pool) {
    block_free_chain(pool->first);
    block_free_chain(pool->reserve);
    for (struct slab *slab = pool->slabs, *next; slab != NULL; slab = next) {
        next = slab->next;
        free(slab);
    }
    *pool = (struct block_pool){.first = NULL};
}

#endif
