/* A hash table with open addressing, which holds every key from the start, and its model: a value for each key. */
#include "dictionary.h"

#include <inttypes.h>
#include <stdlib.h>

#include "draw.h"
#include "run.h"

static struct entry {
    uint64_t key; /* plus 1; 0: the entry is free */
    uint64_t value;
} * table;
static uint64_t mask; /* the table's size, a power of two, minus 1 */

static uint64_t entities, messages, writes, keys;

static uint32_t *served; /* by request: which entity's */
static uint64_t count;   /* of requests served */

/* The key's entry, or the free one where it belongs. Half the table is free, so that the search ends, and soon. */
static struct entry *find(uint64_t key) {
    uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    while (table[at & mask].key != 0 && table[at & mask].key != key + 1)
        at++;
    return &table[at & mask];
}

static void *room(uint64_t number, size_t size) {
    void *memory = calloc(number, size);
    if (memory == NULL)
        run_refuse("there is not enough memory for so many entities, requests and keys");
    return memory;
}

void dictionary_make(uint64_t its_entities, uint64_t its_messages, uint64_t its_writes, uint64_t its_keys) {
    entities = its_entities;
    messages = its_messages;
    writes = its_writes;
    keys = its_keys;
    if (entities > UINT32_MAX || messages > UINT32_MAX || keys > UINT32_MAX)
        run_refuse("--entities, --keys and the messages must each be under 2^32");
    uint64_t size = 2;
    while (size < 2 * keys)
        size *= 2;
    mask = size - 1;
    table = room(size, sizeof *table);
    served = room(entities, messages * sizeof *served);
    for (uint64_t key = 0; key < keys; key++)
        *find(key) = (struct entry){key + 1, key};
}

struct question dictionary_ask(uint64_t entity, uint64_t number) {
    uint64_t drawn = draw(entity, number);
    return (struct question){upper_below(drawn, keys), drawn, lower_below(drawn, 100) < writes};
}

uint64_t dictionary_serve(uint64_t entity, const struct question *question) {
    served[count++] = (uint32_t)entity;
    struct entry *entry = find(question->key);
    uint64_t answer = entry->value;
    if (question->writes)
        entry->value = question->value;
    return answer;
}

uint64_t dictionary_sum(uint64_t checksum, uint64_t answer) {
    return checksum * UINT64_C(0x9e3779b97f4a7c15) + answer + 1;
}

uint32_t dictionary_is_done(void) {
    return count == entities * messages;
}

static void check_answers(const uint64_t *checksums, uint64_t *values) {
    struct {
        uint64_t asked, checksum;
    } *due = room(entities, sizeof *due);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t entity = served[i];
        struct question question = dictionary_ask(entity, due[entity].asked++);
        due[entity].checksum = dictionary_sum(due[entity].checksum, values[question.key]);
        if (question.writes)
            values[question.key] = question.value;
    }
    for (uint64_t i = 0; i < entities; i++) {
        if (!run_expect(due[i].asked, messages, "requests of an entity were served"))
            break;
        if (due[i].checksum != checksums[i]) {
            run_wrong("an entity was given a wrong answer");
            break;
        }
    }
    free(due);
}

void dictionary_check(const uint64_t *checksums) {
    uint64_t *values = room(keys, sizeof *values);
    for (uint64_t key = 0; key < keys; key++)
        values[key] = key;
    check_answers(checksums, values);
    for (uint64_t key = 0; key < keys; key++)
        if (find(key)->value != values[key]) {
            run_wrong("the dictionary holds a wrong value");
            break;
        }
    free(values);
    free(served);
    free(table);
}
