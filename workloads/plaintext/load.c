/* Requests on connections of our own, each answer compared byte for byte but for the date. */
#include "load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "learning.h"
#include "platform/clock.h"
#include "platform/histogram.h"
#include "platform/memory.h"

enum { CONNECTING_AT_ONCE = 128, EVENTS_AT_ONCE = 256, RECEIVE_SIZE = 16 << 10 };

/* A connection; one of CLIENT_CHURN is made anew for each request. */
struct line {
    int socket; /* -1: there is none */
    bool connected;
    size_t waiting;   /* answers that are due */
    size_t unsent;    /* bytes of their requests */
    size_t position;  /* in the answer that comes */
    uint64_t sent_ns; /* when the requests were sent; when a connection for one was asked for */
};

static struct {
    struct client_config config;
    struct sockaddr_in server;
    const struct dialogue *dialogue;
    char *requests; /* as many as are sent at once */
    size_t request_size, answer_size;
    int set; /* of epoll */
    struct line *lines;
    uint64_t open, connecting; /* lines */
    uint64_t unasked;          /* requests */
    bool asks;                 /* no longer only connects */
    struct client_result result;
    struct histogram latency;
} load;

/* ---- One line ----------------------------------------------------------------------------------------------------- */

static void end_line(struct line *line) {
    if (!line->connected)
        load.connecting--;
    (void)close(line->socket);
    line->socket = -1;
    load.open--;
}

static void fail(struct line *line, enum client_error error) {
    load.result.errors[error] += line->waiting;
    end_line(line);
}

/* The server ended a line. If it took its timeout to end one that had its only answer, it forgot to: that has failed. */
static void hear_end(struct line *line) {
    bool late = clock_monotonic_ns() - line->sent_ns >= load.config.timeout_s * UINT64_C(1000000000);
    bool forgotten = load.config.kind == CLIENT_CHURN && line->waiting == 0 && late;
    line->waiting += forgotten;
    fail(line, forgotten ? CLIENT_LATE : CLIENT_LOST); /* LOST, of nothing, if no answer is due */
}

/* Takes the next requests, as many as go together; false if none is left. */
static bool take_requests(struct line *line) {
    line->waiting = load.unasked < load.config.depth ? load.unasked : load.config.depth;
    line->unsent = line->waiting * load.request_size;
    line->sent_ns = clock_monotonic_ns();
    load.unasked -= line->waiting;
    return line->waiting > 0;
}

