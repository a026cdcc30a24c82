/* Recycling: the storage of actors and messages that ended, for those that are made next.
 *
 * storage_take and storage_give (core/storage.h). A worker has a store: for each size a list that it takes from and gives to, and a full
 * one in reserve. What is more goes to the depot, a whole list of RECYCLED_BLOCKS by its pointer, and from there to any worker that
 * has none left (Bonwick and Adams, "Magazines and Vmem", USENIX 2001). So a worker that ends what others have made does not wait for
 * their heaps' locks in free(3). Larger blocks are malloc(3)'s and free(3)'s as ever, and so are all of a thread without a store, such
 * as main. A store is its thread's own. What is kept is freed when the executor stops.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_RECYCLE_H
#define ACTORBENCH_WORKER_CENTRIC_RECYCLE_H

#include <stddef.h>
#include <stdint.h>

#include "platform/small.h"

enum {
    RECYCLED_SIZES = 32,
    RECYCLED_UNIT_BITS = 3,
    RECYCLED_UNIT = 1 << RECYCLED_UNIT_BITS,
    RECYCLED_BLOCKS = TESTED(64, 2),
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

/* The calling thread's store, or NULL. */
extern _Thread_local struct recycle_store *this_recycle_store;

/* Frees what is in a store; recycle_release_depot what is in the depot, when no store is used any more. */
void recycle_release(struct recycle_store *store);
void recycle_release_depot(void);

#endif
