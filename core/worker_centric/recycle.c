/* Recycling: taking from the store and giving to it. */
#include "recycle.h"

#include <stdlib.h>
#include <string.h>

#include "platform/cpu.h"
#include "platform/memory.h"
#include "platform/spinlock.h"
#include "platform/thread_end.h"
#include "storage.h"

/* What lies in a block that waits, the first of a pair: the first of the pair before, and the other of its own; or, in the latest of a full list,
 * which has none, once that is in the depot the next such list. */
struct recycled_block {
    PLAIN(struct recycled_block *) next;
    union {
        PLAIN(struct recycled_block *) other;
        PLAIN(struct recycled_block *) next_list;
    };
};

_Static_assert(RECYCLED_BLOCKS % 2 == 1, "the latest pair of a full list has one block");

/* The lists of one size that no store has: under the lock, but for a look whether there is any; relaxed, the lock orders it. */
struct depot {
    CACHE_ALIGNED struct spinlock lock;
    ATOMIC(struct recycled_block *) first;
};

static struct depot depots[RECYCLED_SIZES];

_Thread_local struct recycle_store *this_recycle_store;

/* ---- The depot ------------------------------------------------------------------------------------------------------ */

static void depot_give(struct depot *depot, struct recycled_block *list) {
    spinlock_acquire(&depot->lock);
    list->next_list = atomic_load_relaxed(&depot->first);
    atomic_store_relaxed(&depot->first, list);
    spinlock_release(&depot->lock);
}

/* A list, or NULL. */
static struct recycled_block *depot_take(struct depot *depot) {
    if (atomic_load_relaxed(&depot->first) == NULL) /* what comes now is taken next time */
        return NULL;
    spinlock_acquire(&depot->lock);
    struct recycled_block *list = atomic_load_relaxed(&depot->first);
    if (list != NULL)
        atomic_store_relaxed(&depot->first, list->next_list);
    spinlock_release(&depot->lock);
    return list;
}

/* Frees a list of so many blocks. */
static void free_blocks(struct recycled_block *first, size_t count) {
    for (struct recycled_block *next; first != NULL; first = next) {
        next = first->next;
        if (count % 2 == 0) {
            free(first->other);
            count--;
        }
        free(first);
        count--;
    }
}

void recycle_release(struct recycle_store *store) {
    for (size_t number = 0; number < RECYCLED_SIZES; number++) {
        struct recycle_list *list = &store->lists[number];
        free_blocks(list->first, list->count);
        free_blocks(list->reserve, RECYCLED_BLOCKS);
    }
    memset(store, 0, sizeof *store);
}

/* ---- Threads outside ------------------------------------------------------------------------------------------------ */

static ATOMIC(bool) outside_get_stores; /* relaxed: who has missed it gets one with a later block */
static struct thread_end outside_end;   /* empties the thread's */
static _Thread_local struct recycle_store own;

static void empty_own(void *store) {
    this_recycle_store = NULL;
    recycle_release(store);
}

/* Whether the calling thread, which has no store, has one now: not if nothing would empty it. */
static bool open_own(void) {
    if (!atomic_load_relaxed(&outside_get_stores) || !thread_end_ask(&outside_end, &own))
        return false;
    this_recycle_store = &own;
    return true;
}

void recycle_begin(bool recycles) {
    thread_end_prepare(&outside_end, empty_own);
    atomic_store_relaxed(&outside_get_stores, recycles);
}

void recycle_end(void) {
    empty_own(&own);
    for (size_t number = 0; number < RECYCLED_SIZES; number++)
        for (struct recycled_block *list; (list = depot_take(&depots[number])) != NULL;)
            free_blocks(list, RECYCLED_BLOCKS);
}

/* ---- Stores --------------------------------------------------------------------------------------------------------- */

/* The number of the calling thread's list for blocks of a size, or RECYCLED_SIZES: none. What is left of a unit is rotated to the front, so
 * that the one comparison finds that, too. */
static inline size_t list_for(size_t size) {
    const size_t least = sizeof(struct recycled_block) / RECYCLED_UNIT;
    size_t number = size >> RECYCLED_UNIT_BITS | size << (8 * sizeof size - RECYCLED_UNIT_BITS);
    return this_recycle_store != NULL && number - least < RECYCLED_SIZES - least ? number : RECYCLED_SIZES;
}

/* Most are of 16 to 32 bytes: two pieces of 16, which may overlap, and no loop. */
static inline void *zero(void *block, size_t size) {
    if (unlikely(size > 32))
        return memset(block, 0, size);
    memset(block, 0, 16);
    memset((char *)block + size - 16, 0, 16);
    return block;
}

/* Takes a block out of a list that is not empty. */
static inline void *take_latest(struct recycle_list *list, size_t size) {
    struct recycled_block *first = list->first;
    if (list->count-- % 2 == 0)
        return zero(first->other, size);
    list->first = first->next;
    __builtin_prefetch(list->first); /* is read for the next but one */
    return zero(first, size);
}

/* Puts one into a list that is not full. */
static inline void put_latest(struct recycle_list *list, struct recycled_block *block) {
    if (list->count++ % 2 != 0) {
        list->first->other = block;
    } else {
        block->next = list->first;
        list->first = block;
    }
}

/* A block that no list has, or for a thread outside that has no store yet. */
__attribute__((noinline)) static void *take_new(size_t size, size_t alignment, const char *what) {
    bool has_one_now = this_recycle_store == NULL && open_own();
    return has_one_now ? storage_take(size, alignment, what) : memory_aligned(size, alignment, what);
}

/* The same with an empty list, if there are blocks elsewhere, and with a full one. Out of line, and called last, so that
 * the usual case needs no stack frame. */
__attribute__((noinline)) static void *take_with_empty(size_t number, size_t size, size_t alignment, const char *what) {
    struct recycle_list *list = &this_recycle_store->lists[number];
    list->first = list->reserve != NULL ? list->reserve : depot_take(&depots[number]);
    list->reserve = NULL;
    if (list->first == NULL)
        return take_new(size, alignment, what);
    list->count = RECYCLED_BLOCKS;
    return take_latest(list, size);
}

__attribute__((noinline)) static void put_to_full(size_t number, struct recycled_block *block) {
    struct recycle_list *list = &this_recycle_store->lists[number];
    if (list->reserve != NULL)
        depot_give(&depots[number], list->reserve);
    list->reserve = list->first;
    list->first = NULL;
    list->count = 0;
    put_latest(list, block);
}

LINK_INLINE void *storage_take(size_t size, size_t alignment, const char *what) {
    size_t number = alignment > _Alignof(max_align_t) ? RECYCLED_SIZES : list_for(size);
    if (unlikely(number == RECYCLED_SIZES))
        return take_new(size, alignment, what);
    struct recycle_list *list = &this_recycle_store->lists[number];
    if (unlikely(list->first == NULL))
        return take_with_empty(number, size, alignment, what);
    return take_latest(list, size);
}

LINK_INLINE void storage_give(void *block, size_t size) {
    size_t number = list_for(size);
    if (number == RECYCLED_SIZES) {
        free(block);
        return;
    }
    struct recycle_list *list = &this_recycle_store->lists[number];
    if (unlikely(list->count == RECYCLED_BLOCKS))
        put_to_full(number, block);
    else
        put_latest(list, block);
}
