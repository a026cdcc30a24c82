/* A chase: how far a thief has gone, from the worker that has not tried to steal for the longest time on, without success;
 * see victim.h. The thief's own. */
#ifndef ACTORBENCH_SHARDED_CHASE_H
#define ACTORBENCH_SHARDED_CHASE_H

#include <stdbool.h>
#include <stdint.h>

/* When a worker last tried to steal; of two with the same stamp the one with the lower number is the older. */
struct age {
    uint64_t stamp;
    unsigned worker;
};

/* Younger than all. */
#define AGE_NONE ((struct age){UINT64_MAX, UINT32_MAX})

static inline bool age_is_before(struct age one, struct age other) {
    return one.stamp < other.stamp || (one.stamp == other.stamp && one.worker < other.worker);
}

struct chase {
    struct age last; /* the victim of the last attempt, if there was one; the next is younger, or the oldest */
    unsigned attempts;
};

static inline void chase_begin(struct chase *chase) {
    chase->attempts = 0;
}

#endif
