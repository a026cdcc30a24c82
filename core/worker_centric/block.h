/* Blocks: what envelopes travel in between workers when they are handed over many at a time, instead of one by one.
 *
 * A block is filled by one thread, linked into a queue whole, and emptied by the worker that takes it, in place: an
 * envelope is written once and read once, wherever it goes. Who has emptied a block keeps it for the next that it fills.
 * A block belongs to one thread or, in a mailbox's queue, to who holds the mailbox's lock.
 */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_BLOCK_H
#define ACTORBENCH_MESSAGE_CENTRIC_BLOCK_H

#include <stdbool.h>
#include <stdlib.h>

#include "envelope.h"
#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/memory.h"
#include "platform/small.h"

enum {
    BLOCK_ENVELOPES = TESTED(170, 2), /* 4 KiB */
    SPARE_BLOCKS = TESTED(256, 1),    /* what a worker keeps of emptied ones: 1 MiB */
};

struct block {
    PLAIN(struct block *) next;
    PLAIN(uint32_t) count;
    PLAIN(struct envelope) envelopes[BLOCK_ENVELOPES];
};

/* A thread's emptied blocks. */
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

/* Gives a block whose envelopes have run to the caller's pool. */
static inline void block_give(struct block_pool *pool, struct block *block) {
    if (unlikely(pool->count == SPARE_BLOCKS)) {
        free(block);
        return;
    }
    block->next = pool->first;
    pool->first = block;
    pool->count++;
}

static inline bool block_is_full(const struct block *block) {
    return block->count == BLOCK_ENVELOPES;
}

/* Puts an envelope into a block that is not full. */
static inline void block_put(struct block *block, struct envelope envelope) {
    uint32_t count = block->count;
    block->envelopes[count] = envelope;
    block->count = count + 1;
}

/* Hands the envelopes from `next` up to `end` to `deliver`, which is inlined. `ahead`: so far ahead actors and messages
 * are fetched into the cache; 0: not at all. */
static inline void envelopes_run(const PLAIN(struct envelope) * next, const PLAIN(struct envelope) * end,
                                 unsigned ahead, void (*deliver)(struct envelope)) {
    if (ahead != 0 && end - next > (ptrdiff_t)ahead)
        for (const PLAIN(struct envelope) *last = end - ahead; next != last; next++) {
            struct envelope later = next[ahead];
            cpu_prefetch(later.actor);
            cpu_prefetch(later.message);
            deliver(*next);
        }
    for (; next != end; next++)
        deliver(*next);
}

/* Frees a chain of blocks; what is in them is dropped. */
static inline void block_free_chain(struct block *block) {
    while (block != NULL) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

/* Frees what is in a pool. */
static inline void block_pool_release(struct block_pool *pool) {
    block_free_chain(pool->first);
    pool->first = NULL;
    pool->count = 0;
}

#endif
