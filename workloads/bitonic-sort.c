/* bitonic-sort: numbers flow through a bitonic sorting network whose every part is an actor (Savina, Imam and Sarkar, AGERE
 * 2014, "Bitonic Sort").
 *
 * The network is built as Savina builds it. Stages merge into sequences of 2, 4, 8, ... numbers; a stage is a row of
 * steps; a step deals its numbers out to partitions, and joins what comes of them; a partition does the same with
 * comparers, which get two numbers each. Before each of these stands a relay, and behind most another. So very many actors
 * have very little to do each. They are made before the clock starts.
 */
#include "network.h"
#include "sorted.h"

static uint64_t numbers = 4096;
static uint64_t amount;      /* of numbers, in this run: a power of 2 */
static uint64_t comparisons; /* one a comparer */

/* Each of these is built from its end, and gives its beginning. */

static part *comparer_new(bool up, struct link next) {
    comparisons++;
    return network_comparer(up, next);
}

/* Compares each number of one half with its like in the other. */
static part *partition_new(uint64_t length, bool up, struct link next) {
    part *joiner = network_joiner(length / 2, 1, (struct link){network_relay(next), 0});
    part *splitter = network_splitter(length / 2, 1);
    for (uint64_t i = 0; i < length / 2; i++)
        network_set_way(splitter, i, comparer_new(up, (struct link){joiner, i}));
    return network_relay((struct link){splitter, 0});
}

/* Partitions of a length, `in_turn` of which sort upwards, as many downwards, and so on. */
static part *step_new(uint64_t length, uint64_t in_turn, part *next) {
    uint64_t count = amount / length;
    part *joiner = network_joiner(count, length, (struct link){next, 0});
    part *splitter = network_splitter(count, length);
    for (uint64_t i = 0; i < count; i++) {
        bool up = i / in_turn % 2 == 0;
        struct link back = {joiner, i};
        network_set_way(splitter, i, length > 2 ? partition_new(length, up, back) : comparer_new(up, back));
    }
    return network_relay((struct link){splitter, 0});
}

/* Merges sequences into such as have this length; the last stage does without relays behind its steps. */
static part *stage_new(uint64_t length, part *next) {
    for (uint64_t i = length / 2; i >= 1; i /= 2)
        next = step_new(length / i, i, length < amount ? network_relay((struct link){next, 0}) : next);
    return network_relay((struct link){next, 0});
}

static part *sorter_new(void) {
    part *first = network_relay((struct link){network_collector(), 0});
    for (uint64_t length = amount; length >= 2; length /= 2)
        first = stage_new(length, first);
    return network_relay((struct link){first, 0});
}

static const struct parameter parameters[] = {
    {"numbers", &numbers, NULL, 2, "to be sorted, a power of 2; --scale multiplies it, down to the power below"},
    {"bits", &sorted_bits, NULL, 1, "of each number"},
    {0},
};

static const struct workload workload = {
    .name = "bitonic-sort",
    .summary = "numbers flow through a bitonic sorting network whose every part is an actor",
    .unit = "comparison",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    if ((numbers & (numbers - 1)) != 0)
        workload_refuse("--numbers %llu: choose a power of 2", (unsigned long long)numbers);
    uint64_t scaled = workload_scaled(numbers);
    for (amount = 2; amount <= scaled / 2; amount *= 2)
        continue;
    sorted_prepare(amount);

    workload_start_executor();
    network_run(sorter_new(), amount);
    actorbench_stop();

    network_free();
    sorted_verify();
    return workload_end(comparisons, 0);
}
