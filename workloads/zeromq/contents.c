/* The text, of which each request has a part. */
#include "contents.h"

#include <stdlib.h>
#include <string.h>

#include "platform/memory.h"

enum { PARTS = 1 << 16 /* that begin at different places */ };

static unsigned char *text;

/* Steele, Lea and Flood's SplitMix64: the number after `state`. */
static uint64_t mixed(uint64_t state) {
    state += UINT64_C(0x9e3779b97f4a7c15);
    state = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    state = (state ^ state >> 27) * UINT64_C(0x94d049bb133111eb);
    return state ^ state >> 31;
}

void contents_make(uint64_t size) {
    text = memory_block(size + PARTS, "the client's requests");
    for (uint64_t i = 0; i < size + PARTS; i++)
        text[i] = (unsigned char)(mixed(i) >> 56);
}

struct parts {
    uint64_t numbers[2];
    uint64_t numbers_size; /* all or nothing */
    const unsigned char *rest;
};

static struct parts parts_of(uint64_t size, uint64_t connection, uint64_t request) {
    struct parts parts = {.numbers = {connection, request}};
    parts.numbers_size = size < sizeof parts.numbers ? 0 : sizeof parts.numbers;
    parts.rest = text + mixed(mixed(connection) + request) % PARTS;
    return parts;
}

void contents_write(void *to, uint64_t size, uint64_t connection, uint64_t request) {
    struct parts parts = parts_of(size, connection, request);
    memcpy(to, parts.numbers, parts.numbers_size);
    memcpy((unsigned char *)to + parts.numbers_size, parts.rest, size - parts.numbers_size);
}

bool contents_are(const void *these, uint64_t size, uint64_t connection, uint64_t request) {
    struct parts parts = parts_of(size, connection, request);
    return memcmp(these, parts.numbers, parts.numbers_size) == 0 &&
           memcmp((const unsigned char *)these + parts.numbers_size, parts.rest, size - parts.numbers_size) == 0;
}

void contents_free(void) {
    free(text);
}
