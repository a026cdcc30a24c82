/* link-store: what the store of a link costs alone, with no runtime: after what was written before (release), or fully ordered.
 *
 * A send to a mailbox whose last pointer is exchanged links the message before to the new one (core/actor_centric/swap_mailbox.h).
 * Here nodes of a line each are linked, each to the next, round after round, and nothing else is done: so the two orders' times
 * differ by what the order costs, of which a send as a whole shows a part only. (Spiewak, "Actor Queue Notes", "Fast-Path Write
 * Performance".)
 */
#include <stdlib.h>

#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/memory.h"
#include "workload.h"

enum { ORDER_RELEASE, ORDER_ORDERED };

static uint64_t stores = 200000000, nodes = 128, order = ORDER_RELEASE;

struct node {
    CACHE_ALIGNED ATOMIC(struct node *) next;
};

/* Neither store pairs with anything: there is one thread. */
static inline void link_all(struct node *ring, uint64_t count, bool ordered) {
    for (uint64_t left = count, some; left != 0; left -= some) {
        some = left < nodes ? left : nodes;
        for (struct node *node = ring; node < ring + some; node++)
            if (ordered)
                atomic_store_seq_cst(&node->next, node + 1);
            else
                atomic_store_release(&node->next, node + 1);
    }
}

/* Whether the links lead through all nodes that were linked, and end there. */
static void verify(const struct node *ring, uint64_t linked) {
    const struct node *node = ring;
    uint64_t found = 0;
    while (found < linked && node == ring + found) {
        node = atomic_load_relaxed(&node->next);
        found++;
    }
    if (node != ring + linked)
        workload_wrong("the links go wrong after %llu of %llu nodes", (unsigned long long)found,
                       (unsigned long long)linked);
}

static const struct parameter parameters[] = {
    {"stores", &stores, NULL, 1, "of links in all"},
    {"nodes", &nodes, NULL, 1, "that are linked in turn, a line each"},
    {"order", &order, "release|ordered", 0, "of a store: after what was written before, or fully ordered"},
    {0},
};

static const struct workload workload = {
    .name = "link-store",
    .summary = "what the store of a link costs alone, in either order, without a runtime",
    .unit = "store",
    .parameters = parameters,
    .bare = true,
};

enum { MOST_NODES = 1 << 20 };

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    if (nodes > MOST_NODES)
        workload_refuse("--nodes cannot be %llu: it is 1 to %d", (unsigned long long)nodes, MOST_NODES);
    uint64_t count = workload_scaled(stores);
    struct node *ring = memory_on_node((nodes + 1) * sizeof *ring, CACHE_LINE, ANY_NODE, "the nodes");
    for (uint64_t i = 0; i <= nodes; i++)
        atomic_initialise(&ring[i].next, NULL);
    workload_start_clock();
    if (order == ORDER_ORDERED)
        link_all(ring, count, true);
    else
        link_all(ring, count, false);
    workload_stop_clock();
    verify(ring, count < nodes ? count : nodes);
    free(ring);
    return workload_end(count, 1);
}
