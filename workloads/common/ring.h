/* A queue of pointers with room for so many: where a workload's actors keep what waits. */
#ifndef ACTORBENCH_WORKLOADS_RING_H
#define ACTORBENCH_WORKLOADS_RING_H

#include <stdlib.h>

#include "workload.h"

struct ring {
    void **places;
    uint64_t room, first, count, most; /* places; the oldest; how many wait, and did at a time */
};

/* Ends the program if memory is out; free(3) releases `places`. */
static inline struct ring ring_new(uint64_t room) {
    void **places = calloc(room, sizeof *places);
    if (places == NULL)
        workload_refuse("there is not enough memory for %llu that wait", (unsigned long long)room);
    return (struct ring){places, room, 0, 0, 0};
}

/* There must be room. */
static inline void ring_put(struct ring *ring, void *what) {
    ring->places[(ring->first + ring->count++) % ring->room] = what;
    ring->most = ring->count > ring->most ? ring->count : ring->most;
}

/* The oldest; there must be one. */
static inline void *ring_take(struct ring *ring) {
    void *oldest = ring->places[ring->first];
    ring->first = (ring->first + 1) % ring->room;
    ring->count--;
    return oldest;
}

#endif
