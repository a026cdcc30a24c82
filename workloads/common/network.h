/* The parts of a sorting network, an actor each: what bitonic-sort is built of.
 *
 * A number is one message all the way, from the network's source to its collector. Last comes an end, which each part passes
 * on as it ends; a joiner waits for one from each that it joins.
 */
#ifndef ACTORBENCH_WORKLOADS_NETWORK_H
#define ACTORBENCH_WORKLOADS_NETWORK_H

#include "workload.h"

/* Parts are made by one thread, while the executor runs; if memory is out, the program ends with status 2. */
typedef struct part part;

/* Where numbers go next, and by which way if that is a joiner (otherwise it does not matter). */
struct link {
    part *to;
    uint64_t way;
};

/* Passes on what comes. */
part *network_relay(struct link next);

/* Of two numbers that come, passes on the smaller one first if `up`, the greater one if not. */
part *network_comparer(bool up, struct link next);

/* Deals what comes out to `count` parts, in turn, `run` numbers at a time; network_set_way says which part is which. */
part *network_splitter(uint64_t count, uint64_t run);
void network_set_way(part *splitter, uint64_t way, part *to);

/* Joins what comes by `count` ways, in turn, `run` numbers at a time. */
part *network_joiner(uint64_t count, uint64_t run, struct link next);

/* Gives sorted_take what comes. */
part *network_collector(void);

/* Starts the clock, sends so many of the numbers of sorted.h to `first`, and then the end; stops the clock when all parts
 * have ended. */
void network_run(part *first, uint64_t numbers);

/* Frees all parts, after actorbench_stop. */
void network_free(void);

#endif
