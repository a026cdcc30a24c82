/* Blocks: what envelopes travel in between workers when they are handed over many at a time, instead of one by one.
 *
 * A block is filled by one thread, linked into a queue whole, and emptied by the worker that takes it, in place: an
 * envelope is written once and read once, wherever it goes. Who has emptied a block keeps it for the next that it fills (pool.h).
 * A block belongs to one thread or, in a mailbox's queue, to who holds the mailbox's lock.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_BLOCK_H
#define ACTORBENCH_WORKER_CENTRIC_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "envelope.h"
#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/memory.h"
#include "platform/small.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size)   (void)(start)
#define ASAN_UNPOISON_MEMORY_REGION(start, size) (void)(start)
#endif

enum { BLOCK_ENVELOPES = TESTED(170, 2) }; /* 4 KiB */

struct block {
    PLAIN(struct block *) next;
    PLAIN(uint32_t) count;
    PLAIN(bool) is_kept;    /* by the worker that fills it, as its run queue's; */
    PLAIN(bool) is_in_slab; /* constant: see pool.h */
    PLAIN(struct envelope) envelopes[BLOCK_ENVELOPES];
};

/* A chain of blocks, with how many envelopes are in it. */
struct block_chain {
    struct block *first, *last; /* NULL: none */
    size_t count;
};

static inline bool block_is_full(const struct block *block) {
    return block->count == BLOCK_ENVELOPES;
}

/* Puts an envelope into a block that is not full. */
static inline void block_put(struct block *block, struct envelope envelope) {
    uint32_t count = block->count;
    block->envelopes[count] = envelope;
    block->count = count + 1;
}

/* Puts in as many of some envelopes as there is room for; how many. */
static inline size_t block_put_row(struct block *block, const PLAIN(struct envelope) * envelopes, size_t count) {
    size_t before = block->count, room = BLOCK_ENVELOPES - before;
    if (count > room)
        count = room;
    for (size_t i = 0; i < count; i++)
        block->envelopes[before + i] = envelopes[i];
    block->count = (uint32_t)(before + count);
    return count;
}

/* Frees a block, unless it is in a slab. */
static inline void block_free(struct block *block) {
    if (!block->is_in_slab)
        free(block);
}

/* The same of a chain; what is in them is dropped. */
static inline void block_free_chain(struct block *block) {
    while (block != NULL) {
        struct block *next = block->next;
        block_free(block);
        block = next;
    }
}

#endif
