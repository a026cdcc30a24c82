/* The tags of a cache: sets of ways, in each the line that was used last first. */
#ifndef ACTORBENCH_MACHINE_CACHE_H
#define ACTORBENCH_MACHINE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct cache {
    uint32_t sets, ways;
    bool hashed; /* whether the set is a hash of the line's number, as in shared caches */
    uint32_t *tags;
};

void cache_make(struct cache *cache, double bytes, double ways, bool hashed);

static inline uint32_t *cache_set(const struct cache *cache, uint32_t line) {
    uint32_t spread = cache->hashed ? line * UINT32_C(2654435769) : line << 8;
    uint32_t set = cache->hashed ? (uint32_t)((uint64_t)spread * cache->sets >> 32) : line % cache->sets;
    return &cache->tags[(uint64_t)set * cache->ways];
}

static inline void cache_shift(uint32_t *set, uint32_t way, uint32_t line) {
    for (; way > 0; way--)
        set[way] = set[way - 1];
    set[0] = line;
}

/* Uses a line; whether it is there. */
static inline bool cache_use(struct cache *cache, uint32_t line) {
    uint32_t *set = cache_set(cache, line);
    for (uint32_t way = 0; way < cache->ways; way++)
        if (set[way] == line) {
            cache_shift(set, way, line);
            return true;
        }
    return false;
}

/* Puts a line in that was not there; which one had to go, or NO_LINE. */
static inline uint32_t cache_put(struct cache *cache, uint32_t line) {
    uint32_t *set = cache_set(cache, line);
    uint32_t way = 0;
    while (way + 1 < cache->ways && set[way] != 0)
        way++;
    uint32_t gone = set[way];
    cache_shift(set, way, line);
    return gone;
}

/* Takes a line out, if it is there. */
static inline void cache_drop(struct cache *cache, uint32_t line) {
    uint32_t *set = cache_set(cache, line);
    for (uint32_t way = 0; way < cache->ways; way++)
        if (set[way] == line) {
            for (; way + 1 < cache->ways && set[way + 1] != 0; way++)
                set[way] = set[way + 1];
            set[way] = 0;
            return;
        }
}

#endif
