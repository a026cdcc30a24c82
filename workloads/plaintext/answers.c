/* The texts, with the date of the second in which they are said. */
#include "answers.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define FIRST_LINES "HTTP/1.1 200 OK\r\nServer: actorbench\r\nDate: "
#define OTHER_LINES "\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n"
#define HELLO       "Hello, World!"

enum { DATE_AT = sizeof FIRST_LINES - 1, DATE_SIZE = 29, LINES_SIZE = DATE_AT + DATE_SIZE + sizeof OTHER_LINES - 1 };

/* Leaves what stands there if there is no such date: after the year 9999. */
static void write_date(char *to, time_t seconds) {
    struct tm broken;
    char text[DATE_SIZE + 1];
    if (gmtime_r(&seconds, &broken) != NULL && strftime(text, sizeof text, "%a, %d %b %Y %T GMT", &broken) == DATE_SIZE)
        memcpy(to, text, DATE_SIZE);
}

/* The lines of every 200, with this second's date: a copy a thread. */
static const char *lines_at(uint64_t now_ns) {
    static _Thread_local char lines[] = FIRST_LINES "Thu, 01 Jan 1970 00:00:00 GMT" OTHER_LINES;
    static _Thread_local uint64_t until_ns;
    if (now_ns >= until_ns) {
        struct timespec now;
        (void)clock_gettime(CLOCK_REALTIME, &now); /* which cannot fail for this clock */
        write_date(lines + DATE_AT, now.tv_sec);
        until_ns = now_ns + UINT64_C(1000000000) - (uint64_t)now.tv_nsec;
    }
    return lines;
}

static void add(struct http_batch *batch, const char *text, size_t length) {
    memcpy(batch->text + batch->length, text, length);
    batch->length += (unsigned)length;
}

static void add_text(struct http_batch *batch, const char *text) {
    add(batch, text, strlen(text));
}

void batch_add_hello(struct http_batch *batch, const char *connection, bool head_only, uint64_t now_ns) {
    add(batch, lines_at(now_ns), LINES_SIZE);
    if (connection != NULL) {
        add_text(batch, "Connection: ");
        add_text(batch, connection);
        add_text(batch, "\r\n");
    }
    add_text(batch, head_only ? "\r\n" : "\r\n" HELLO);
    batch->ends[batch->count++] = (uint16_t)batch->length;
}

void batch_add_error(struct http_batch *batch, const char *status, uint64_t now_ns) {
    batch->length += (unsigned)write_error(batch->text + batch->length, status, now_ns);
}

unsigned batch_pass(struct http_batch *batch, size_t sent) {
    unsigned before = batch->passed;
    batch->sent += (unsigned)sent;
    while (batch->passed < batch->count && batch->ends[batch->passed] <= batch->sent)
        batch->passed++;
    return batch->passed - before;
}

size_t write_error(char to[ANSWER_SIZE], const char *status, uint64_t now_ns) {
    const char *allow = strncmp(status, "405", 3) == 0 ? "Allow: GET, HEAD\r\n" : "";
    return (size_t)snprintf(to, ANSWER_SIZE,
                            "HTTP/1.1 %s\r\nServer: actorbench\r\nDate: %.*s\r\n%sContent-Length: 0\r\n"
                            "Connection: close\r\n\r\n",
                            status, DATE_SIZE, lines_at(now_ns) + DATE_AT, allow);
}
