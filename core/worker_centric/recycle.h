/* Recycling: a worker keeps the storage of actors and messages that ended on it, for those that its behaviours make next.
 *
 * storage_take and storage_give (core/storage.h). A list a size, each no longer than RECYCLED_BLOCKS; more than that, and larger blocks, go to free(3) as ever. A thread
 * without a store, such as main, has malloc(3) and free(3). A store is its thread's own.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_RECYCLE_H
#define ACTORBENCH_WORKER_CENTRIC_RECYCLE_H

#include <stddef.h>
#include <stdint.h>

enum { RECYCLED_SIZES = 32, RECYCLED_UNIT = 8, RECYCLED_BLOCKS = 64 };

struct recycled_block;

/* Blocks by their size in units: of up to 248 bytes. */
struct recycle_store {
    struct recycled_block *first[RECYCLED_SIZES];
    uint32_t count[RECYCLED_SIZES];
};

/* The calling thread's store, or NULL. */
extern _Thread_local struct recycle_store *this_recycle_store;

/* Frees what is in a store. */
void recycle_release(struct recycle_store *store);

#endif
