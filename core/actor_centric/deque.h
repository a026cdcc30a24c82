/* A work-stealing deque: its owner pushes and pops at the bottom, thieves take from the top (Chase and Lev, "Dynamic
 * Circular Work-Stealing Deque", 2005; the C11 orders after Le and others, "Correct and Efficient Work-Stealing for Weak
 * Memory Models", 2013).
 *
 * The sequentially consistent accesses stand where Le has fences. The one that matters: pop lowers `bottom` and then
 * reads `top`; steal reads `top` and then `bottom`. In their single order either steal sees the lowered bottom, or pop
 * sees what steal saw of top; so the last item is contended for by the compare-and-swap of top, and none is taken twice.
 *
 *     push, pop    the owner
 *     steal        any other worker
 *     count        anybody; a hint
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_DEQUE_H
#define ACTORBENCH_ACTOR_CENTRIC_DEQUE_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/atomic.h"
#include "platform/cpu.h"

struct mailbox;

/* A circular array. One that has been outgrown is kept until the end, for thieves that still read it. */
struct deque_array {
    PLAIN(struct deque_array *) outgrown;
    PLAIN(int64_t) size; /* a power of two */
    ATOMIC(struct mailbox *) items[];
};

struct deque {
    CACHE_ALIGNED ATOMIC(int64_t) top;
    CACHE_ALIGNED ATOMIC(int64_t) bottom;
    ATOMIC(struct deque_array *) array;
};

enum deque_theft { DEQUE_STOLEN, DEQUE_EMPTY, DEQUE_LOST };

void deque_init(struct deque *deque, int64_t size);
void deque_destroy(struct deque *deque);

/* Doubles the array; the owner. Stops the program if memory is out. */
struct deque_array *deque_grow(struct deque *deque, int64_t top, int64_t bottom);

static inline int64_t deque_count(const struct deque *deque) {
    int64_t count = atomic_load_relaxed(&deque->bottom) - atomic_load_relaxed(&deque->top);
    return count < 0 ? 0 : count;
}

static inline ATOMIC(struct mailbox *) *deque_item(struct deque_array *array, int64_t index) {
    return &array->items[index & (array->size - 1)];
}

static inline void deque_push(struct deque *deque, struct mailbox *mailbox) {
    int64_t bottom = atomic_load_relaxed(&deque->bottom);
    int64_t top = atomic_load_acquire(&deque->top); /* pairs with the compare-and-swap of steal: the slot is free */
    struct deque_array *array = atomic_load_relaxed(&deque->array);
    if (unlikely(bottom - top == array->size))
        array = deque_grow(deque, top, bottom);
    atomic_store_relaxed(deque_item(array, bottom), mailbox);
    atomic_store_release(&deque->bottom, bottom + 1); /* pairs with the load in steal */
}

/* Takes what was pushed last; NULL if there is nothing. */
static inline struct mailbox *deque_pop(struct deque *deque) {
    int64_t bottom = atomic_load_relaxed(&deque->bottom) - 1;
    if (atomic_load_relaxed(&deque->top) > bottom)
        return NULL;                                /* empty, and only the owner makes it otherwise: no fence */
    atomic_store_seq_cst(&deque->bottom, bottom);   /* pairs with the load of bottom in steal */
    int64_t top = atomic_load_seq_cst(&deque->top); /* pairs with the load of top in steal */
    struct mailbox *mailbox = NULL;
    if (top <= bottom) {
        mailbox = atomic_load_relaxed(deque_item(atomic_load_relaxed(&deque->array), bottom));
        if (top < bottom)
            return mailbox;
        if (!atomic_cas_seq_cst(&deque->top, &top, top + 1))
            mailbox = NULL; /* a thief was faster */
    }
    atomic_store_release(&deque->bottom, bottom + 1); /* release, as every store that a thief may read */
    return mailbox;
}

/* Takes what was pushed first. */
static inline enum deque_theft deque_steal(struct deque *deque, struct mailbox **mailbox) {
    int64_t top = atomic_load_seq_cst(&deque->top);
    if (top >= atomic_load_seq_cst(&deque->bottom)) /* pairs with the stores of push and pop */
        return DEQUE_EMPTY;
    struct deque_array *array = atomic_load_acquire(&deque->array); /* pairs with the store in deque_grow */
    *mailbox = atomic_load_relaxed(deque_item(array, top));
    return atomic_cas_seq_cst(&deque->top, &top, top + 1) ? DEQUE_STOLEN : DEQUE_LOST;
}

#endif