/* Sends what the kernel takes; false if the line failed. All requests are the same: so what is unsent is the end of `requests`. */
static bool send_requests(struct line *line) {
    const char *end = load.requests + load.config.depth * load.request_size;
    while (line->unsent > 0) {
        ssize_t sent = send(line->socket, end - line->unsent, line->unsent, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return true;
        if (sent < 0) {
            fail(line, CLIENT_LOST);
            return false;
        }
        line->unsent -= (size_t)sent;
    }
    return true;
}

/* Compares what came with what is due; false if the line failed. */
static bool check(struct line *line, const char *bytes, size_t length) {
    uint64_t now_ns = clock_monotonic_ns();
    while (length > 0) {
        size_t part = line->waiting > 0 ? dialogue_matches(load.dialogue, line->position, bytes, length) : 0;
        if (part == 0) {
            load.result.errors[CLIENT_WRONG] += line->waiting == 0; /* an answer to nothing */
            fail(line, CLIENT_WRONG);
            return false;
        }
        bytes += part;
        length -= part;
        line->position += part;
        if (line->position < load.answer_size)
            continue;
        line->position = 0;
        line->waiting--;
        load.result.requests++;
        histogram_add(&load.latency, now_ns - line->sent_ns);
    }
    return true;
}

/* Does what can be done without waiting. */
static void serve(struct line *line) {
    bool lasts = load.config.kind == CLIENT_OWN;
    char bytes[RECEIVE_SIZE];
    for (;;) {
        if (lasts && load.asks && line->waiting == 0 && !take_requests(line)) {
            end_line(line);
            return;
        }
        if (!send_requests(line))
            return;
        ssize_t length = recv(line->socket, bytes, sizeof bytes, 0);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (length <= 0) {
            hear_end(line);
            return;
        }
        if (!check(line, bytes, (size_t)length))
            return;
    }
}

/* ---- All lines ---------------------------------------------------------------------------------------------------- */

/* Begins to connect; a connection for one request takes that along. */
static void open_line(struct line *line) {
    *line = (struct line){.socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (load.config.kind == CLIENT_CHURN)
        (void)take_requests(line);
    struct epoll_event wanted = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = line};
    if (line->socket < 0) {
        load.result.errors[CLIENT_UNCONNECTED] += line->waiting;
        return;
    }
    load.open++;
    load.connecting++;
    int yes = 1;
    (void)setsockopt(line->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes); /* slower without, but right */
    bool connects =
        connect(line->socket, (struct sockaddr *)&load.server, sizeof load.server) == 0 || errno == EINPROGRESS;
    if (!connects || epoll_ctl(load.set, EPOLL_CTL_ADD, line->socket, &wanted) != 0)
        fail(line, CLIENT_UNCONNECTED);
}

static void hear(struct line *line) {
    if (!line->connected) {
        int error = 0;
        socklen_t size = sizeof error;
        if (getsockopt(line->socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
            fail(line, CLIENT_UNCONNECTED);
            return;
        }
        line->connected = true;
        load.connecting--;
    }
    serve(line);
    if (line->socket < 0 && load.config.kind == CLIENT_CHURN && load.unasked > 0)
        open_line(line);
}

/* Waits for what comes and serves it; false if nothing came in time. */
static bool hear_all(void) {
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = epoll_wait(load.set, events, EVENTS_AT_ONCE, (int)load.config.timeout_s * 1000);
    for (int i = 0; i < count; i++)
        hear(events[i].data.ptr);
    return count > 0 || (count < 0 && errno == EINTR);
}

static void connect_lasting(void) {
    uint64_t begun = 0;
    do {
        while (begun < load.config.connections && load.connecting < CONNECTING_AT_ONCE)
            open_line(&load.lines[begun++]);
    } while (load.connecting > 0 && hear_all());
}

/* Puts all requests on their way, and hears the answers. */
static void ask_all(void) {
    load.asks = true;
    for (uint64_t i = 0; i < load.config.connections; i++)
        if (load.config.kind == CLIENT_CHURN && load.unasked > 0)
            open_line(&load.lines[i]);
        else if (load.lines[i].socket >= 0)
            serve(&load.lines[i]);
    while (load.open > 0 && hear_all())
        continue;
}

/* Ends all lines; what they wait for, be it their end, has failed, and what nobody asked. */
static void end_all(void) {
    for (uint64_t i = 0; i < load.config.connections; i++) {
        struct line *line = &load.lines[i];
        if (line->socket < 0)
            continue;
        line->waiting += line->waiting == 0;
        fail(line, CLIENT_LATE);
    }
    load.result.errors[CLIENT_UNCONNECTED] += load.unasked;
}

static char *repeated(const char *text, size_t times) {
    size_t size = strlen(text);
    char *all = memory_block(size * times, "the client's requests");
    for (size_t i = 0; i < times; i++)
        memcpy(all + i * size, text, size);
    return all;
}

/* False if the client cannot begin. */
static bool prepare(const struct client_config *config, uint16_t port) {
    static struct dialogue learnt;
    load.config = *config;
    load.server =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    load.dialogue = config->kind == CLIENT_OWN ? &dialogue_of_many : &dialogue_of_one;
    if (config->learns && !dialogue_learn(&learnt, load.dialogue, port, config->timeout_s))
        return false;
    load.dialogue = config->learns ? &learnt : load.dialogue;
    load.config.depth = config->kind == CLIENT_OWN ? config->depth : 1;
    load.requests = repeated(load.dialogue->request, load.config.depth);
    load.request_size = strlen(load.dialogue->request);
    load.answer_size = dialogue_answer_size(load.dialogue);
    load.lines = memory_zeroed(config->connections, sizeof *load.lines, "the client's connections");
    for (uint64_t i = 0; i < config->connections; i++)
        load.lines[i].socket = -1;
    load.unasked = config->requests;
    load.set = epoll_create1(EPOLL_CLOEXEC);
    return load.set >= 0;
}

bool load_run(const struct client_config *config, uint16_t port, int order, int report) {
    char go;
    if (!prepare(config, port))
        return false;
    if (config->kind == CLIENT_OWN)
        connect_lasting();
    if (write(report, "", 1) != 1 || read(order, &go, 1) != 1)
        return false;
    ask_all();
    end_all();
    for (unsigned i = 0; i < ACTORBENCH_PERCENTILES; i++)
        load.result.latency_ns[i] = (double)histogram_percentile(&load.latency, actorbench_percentiles[i]);
    bool written = write(report, &load.result, sizeof load.result) == (ssize_t)sizeof load.result;
    free(load.requests);
    free(load.lines);
    (void)close(load.set);
    return written;
}
