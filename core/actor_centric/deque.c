/* The arrays of a deque. */
#include "deque.h"

#include <stdlib.h>

#include "platform/memory.h"

static struct deque_array *make_array(int64_t size, struct deque_array *outgrown) {
    struct deque_array *array = memory_block(sizeof *array + (size_t)size * sizeof array->items[0], "a deque");
    array->outgrown = outgrown;
    array->size = size;
    return array;
}

void deque_init(struct deque *deque, int64_t size) {
    atomic_initialise(&deque->top, 0);
    atomic_initialise(&deque->bottom, 0);
    atomic_initialise(&deque->array, make_array(size, NULL));
}

void deque_destroy(struct deque *deque) {
    struct deque_array *array = atomic_load_relaxed(&deque->array);
    while (array != NULL) {
        struct deque_array *outgrown = array->outgrown;
        free(array);
        array = outgrown;
    }
}

struct deque_array *deque_grow(struct deque *deque, int64_t top, int64_t bottom) {
    struct deque_array *before = atomic_load_relaxed(&deque->array);
    struct deque_array *after = make_array(2 * before->size, before);
    for (int64_t i = top; i < bottom; i++)
        atomic_store_relaxed(deque_item(after, i), atomic_load_relaxed(deque_item(before, i)));
    atomic_store_release(&deque->array, after); /* pairs with the acquire in deque_steal */
    return after;
}
