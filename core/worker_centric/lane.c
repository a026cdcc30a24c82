/* Lanes and their producers: their beginning and end. */
#include "lane.h"

#include <stdlib.h>

struct producers producers = {.round = 1};

struct producer *producer_make(void) {
    struct producer *producer = (struct producer *)memory_on_node(sizeof *producer, CACHE_LINE, ANY_NODE, "a sender");
    producer->first = producer->count = 0;
    producer->next = atomic_load_relaxed(&producers.first);
    while (!atomic_cas_acq_rel(&producers.first, &producer->next, producer)) /* pairs with the acquire below */
        continue;
    return producer;
}

void producers_release(void) {
    struct producer *next, *producer = atomic_exchange_acq_rel(&producers.first, (struct producer *)NULL);
    producers.round++;
    for (; producer != NULL; producer = next) {
        next = producer->next;
        for (unsigned i = 0; i < producer->count; i++)
            block_free(producer->empty[(producer->first + i) % MOST_EMPTY]);
        free(producer);
    }
}

struct lane *lane_make(struct producer *producer) {
    struct lane *lane = (struct lane *)memory_on_node(sizeof *lane, CACHE_LINE, ANY_NODE, "a lane");
    lane->producer = producer;
    atomic_initialise(&lane->further, NULL);
    lane->first = block_take(NULL);
    lane_fill(lane, lane->first);
    lane->next = lane->given = 0;
    atomic_initialise(&lane->sent, 0);
    atomic_initialise(&lane->taken, 0);
    atomic_initialise(&lane->spare, NULL);
    return lane;
}

void lane_free(struct lane *lane) {
    for (struct lane *next; lane != NULL; lane = next) {
        next = lane_at(&lane->further);
        block_free_chain(lane->first);
        block_free_chain(atomic_load_acquire(&lane->spare));
        free(lane);
    }
}
