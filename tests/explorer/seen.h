/* The set of the hashes of the schedules that were run, to count how many different ones there are. */
#ifndef ACTORBENCH_TESTS_EXPLORER_SEEN_H
#define ACTORBENCH_TESTS_EXPLORER_SEEN_H

#include <stdint.h>
#include <stdlib.h>

#include "platform/memory.h"

/* Open addressing; 0 is no hash. */
struct seen {
    uint64_t *hashes;
    uint64_t mask, count;
};

/* Room for so many. */
static inline struct seen seen_new(uint64_t most) {
    uint64_t size = 2;
    while (size < 2 * most)
        size *= 2;
    return (struct seen){memory_zeroed(size, sizeof(uint64_t), "the schedules' hashes"), size - 1, 0};
}

static inline void seen_add(struct seen *seen, uint64_t hash) {
    hash += hash == 0;
    uint64_t at = hash * UINT64_C(0x9e3779b97f4a7c15) >> 32 & seen->mask;
    while (seen->hashes[at] != 0 && seen->hashes[at] != hash)
        at = (at + 1) & seen->mask;
    seen->count += seen->hashes[at] == 0;
    seen->hashes[at] = hash;
}

static inline void seen_release(struct seen *seen) {
    free(seen->hashes);
}

#endif
