/* quicksort-array: actors cut an array in two again and again; each hands on one part and keeps the other (React++,
 * "Parallel Quicksort", array-based).
 *
 * No actor answers: all end, and then the array is sorted. At the height of the tree of actors, which has 2^height leaves,
 * each sorts what it has left. The source has 500 million integers: 2 GB, of 32 bits. What it leaves open: here parts
 * are cut as Hoare does, around the number in the middle, and the numbers are of all 32 bits.
 */
#include <stdlib.h>

#include "numbers.h"
#include "workload.h"

static uint64_t numbers = 500000000, height = 5;
static const uint64_t bound = UINT64_C(1) << 32;

typedef struct {
    struct actorbench_message message;
} sign;
ACTORBENCH_MESSAGE_TYPE(sign)

typedef struct {
    struct actorbench_actor actor;
    uint32_t *first;
    uint64_t count, depth;
} sorter;
#define BEHAVIOURS_sorter(ON) ON(sorter, sign, sorter_sorts)
ACTORBENCH_ACTOR_TYPE(sorter)

static sign go; /* one for all: what is sent is its address */

static void delegate(uint32_t *first, uint64_t count, uint64_t depth) {
    sorter *child = actorbench_actor_new(sorter);
    child->first = first;
    child->count = count;
    child->depth = depth;
    actorbench_send(sorter, child, &go);
}

static enum actorbench_allocation sorter_sorts(sorter *self, sign *message) {
    (void)message;
    uint64_t count = self->count;
    for (uint64_t depth = self->depth; depth < height && count > 1;) {
        uint64_t left = numbers_part(self->first, count);
        delegate(self->first + left, count - left, ++depth);
        count = left;
    }
    numbers_sort(self->first, count);
    return ACTORBENCH_DELETE;
}

static const struct parameter parameters[] = {
    {"numbers", &numbers, NULL, 1, "to be sorted; --scale multiplies it"},
    {"height", &height, NULL, 0, "of the tree of actors: how often a part is cut before it is sorted"},
    {0},
};

static const struct workload workload = {
    .name = "quicksort-array",
    .summary = "actors cut an array in two again and again; each hands on one part and keeps the other",
    .unit = "number",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    uint64_t amount = workload_scaled(numbers);
    uint32_t *array = numbers_new(amount, bound);

    workload_start_executor();
    actorbench_message_init(sign, &go, ACTORBENCH_NODELETE);
    workload_start_clock();
    delegate(array, amount, 0);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    numbers_verify(array, amount, bound);
    free(array);
    return workload_end(amount, 0);
}
