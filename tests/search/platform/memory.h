/* What takes the place of core/platform/memory.h when core/ is searched: blocks of the world of one execution, which
 * notices use after free, and never refuses. free(3) is replaced with it. */
#ifndef ACTORBENCH_SEARCH_PLATFORM_MEMORY_H
#define ACTORBENCH_SEARCH_PLATFORM_MEMORY_H

#include <stdlib.h>

#include "platform/atomic.h"

#define ANY_NODE (-1)

namespace search {

/* C turns a void * into any pointer; C++ wants to be asked. */
struct any_pointer {
    void *address;
    template <typename T> operator T *() const {
        return static_cast<T *>(address);
    }
};

inline void release(const void *block) {
    the_world.release(block);
}

} // namespace search

inline search::any_pointer memory_block(size_t size, const char *) {
    search::any_pointer block = {search::the_world.allocate(size)};
    return block;
}

inline search::any_pointer memory_zeroed(size_t count, size_t size, const char *what) {
    return memory_block(count * size, what);
}

inline search::any_pointer memory_on_node(size_t size, size_t, int, const char *what) {
    return memory_block(size, what);
}

/* Copies object by object, as the reads and writes that a move of the block is. */
template <typename T>
T *memory_resize_on_node(const search::plain<T *> &block, size_t old_size, size_t size, int, const char *what) {
    T *before = block, *after = memory_block(size, what);
    for (size_t i = 0; i < old_size / sizeof(T) && i < size / sizeof(T); i++)
        after[i] = before[i];
    search::release(before);
    return after;
}

#define free(block) search::release(block)

#endif
