/* What the server of http.h says, and the batch in which answers go to the kernel together. */
#ifndef ACTORBENCH_PLAINTEXT_ANSWERS_H
#define ACTORBENCH_PLAINTEXT_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    READ_SIZE = 2048,      /* bytes of requests that one batch answers */
    ANSWER_SIZE = 192,     /* no answer is larger */
    SHORTEST_REQUEST = 16, /* GET / HTTP/1.1, two line feeds: of those after which another one is read */
    MOST_ANSWERS =
        READ_SIZE / SHORTEST_REQUEST + 2, /* the first request may have begun before, and an error ends them */
};

/* Answers to one read: on the stack, or what the kernel did not take of them on the heap. */
struct http_batch {
    unsigned length, sent;       /* bytes */
    unsigned count, passed;      /* answers of 200, and those that were sent whole */
    uint16_t ends[MOST_ANSWERS]; /* of each of them */
    char text[MOST_ANSWERS *
              ANSWER_SIZE]; /* the last one, so that what lies on the heap may be cut off behind its length */
};
_Static_assert(MOST_ANSWERS *ANSWER_SIZE <= UINT16_MAX, "an end must fit");

static inline void batch_clear(struct http_batch *batch) {
    batch->length = batch->sent = batch->count = batch->passed = 0;
}

/* Adds the answer of 200; `connection`: what its header of this name says, NULL: there is none. */
void batch_add_hello(struct http_batch *batch, const char *connection, bool head_only, uint64_t now_ns);

/* Adds an error's answer; `status`, such as "404 Not Found". */
void batch_add_error(struct http_batch *batch, const char *status, uint64_t now_ns);

/* Counts bytes as sent; returns the answers of 200 that became whole by that. */
unsigned batch_pass(struct http_batch *batch, size_t sent);

/* Writes an error's answer, and returns its length. */
size_t write_error(char to[ANSWER_SIZE], const char *status, uint64_t now_ns);

#endif
