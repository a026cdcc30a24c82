/* concsll: entities read and write a sorted linked list that one actor keeps (Savina, "Concurrent Sorted Linked-List").
 *
 * A request walks the list, on average half of it, so that the keeper's memory decides. Each write inserts a key, be it
 * there already or not: the list grows with the requests, and the time with the square of --scale. Savina draws keys from
 * all integers, so that hardly any is found; here some are.
 */
#include <stdlib.h>

#include "keeper.h"

struct node {
    struct node *next;
    uint64_t key;
};
static struct node *nodes; /* room for one a request, so that nothing is allocated while the clock runs */
static struct node *head;
static uint64_t inserted;

/* The link to the first node whose key is no smaller. */
static struct node **find(uint64_t key) {
    struct node **link = &head;
    while (*link != NULL && (*link)->key < key)
        link = &(*link)->next;
    return link;
}

static uint64_t list_contains(uint64_t key) {
    const struct node *found = *find(key);
    return found != NULL && found->key == key;
}

static uint64_t list_insert(uint64_t key, uint64_t value) {
    (void)value;
    struct node **link = find(key), *node = &nodes[inserted++];
    *node = (struct node){*link, key};
    *link = node;
    return key;
}

static uint64_t list_size(void) {
    uint64_t size = 0;
    for (const struct node *node = head; node != NULL; node = node->next)
        size++;
    return size;
}

/* The model: how often each key is there. */
static uint64_t *counts, model_size;

static uint64_t model_contains(uint64_t key) {
    return counts[key] != 0;
}

static uint64_t model_insert(uint64_t key, uint64_t value) {
    (void)value;
    counts[key]++;
    model_size++;
    return key;
}

static uint64_t model_counts(void) {
    return model_size;
}

static const struct structure list = {list_contains, list_insert, list_size};
static const struct structure model = {model_contains, model_insert, model_counts};

static const struct parameter parameters[] = {
    KEEPER_PARAMETERS,
    {"sizes", &keeper_sizes, NULL, 0, "percent of the requests that ask for the list's length"},
    {0},
};

static const struct workload workload = {
    .name = "concsll",
    .summary = "entities read and write a sorted linked list that one actor keeps",
    .unit = "request",
    .parameters = parameters,
};

/* The list is sorted, and holds each key as often as the model. */
static void verify_list(void) {
    const struct node *node = head;
    for (uint64_t key = 0; key < keeper_keys; key++) {
        uint64_t count = 0;
        for (; node != NULL && node->key == key; node = node->next)
            count++;
        if (count != counts[key]) {
            workload_wrong("the list holds key %llu at its place %llu times in place of %llu", (unsigned long long)key,
                           (unsigned long long)count, (unsigned long long)counts[key]);
            return;
        }
    }
    if (node != NULL)
        workload_wrong("the list goes on with key %llu after the last", (unsigned long long)node->key);
}

int main(int argc, char **argv) {
    keeper_sizes = 1;
    workload_begin(&workload, argc, argv);
    uint64_t requests = keeper_prepare();
    nodes = calloc(requests, sizeof *nodes);
    counts = calloc(keeper_keys, sizeof *counts);
    if (nodes == NULL || counts == NULL)
        workload_refuse("there is not enough memory for %llu nodes and %llu keys", (unsigned long long)requests,
                        (unsigned long long)keeper_keys);

    workload_start_executor();
    keeper_run(&list);
    actorbench_stop();

    keeper_verify(&model);
    verify_list();
    free(counts);
    free(nodes);
    return workload_end(requests, 0);
}
