/* quicksort: actors cut lists of numbers in three, have others sort two of them, and join what comes back (Savina: Imam
 * and Sarkar, AGERE 2014; "Quicksort"; React++, "Parallel Quicksort", list-based).
 *
 * A tree of actors that is made as it sorts. Each list is in memory of its own: numbers under the pivot, equal to it, over
 * it; a list shorter than --threshold is sorted where it lies. As in Savina both actors are made even for empty lists.
 * Savina asks for numbers under 2^60, but what it draws has 16 bits, so that each comes about 15 times: here it is
 * --bound that says so. There the list grows with each answer, here it is joined when both are there.
 */
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "workload.h"

static uint64_t numbers = 1000000, threshold = 2048, bound = 65536;
static uint64_t amount; /* of numbers, in this run */

struct list {
    uint32_t *numbers; /* malloc(3)'s */
    uint64_t length;
};

enum { UNDER, EQUAL, OVER, PARTS };

typedef struct {
    struct actorbench_message message;
    struct list list;
} unsorted;
ACTORBENCH_MESSAGE_TYPE(unsorted)

typedef struct {
    struct actorbench_message message;
    struct list list;
    unsigned part; /* which of the receiver's */
} sorted;
ACTORBENCH_MESSAGE_TYPE(sorted)

typedef struct sorter sorter;
struct sorter {
    struct actorbench_actor actor;
    sorter *parent; /* NULL: it is the root */
    unsigned part;  /* of its parent's */
    unsigned missing;
    struct list parts[PARTS];
};
#define BEHAVIOURS_sorter(ON) ON(sorter, unsorted, sorter_cuts) ON(sorter, sorted, sorter_joins)
ACTORBENCH_ACTOR_TYPE(sorter)

static struct list result; /* the root's */

static struct list list_new(uint64_t length) {
    struct list list = {malloc((length + 1) * sizeof *list.numbers), length};
    if (list.numbers == NULL)
        workload_refuse("--numbers %llu: there is not enough memory for so many", (unsigned long long)numbers);
    return list;
}

/* The list, which is freed, in three. */
static void cut(struct list list, struct list parts[PARTS]) {
    uint32_t pivot = list.numbers[list.length / 2];
    uint64_t lengths[PARTS] = {0};
    for (uint64_t i = 0; i < list.length; i++)
        lengths[(list.numbers[i] >= pivot) + (list.numbers[i] > pivot)]++;
    uint32_t *ends[PARTS];
    for (unsigned i = 0; i < PARTS; i++) {
        parts[i] = list_new(lengths[i]);
        ends[i] = parts[i].numbers;
    }
    for (uint64_t i = 0; i < list.length; i++)
        *ends[(list.numbers[i] >= pivot) + (list.numbers[i] > pivot)]++ = list.numbers[i];
    free(list.numbers);
}

/* One list of the parts, which are freed. */
static struct list join(struct list parts[PARTS]) {
    struct list list = list_new(parts[UNDER].length + parts[EQUAL].length + parts[OVER].length);
    uint32_t *end = list.numbers;
    for (unsigned i = 0; i < PARTS; i++) {
        memcpy(end, parts[i].numbers, parts[i].length * sizeof *end);
        end += parts[i].length;
        free(parts[i].numbers);
    }
    return list;
}

static enum actorbench_allocation answer(const sorter *self, struct list list) {
    if (self->parent == NULL) {
        result = list;
        return ACTORBENCH_DELETE;
    }
    sorted *message = actorbench_message_new(sorted, ACTORBENCH_DELETE);
    message->list = list;
    message->part = self->part;
    actorbench_send(sorter, self->parent, message);
    return ACTORBENCH_DELETE;
}

static void delegate(sorter *parent, unsigned part, struct list list) {
    sorter *child = actorbench_actor_new(sorter);
    child->parent = parent;
    child->part = part;
    unsorted *message = actorbench_message_new(unsorted, ACTORBENCH_DELETE);
    message->list = list;
    actorbench_send(sorter, child, message);
}

static enum actorbench_allocation sorter_cuts(sorter *self, unsorted *task) {
    if (task->list.length < threshold) {
        numbers_sort(task->list.numbers, task->list.length);
        return answer(self, task->list);
    }
    cut(task->list, self->parts);
    self->missing = 2;
    delegate(self, UNDER, self->parts[UNDER]);
    delegate(self, OVER, self->parts[OVER]);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation sorter_joins(sorter *self, sorted *part) {
    self->parts[part->part] = part->list;
    return --self->missing == 0 ? answer(self, join(self->parts)) : ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"numbers", &numbers, NULL, 1, "to be sorted; --scale multiplies it"},
    {"threshold", &threshold, NULL, 1, "length from which on a list is cut"},
    {"bound", &bound, NULL, 1, "that all numbers are under"},
    {0},
};

static const struct workload workload = {
    .name = "quicksort",
    .summary = "actors cut lists of numbers, have others sort the parts, and join what comes back",
    .unit = "number",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    amount = workload_scaled(numbers);
    if (bound > UINT64_C(1) << 32)
        workload_refuse("--bound %llu: it must be at most 2^32", (unsigned long long)bound);
    struct list all = {numbers_new(amount, bound), amount};

    workload_start_executor();
    workload_start_clock();
    delegate(NULL, 0, all);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    if (result.length != amount)
        workload_wrong("the root has %llu numbers in place of %llu", (unsigned long long)result.length,
                       (unsigned long long)amount);
    else
        numbers_verify(result.numbers, amount, bound);
    free(result.numbers);
    return workload_end(amount, 0);
}
