/* Makes caches. */
#include "cache.h"

#include "own.h"

void cache_make(struct cache *cache, double bytes, double ways, bool hashed) {
    enum { BYTES_A_LINE = 64 };
    cache->ways = (uint32_t)ways;
    cache->sets = (uint32_t)(bytes / BYTES_A_LINE / ways);
    if (cache->sets == 0)
        cache->sets = 1;
    cache->hashed = hashed;
    cache->tags = own_room((uint64_t)cache->sets * cache->ways * sizeof *cache->tags);
}
