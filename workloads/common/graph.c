/* Draws graphs in which every two nodes have an edge, and finds their shortest paths. */
#include "graph.h"

#include "draw.h"

void graph_draw(uint64_t nodes, uint64_t heaviest, uint64_t *distances) {
    for (uint64_t i = 0; i < nodes; i++) {
        distances[i * nodes + i] = 0;
        for (uint64_t j = 0; j < i; j++)
            distances[i * nodes + j] = distances[j * nodes + i] = upper_below(draw(i, j), heaviest) + 1;
    }
}

void graph_shorten(uint64_t nodes, uint64_t *distances) {
    for (uint64_t node = 0; node < nodes; node++)
        for (uint64_t i = 0; i < nodes; i++)
            for (uint64_t j = 0; j < nodes; j++) {
                uint64_t by_node = distances[i * nodes + node] + distances[node * nodes + j];
                if (by_node < distances[i * nodes + j])
                    distances[i * nodes + j] = by_node;
            }
}
