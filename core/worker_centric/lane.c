/* Lanes: their beginning and end. */
#include "lane.h"

#include <stdlib.h>

_Thread_local uint64_t lane_self;

static ATOMIC(uint64_t) producers;

struct lane *lane_make(void) {
    struct lane *lane = (struct lane *)memory_on_node(sizeof *lane, CACHE_LINE, ANY_NODE, "a lane");
    if (lane_self == 0)
        lane_self = atomic_fetch_add_relaxed(&producers, 1) + 1; /* relaxed: only has to be different */
    lane->producer = lane_self;
    lane->first = block_take(NULL);
    lane_fill(lane, lane->first);
    lane->next = lane->given = 0;
    lane->empty = NULL;
    atomic_initialise(&lane->sent, 0);
    atomic_initialise(&lane->taken, 0);
    atomic_initialise(&lane->spare, NULL);
    return lane;
}

void lane_free(struct lane *lane) {
    if (lane == NULL)
        return;
    block_free_chain(lane->first);
    block_free_chain(lane->empty);
    block_free_chain(atomic_load_acquire(&lane->spare));
    free(lane);
}
