/* concdict: entities read and write a dictionary that one actor keeps (Savina, "Concurrent Dictionary").
 *
 * A request costs the keeper little, so that messages decide. The dictionary is a hash table with open addressing; as in
 * Savina, it holds every key from the start.
 */
#include <stdlib.h>

#include "keeper.h"

struct entry {
    uint64_t key; /* plus 1; 0: the entry is free */
    uint64_t value;
};
static struct entry *table;
static uint64_t mask; /* the table's size, a power of two, minus 1 */

/* The key's entry, or the free one where it belongs. Half the table is free, so that the search ends, and soon. */
static struct entry *find(uint64_t key) {
    uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    while (table[at & mask].key != 0 && table[at & mask].key != key + 1)
        at++;
    return &table[at & mask];
}

static uint64_t table_read(uint64_t key) {
    return find(key)->value;
}

/* Answers the former value. */
static uint64_t table_write(uint64_t key, uint64_t value) {
    struct entry *entry = find(key);
    uint64_t former = entry->value;
    *entry = (struct entry){key + 1, value};
    return former;
}

/* The model: a value for each key. */
static uint64_t *values;

static uint64_t model_read(uint64_t key) {
    return values[key];
}

static uint64_t model_write(uint64_t key, uint64_t value) {
    uint64_t former = values[key];
    values[key] = value;
    return former;
}

static uint64_t count_keys(void) {
    return keeper_keys; /* nobody asks for it */
}

static const struct structure dictionary = {table_read, table_write, count_keys};
static const struct structure model = {model_read, model_write, count_keys};

static const struct parameter parameters[] = {
    KEEPER_PARAMETERS,
    {0},
};

static const struct workload workload = {
    .name = "concdict",
    .summary = "entities read and write a dictionary that one actor keeps",
    .unit = "request",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    keeper_entities = 100;
    keeper_messages = 50000;
    keeper_keys = 524287; /* Savina's: a 4096th of Java's integers */
    workload_begin(&workload, argc, argv);
    uint64_t requests = keeper_prepare(), size = 2;
    while (size < 2 * keeper_keys)
        size *= 2;
    mask = size - 1;
    table = calloc(size, sizeof *table);
    values = calloc(keeper_keys, sizeof *values);
    if (table == NULL || values == NULL)
        workload_refuse("--keys %llu: there is not enough memory for so many", (unsigned long long)keeper_keys);
    for (uint64_t key = 0; key < keeper_keys; key++) {
        (void)table_write(key, key);
        values[key] = key;
    }

    workload_start_executor();
    keeper_run(&dictionary);
    actorbench_stop();

    keeper_verify(&model);
    for (uint64_t key = 0; key < keeper_keys; key++)
        if (table_read(key) != values[key]) {
            workload_wrong("the dictionary holds %llu for key %llu in place of %llu",
                           (unsigned long long)table_read(key), (unsigned long long)key,
                           (unsigned long long)values[key]);
            break;
        }
    free(values);
    free(table);
    return workload_end(requests, 0);
}
