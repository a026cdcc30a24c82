/* A pool: the blocks that a worker has emptied, for those that it fills next. Its worker's own.
 *
 * Some go from worker to worker, and are allocated one by one. Who has too many of them, since others send it more than it sends them,
 * gives them to the depot, a whole list by its pointer, for who has too few: malloc(3) and free(3) of each would wait for each other's
 * heaps.
 *
 * Others are kept: those that a run queue fills itself. Were it to fill one that has come from another worker it would have to fetch its lines,
 * a hundred nanoseconds each, where that worker's last messages filled a few of them. And a behaviour that sends a million messages fills
 * 6,000 blocks before any is emptied, while malloc(3) grows the heap of a thread that is not main by a system call a page. So these come from
 * slabs, which stay until no pool is used any more. (Not on huge pages, which the kernel would clear at once: a virtual machine that gives free
 * memory back to its host then waits for the host, and a behaviour that sends a million messages took three times as long.)
 *
 * Once they are emptied, blocks are whatever they are needed for: where more than KEPT_BLOCKS would wait for their worker, a list of them goes to
 * the same depot, and who finds none of its sort takes one of the other before it asks the heap. So who sends a million messages once does not sit
 * on their memory.
 *
 * The address sanitizer finds a use of what is in a block that waits.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_POOL_H
#define ACTORBENCH_WORKER_CENTRIC_POOL_H

#include "block.h"

enum {
    SPARE_BLOCKS = TESTED(32, 1), /* in a list: 128 KiB */
    KEPT_BLOCKS = 4 * SPARE_BLOCKS,
    DEPOT_LISTS = 512, /* 64 MiB; what is more is freed, or stays where it is */
};
#define HAS_DEPOT TESTED(true, false)

enum { SLAB_BLOCKS = 256 }; /* 1 MiB */

struct slab {
    struct slab *next;
    struct block blocks[SLAB_BLOCKS];
};

struct block_pool {
    struct block *first;   /* of those that go from worker to worker, */
    unsigned count;        /* so many: SPARE_BLOCKS at most; */
    struct block *reserve; /* and as many, or NULL */
    struct block *kept;    /* of those that its run queue fills, */
    unsigned kept_count;   /* so many; */
    unsigned fresh;        /* and blocks of its last slab that were never taken */
    struct slab *slab;
};

/* The depot: takes a list of SPARE_BLOCKS, which is the depot's from here on; false if it has room for no more. From any thread. */
bool block_depot_give(struct block *list);

/* A list of SPARE_BLOCKS, or NULL. From any thread. */
struct block *block_depot_take(void);

/* A new slab, the depot's; stops the program if memory is out. From any thread. */
struct slab *block_depot_slab(void);

/* Frees what is in it, and all slabs, when no block is used any more. */
void block_depot_release(void);

/* An empty block, taken as one that is `kept` or not. */
static inline struct block *block_empty(struct block *block, bool is_kept) {
    block->next = NULL;
    block->count = 0;
    block->is_kept = is_kept;
    ASAN_UNPOISON_MEMORY_REGION(block->envelopes, sizeof block->envelopes);
    return block;
}

static inline struct block *block_take_first(struct block_pool *pool) {
    struct block *block = pool->first;
    pool->first = block->next;
    pool->count--;
    return block;
}

static inline struct block *block_take_first_kept(struct block_pool *pool) {
    struct block *block = pool->kept;
    pool->kept = block->next;
    pool->kept_count--;
    return block;
}

/* Whether a pool that has none at hand has a list of them now: its reserve, or one from the depot. */
static inline bool block_pool_refill(struct block_pool *pool) {
    pool->first = pool->reserve != NULL ? pool->reserve : block_depot_take();
    pool->reserve = NULL;
    pool->count = pool->first != NULL ? SPARE_BLOCKS : 0;
    return pool->first != NULL;
}

/* A block if the pool has none at hand. Out of line, so that the usual case needs no stack frame. */
__attribute__((noinline, cold, unused)) static struct block *block_take_otherwise(struct block_pool *pool) {
    if (HAS_DEPOT && pool != NULL) {
        if (block_pool_refill(pool))
            return block_take_first(pool);
        if (pool->kept_count >= KEPT_BLOCKS)
            return block_take_first_kept(pool);
    }
    struct block *block = (struct block *)memory_block(sizeof *block, "a block of envelopes");
    block->is_in_slab = false;
    return block;
}

/* An empty block from the caller's pool or the depot, or if these are empty, or the pool is NULL, from the heap; stops the program if
 * memory is out. */
static inline struct block *block_take(struct block_pool *pool) {
    bool has = pool != NULL && pool->first != NULL;
    return block_empty(likely(has) ? block_take_first(pool) : block_take_otherwise(pool), false);
}

/* As block_take_otherwise. */
__attribute__((noinline, cold, unused)) static struct block *block_take_kept_otherwise(struct block_pool *pool) {
    if (pool->fresh == 0) {
        pool->kept = block_depot_take();
        if (pool->kept != NULL) {
            pool->kept_count = SPARE_BLOCKS;
            return block_take_first_kept(pool);
        }
        pool->slab = block_depot_slab();
        pool->fresh = SLAB_BLOCKS;
    }
    struct block *block = &pool->slab->blocks[SLAB_BLOCKS - pool->fresh--];
    block->is_in_slab = true;
    return block;
}

/* The same of those that are kept, or from the depot or a slab. */
static inline struct block *block_take_kept(struct block_pool *pool) {
    if (!HAS_DEPOT || pool == NULL)
        return block_take(pool);
    return block_empty(likely(pool->kept != NULL) ? block_take_first_kept(pool) : block_take_kept_otherwise(pool),
                       true);
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

/* Lets a list of those that are kept go, if the depot has room for it. */
__attribute__((noinline, cold, unused)) static void block_pool_unload_kept(struct block_pool *pool) {
    struct block *list = pool->kept, *last = list;
    for (unsigned i = 1; i < SPARE_BLOCKS; i++)
        last = last->next;
    struct block *rest = last->next;
    last->next = NULL;
    if (block_depot_give(list)) {
        pool->kept = rest;
        pool->kept_count -= SPARE_BLOCKS;
    } else {
        last->next = rest;
    }
}

/* Gives a block whose envelopes have run to the caller's pool, or if that and the depot are full, or the pool is NULL, back to the
 * heap. */
static inline void block_give(struct block_pool *pool, struct block *block) {
    ASAN_POISON_MEMORY_REGION(block->envelopes, sizeof block->envelopes);
    if (HAS_DEPOT && block->is_kept) {
        block->next = pool->kept;
        pool->kept = block;
        if (unlikely(++pool->kept_count == KEPT_BLOCKS + SPARE_BLOCKS))
            block_pool_unload_kept(pool);
        return;
    }
    if (unlikely(pool == NULL || (pool->count == SPARE_BLOCKS && !block_pool_unload(pool)))) {
        block_free(block);
        return;
    }
    block->next = pool->first;
    pool->first = block;
    pool->count++;
}

/* Frees what is in a pool, but for what is in slabs. */
static inline void block_pool_release(struct block_pool *pool) {
    block_free_chain(pool->first);
    block_free_chain(pool->reserve);
    block_free_chain(pool->kept);
    *pool = (struct block_pool){.first = NULL};
}

#endif
