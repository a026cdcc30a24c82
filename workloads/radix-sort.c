/* radix-sort: numbers go down a chain of actors, each of which sorts them by a bit (Savina, Imam and Sarkar, AGERE 2014,
 * "Radix Sort").
 *
 * The first actor sorts by the lowest bit: it passes on at once what has a 0 there, and keeps back what has a 1 until
 * all have come. So the numbers flow in waves, and as in Savina nothing holds the source back. Every number is a message
 * of its own, from the source to the end of the chain.
 */
#include <stdlib.h>

#include "sorted.h"

static uint64_t numbers = 100000;
static uint64_t amount; /* of numbers, in this run */

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

typedef struct number number;
struct number {
    struct actorbench_message message;
    uint64_t value;
    number *next; /* of those that are kept back with it */
};
ACTORBENCH_MESSAGE_TYPE(number)

typedef struct {
    struct actorbench_actor actor;
    uint64_t bit;      /* which it sorts by */
    uint64_t received; /* numbers */
    number *first, **end;
} sorter;
#define BEHAVIOURS_sorter(ON) ON(sorter, number, sorter_sorts)
ACTORBENCH_ACTOR_TYPE(sorter)

typedef struct {
    struct actorbench_actor actor;
} source;
#define BEHAVIOURS_source(ON) ON(source, notice, source_sends)
ACTORBENCH_ACTOR_TYPE(source)

typedef struct {
    struct actorbench_actor actor;
} collector;
#define BEHAVIOURS_collector(ON) ON(collector, number, collector_takes)
ACTORBENCH_ACTOR_TYPE(collector)

static sorter *sorters; /* by bit */
static collector the_collector;

static enum actorbench_allocation source_sends(source *self, notice *begin) {
    (void)self, (void)begin;
    for (uint64_t i = 0; i < amount; i++) {
        number *made = actorbench_message_new(number, ACTORBENCH_NODELETE);
        made->value = sorted_number(i);
        actorbench_send(sorter, &sorters[0], made);
    }
    return ACTORBENCH_FINISHED;
}

static void pass_on(const sorter *self, number *sorted) {
    if (self->bit + 1 < sorted_bits)
        actorbench_send(sorter, &sorters[self->bit + 1], sorted);
    else
        actorbench_send(collector, &the_collector, sorted);
}

static void keep_back(sorter *self, number *kept) {
    kept->next = NULL;
    *self->end = kept;
    self->end = &kept->next;
}

static enum actorbench_allocation sorter_sorts(sorter *self, number *received) {
    if ((received->value >> self->bit & 1) == 0)
        pass_on(self, received);
    else
        keep_back(self, received);
    if (++self->received < amount)
        return ACTORBENCH_NODELETE;
    for (number *next; self->first != NULL; self->first = next) {
        next = self->first->next; /* who gets the number keeps its own there */
        pass_on(self, self->first);
    }
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation collector_takes(collector *self, number *sorted) {
    (void)self;
    actorbench_message_set_allocation(&sorted->message, ACTORBENCH_DELETE);
    return sorted_take(sorted->value) ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"numbers", &numbers, NULL, 1, "to be sorted; --scale multiplies it"},
    {"bits", &sorted_bits, NULL, 1, "of each number, and actors that sort"},
    {0},
};

static const struct workload workload = {
    .name = "radix-sort",
    .summary = "numbers go down a chain of actors, each of which sorts them by a bit",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    amount = workload_scaled(numbers);
    sorted_prepare(amount);
    sorters = calloc(sorted_bits, sizeof *sorters);
    if (sorters == NULL)
        workload_refuse("there is not enough memory for %llu actors", (unsigned long long)sorted_bits);

    workload_start_executor();
    static source the_source;
    static notice begin;
    actorbench_message_init(notice, &begin, ACTORBENCH_NODELETE);
    actorbench_actor_init(source, &the_source);
    for (uint64_t bit = 0; bit < sorted_bits; bit++) {
        actorbench_actor_init(sorter, &sorters[bit]);
        sorters[bit].bit = bit;
        sorters[bit].end = &sorters[bit].first;
    }
    actorbench_actor_init(collector, &the_collector);
    workload_start_clock();
    actorbench_send(source, &the_source, &begin);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    sorted_verify();
    free(sorters);
    return workload_end(amount * (sorted_bits + 1), 0);
}
