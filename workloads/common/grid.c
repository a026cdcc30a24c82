/* Who came first to a node is an atomic word of it. */
#include "grid.h"

#include <stdlib.h>

#include "draw.h"
#include "platform/atomic.h"

static uint64_t side;
static ATOMIC(uint32_t) *origins; /* by node: the one from which it was claimed, plus 1; 0: it is not claimed */

bool grid_make(uint64_t nodes) {
    side = nodes;
    origins = calloc(side * side * side, sizeof *origins);
    if (origins == NULL)
        return false;
    atomic_store_relaxed(&origins[0], 1); /* no thread searches yet */
    return true;
}

void grid_free(void) {
    free(origins);
}

static uint64_t number_of(uint64_t i, uint64_t j, uint64_t k) {
    return (i * side + j) * side + k;
}

uint64_t grid_target(void) {
    uint64_t along = side * 4 / 5;
    return number_of(along, along, along);
}

static uint64_t at_most(uint64_t place) {
    return place < side ? place : side - 1;
}

unsigned grid_neighbours(uint64_t node, uint64_t neighbours[MOST_NEIGHBOURS]) {
    enum { FIRST = 1, LAST = 6 }; /* directions to go, a bit each: all sets but none and all three */
    uint64_t i = node / side / side, j = node / side % side, k = node % side, drawn = draw(0, node);
    unsigned count = 0;
    for (unsigned step = FIRST; step <= LAST; step++) {
        uint64_t next = number_of(at_most(i + (step >> 2)), at_most(j + (step >> 1 & 1)), at_most(k + (step & 1)));
        bool leads = (drawn >> step & 1) != 0 || (step == LAST && count == 0);
        for (unsigned other = 0; other < count; other++)
            leads = leads && neighbours[other] != next;
        if (leads && next != node)
            neighbours[count++] = next;
    }
    return count;
}

/* Pairs with nothing: only who was first counts, and what comes of it goes by messages. */
bool grid_claim(uint64_t node, uint64_t from) {
    uint32_t nobody = 0;
    return atomic_load_relaxed(&origins[node]) == 0 && atomic_cas_acq_rel(&origins[node], &nobody, (uint32_t)from + 1);
}

static bool leads_to(uint64_t from, uint64_t node) {
    uint64_t neighbours[MOST_NEIGHBOURS];
    bool leads = false;
    for (unsigned count = grid_neighbours(from, neighbours), i = 0; i < count; i++)
        leads = leads || neighbours[i] == node;
    return leads;
}

bool grid_check(struct grid_findings *findings) {
    uint64_t nodes = side * side * side;
    bool *reached = calloc(nodes, sizeof *reached);
    if (reached == NULL)
        return false;
    *findings = (struct grid_findings){0};
    reached[0] = true;
    for (uint64_t node = 0; node < nodes; node++) {
        uint64_t neighbours[MOST_NEIGHBOURS];
        uint32_t origin = atomic_load_relaxed(&origins[node]); /* after the search */
        findings->wrong += reached[node] != (origin != 0);
        findings->wrong += node != 0 && origin != 0 && !leads_to(origin - 1, node);
        if (!reached[node])
            continue;
        findings->reachable++;
        for (unsigned count = grid_neighbours(node, neighbours), i = 0; i < count; i++)
            reached[neighbours[i]] = true;
    }
    findings->target = reached[grid_target()];
    free(reached);
    return true;
}
