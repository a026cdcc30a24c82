/* Lanes and their producers: their beginning and end, and who waits for whom. */
#include "lane.h"

#include <stdlib.h>

#include "platform/clock.h"

struct producers producers = {.round = 1};

struct producer *producer_make(void) {
    struct producer *producer = (struct producer *)memory_on_node(sizeof *producer, CACHE_LINE, ANY_NODE, "a sender");
    producer->pool = (struct block_pool){.first = NULL};
    producer->lanes = 0;
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
        block_pool_release(&producer->pool);
        free(producer);
    }
}

struct lane *lane_make(struct producer *producer) {
    struct lane *lane = (struct lane *)memory_on_node(sizeof *lane, CACHE_LINE, ANY_NODE, "a lane");
    lane->producer = producer;
    producer->lanes++;
    atomic_initialise(&lane->further, NULL);
    lane->first = block_take(NULL);
    lane_fill(lane, lane->first);
    lane->next = lane->skip = lane->vain = 0;
    atomic_initialise(&lane->sent, 0);
    atomic_initialise(&lane->taken, 0);
    return lane;
}

void lane_free(struct lane *lane) {
    for (struct lane *next; lane != NULL; lane = next) {
        next = lane_at(&lane->further);
        block_free_chain(lane->first);
        free(lane);
    }
}

void lane_let_catch_up(struct lane *lane) {
    unsigned share = MOST_AHEAD / lane->producer->lanes;
    uint64_t most = (uint64_t)(share > LANE_BLOCKS ? share : LANE_BLOCKS) * BLOCK_ENVELOPES;
    bool is_close = lane_count(lane) <= most;
    if (!is_close && lane->skip != 0) {
        lane->skip--;
        return;
    }
    uint64_t start = clock_monotonic_ns();
    while (!is_close && clock_monotonic_ns() - start < CATCH_UP_NS) {
        cpu_yield();
        is_close = lane_count(lane) <= most;
    }
    lane->vain = is_close ? 0 : 2 * lane->vain + 1;
    lane->skip = lane->vain;
}
