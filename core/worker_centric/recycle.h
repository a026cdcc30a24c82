/* Recycling: the storage of actors and messages that ended, for those that are made next.
 *
 * storage_take and storage_give (core/storage.h). A worker has a store: for each size a list that it takes from and gives to, and a full
 * one in reserve. What is more goes to the depot, a whole list of RECYCLED_BLOCKS by its pointer, and from there to any thread that
 * has none left (Bonwick and Adams, "Magazines and Vmem", USENIX 2001). So a worker that ends what others have made does not wait for
 * their heaps' locks in free(3). A list is of pairs: one block holds the address of the other, which who takes it so need not read, but only
 * write; for what another thread has ended is in that one's cache. A thread that is no worker, such as main, gets a store with the first block
 * that it takes: what it makes and workers end comes back to it, or else it would take new memory for all that it ever makes. Larger blocks are
 * malloc(3)'s and free(3)'s as ever.
 * A store is its thread's own. What is kept is freed when the executor stops, or in another thread's store when that ends.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_RECYCLE_H
#define ACTORBENCH_WORKER_CENTRIC_RECYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/small.h"

enum {
    RECYCLED_SIZES = 32,
    RECYCLED_UNIT_BITS = 3,
    RECYCLED_UNIT = 1 << RECYCLED_UNIT_BITS,
    RECYCLED_BLOCKS = TESTED(65, 3), /* one more than whole pairs; see recycle.c */
};

struct recycled_block;

/* Blocks of one size. A store's own. */
struct recycle_list {
    struct recycled_block *first;
    struct recycled_block *reserve; /* a full list, or NULL */
    uint32_t count;                 /* from `first` on */
};

/* Lists by their blocks' size in units: of up to 248 bytes. */
struct recycle_store {
    struct recycle_list lists[RECYCLED_SIZES];
};

/* The calling thread's store, or NULL: it has none yet, or nothing is recycled. */
extern _Thread_local struct recycle_store *this_recycle_store;

/* Says, before there are workers, whether threads outside get stores from now on. */
void recycle_begin(bool recycles);

/* Frees what is in a store; recycle_end what is in the depot and in the calling thread's own, when no worker's store is used any more. */
void recycle_release(struct recycle_store *store);
void recycle_end(void);

#endif
