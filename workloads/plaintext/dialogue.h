/* What our own client asks of a server, and the answer that is due: written once more, not taken from the server. */
#ifndef ACTORBENCH_PLAINTEXT_DIALOGUE_H
#define ACTORBENCH_PLAINTEXT_DIALOGUE_H

#include <stddef.h>
#include <string.h>

enum { DIALOGUE_DATE_SIZE = 29 };

struct dialogue {
    const char *request, *before_date, *after_date;
};

/* On a connection that lasts. */
static const struct dialogue dialogue_of_many = {
    "GET /plaintext HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nServer: actorbench\r\nDate: ",
    "\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, World!",
};

/* On a connection of its own. */
static const struct dialogue dialogue_of_one = {
    "GET /plaintext HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    "HTTP/1.1 200 OK\r\nServer: actorbench\r\nDate: ",
    "\r\nContent-Type: text/plain\r\nContent-Length: 13\r\nConnection: close\r\n\r\nHello, World!",
};

static inline size_t dialogue_answer_size(const struct dialogue *dialogue) {
    return strlen(dialogue->before_date) + DIALOGUE_DATE_SIZE + strlen(dialogue->after_date);
}

/* How many of these bytes are due from a position in the answer on, as far as they or a part of it go; 0: one of them is not. Any date
 * is right. */
static inline size_t dialogue_matches(const struct dialogue *dialogue, size_t position, const char *bytes,
                                      size_t length) {
    size_t date_at = strlen(dialogue->before_date), date_end = date_at + DIALOGUE_DATE_SIZE;
    size_t end = dialogue_answer_size(dialogue);
    const char *due = dialogue->after_date;
    if (position < date_at) {
        due = dialogue->before_date + position;
        end = date_at;
    } else if (position < date_end) {
        due = bytes;
        end = date_end;
    } else {
        due += position - date_end;
    }
    size_t part = length < end - position ? length : end - position;
    return memcmp(bytes, due, part) == 0 ? part : 0;
}

#endif
