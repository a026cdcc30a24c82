/* A pool: the blocks that a worker has emptied, for those that it fills next. Its worker's own. */
#ifndef ACTORBENCH_WORKER_CENTRIC_POOL_H
#define ACTORBENCH_WORKER_CENTRIC_POOL_H

#include "block.h"

enum { SPARE_BLOCKS = TESTED(256, 1) }; /* 1 MiB */

struct block_pool {
    struct block *first;
    unsigned count;
};

/* An empty block from the caller's pool, or if that is empty, or NULL, from the heap; stops the program if memory is out. */
static inline struct block *block_take(struct block_pool *pool) {
    struct block *block = pool != NULL ? pool->first : NULL;
    if (unlikely(block == NULL)) {
        block = (struct block *)memory_block(sizeof *block, "a block of envelopes");
    } else {
        pool->first = block->next;
        pool->count--;
    }
    block->next = NULL;
    block->count = 0;
    return block;
}

/* Gives a block whose envelopes have run to the caller's pool, or if that is full, or NULL, back to the heap. */
static inline void block_give(struct block_pool *pool, struct block *block) {
    if (unlikely(pool == NULL || pool->count == SPARE_BLOCKS)) {
        free(block);
        return;
    }
    block->next = pool->first;
    pool->first = block;
    pool->count++;
}

static inline void block_pool_release(struct block_pool *pool) {
    block_free_chain(pool->first);
    pool->first = NULL;
    pool->count = 0;
}

#endif
