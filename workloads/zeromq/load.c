/* Threads, as many as CPUs, with sockets of their own: each asks on all of them, and hears what comes. */
#include "load.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

#include "contents.h"
#include "platform/clock.h"
#include "platform/histogram.h"
#include "platform/memory.h"

/* A connection. */
struct line {
    uint64_t number, left; /* of the connection; requests that are not answered */
    uint64_t asked;        /* requests: the number of the next */
    uint64_t sent_ns;      /* the last one */
};

struct asker {
    pthread_t thread;
    unsigned first, count; /* of the connections; how many have something left to ask */
    struct line *lines;
    zmq_pollitem_t *sockets; /* as `lines` */
    struct client_result result;
    struct histogram latency;
};

static struct {
    struct load what;
    struct client_ports ports;
    void *context;
    pthread_barrier_t steps; /* they are connected; they may ask */
} load;

/* Stays behind its last line no longer: the last one takes its place. */
static void end_line(struct asker *self, unsigned at) {
    (void)zmq_close(self->sockets[at].socket);
    self->count--;
    self->lines[at] = self->lines[self->count];
    self->sockets[at] = self->sockets[self->count];
}

/* All that is left to ask on this line has failed. */
static void fail(struct asker *self, unsigned at, enum client_error error) {
    self->result.errors[error] += self->lines[at].left;
    end_line(self, at);
}

/* Opens a line's socket; NULL if that fails. ZMQ_IMMEDIATE: it can be written to when the server has said READY, not before. */
static void *open_socket(uint64_t number) {
    char address[64];
    int immediate = 1, linger = 0, never = -1;
    void *socket = zmq_socket(load.context, ZMQ_REQ);
    (void)snprintf(address, sizeof address, "tcp://127.0.0.1:%u", load.ports.of[number % load.ports.count]);
    if (socket != NULL && zmq_setsockopt(socket, ZMQ_IMMEDIATE, &immediate, sizeof immediate) == 0 &&
        zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger) == 0 &&
        zmq_setsockopt(socket, ZMQ_RECONNECT_IVL, &never, sizeof never) == 0 && zmq_connect(socket, address) == 0)
        return socket;
    if (socket != NULL)
        (void)zmq_close(socket);
    return NULL;
}

/* Waits until something is ready; false if nothing was in time. */
static bool hear(struct asker *self) {
    int ready;
    do
        ready = zmq_poll(self->sockets, (int)self->count, (long)load.what.timeout_s * 1000);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

static void connect_lines(struct asker *self) {
    for (unsigned i = 0; i < self->count;) {
        self->sockets[i] = (zmq_pollitem_t){.socket = open_socket(self->lines[i].number), .events = ZMQ_POLLOUT};
        if (self->sockets[i].socket != NULL) {
            i++;
            continue;
        }
        self->result.errors[CLIENT_UNCONNECTED] += self->lines[i].left;
        self->lines[i] = self->lines[--self->count];
    }
    unsigned connected = 0;
    while (connected < self->count && hear(self))
        for (unsigned i = 0; i < self->count; i++)
            if (self->sockets[i].revents != 0) {
                self->sockets[i].events = 0;
                connected++;
            }
    for (unsigned i = self->count; i-- > 0;)
        if (self->sockets[i].events != 0)
            fail(self, i, CLIENT_UNCONNECTED);
    for (unsigned i = 0; i < self->count; i++)
        self->sockets[i].events = ZMQ_POLLIN;
}

/* Sends the next request; ends the line if there is none, or it fails. False: it was ended. */
static bool ask(struct asker *self, unsigned at) {
    struct line *line = &self->lines[at];
    zmq_msg_t request;
    if (line->left == 0) {
        end_line(self, at);
        return false;
    }
    if (zmq_msg_init_size(&request, load.what.size) == 0) {
        contents_write(zmq_msg_data(&request), load.what.size, line->number, line->asked);
        line->sent_ns = clock_monotonic_ns();
        if (zmq_msg_send(&request, self->sockets[at].socket, ZMQ_DONTWAIT) >= 0) {
            line->asked++;
            return true;
        }
        (void)zmq_msg_close(&request);
    }
    fail(self, at, CLIENT_LOST);
    return false;
}

/* Takes a reply of one part, and compares it; false if the line ended. */
static bool take(struct asker *self, unsigned at) {
    struct line *line = &self->lines[at];
    zmq_msg_t reply;
    (void)zmq_msg_init(&reply); /* which cannot fail */
    if (zmq_msg_recv(&reply, self->sockets[at].socket, ZMQ_DONTWAIT) < 0) {
        bool waits = errno == EAGAIN || errno == EINTR;
        (void)zmq_msg_close(&reply);
        if (!waits)
            fail(self, at, CLIENT_LOST);
        return waits;
    }
    bool right = zmq_msg_size(&reply) == load.what.size && zmq_msg_more(&reply) == 0 &&
                 contents_are(zmq_msg_data(&reply), load.what.size, line->number, line->asked - 1);
    (void)zmq_msg_close(&reply);
    if (!right) {
        fail(self, at, CLIENT_WRONG);
        return false;
    }
    histogram_add(&self->latency, clock_monotonic_ns() - line->sent_ns);
    self->result.requests++;
    line->left--;
    return ask(self, at);
}

static void *run(void *own) {
    struct asker *self = own;
    connect_lines(self);
    (void)pthread_barrier_wait(&load.steps);
    (void)pthread_barrier_wait(&load.steps);
    for (unsigned i = 0; i < self->count;)
        i += ask(self, i) ? 1 : 0;
    while (self->count > 0 && hear(self))
        for (unsigned i = 0; i < self->count;)
            i += self->sockets[i].revents == 0 || take(self, i) ? 1 : 0;
    while (self->count > 0)
        fail(self, 0, CLIENT_LATE);
    return NULL;
}

/* Deals the connections out: `own` of them, and what each asks. */
static void prepare(struct asker *self, unsigned first, unsigned own) {
    self->first = first;
    self->count = own;
    self->lines = memory_zeroed(own, sizeof *self->lines, "the client's connections");
    self->sockets = memory_zeroed(own, sizeof *self->sockets, "the client's sockets");
    for (unsigned i = 0; i < own; i++) {
        uint64_t number = first + i;
        self->lines[i].number = number;
        self->lines[i].left =
            load.what.requests / load.what.connections + (number < load.what.requests % load.what.connections);
    }
}

static bool start(struct asker *askers, unsigned threads) {
    unsigned connections = load.what.connections, first = 0;
    load.context = zmq_ctx_new();
    if (load.context == NULL || zmq_ctx_set(load.context, ZMQ_IO_THREADS, (int)threads) != 0 ||
        zmq_ctx_set(load.context, ZMQ_MAX_SOCKETS, (int)connections + 1) != 0 ||
        pthread_barrier_init(&load.steps, NULL, threads + 1) != 0)
        return false;
    for (unsigned i = 0; i < threads; i++) {
        unsigned own = connections / threads + (i < connections % threads);
        prepare(&askers[i], first, own);
        first += own;
        if (pthread_create(&askers[i].thread, NULL, run, &askers[i]) != 0)
            return false;
    }
    return true;
}

/* Adds up what the threads found; false if one of them cannot be joined. */
static bool sum_up(struct asker *askers, unsigned threads, struct client_result *result) {
    static struct histogram latency;
    for (unsigned i = 0; i < threads; i++) {
        if (pthread_join(askers[i].thread, NULL) != 0)
            return false;
        result->requests += askers[i].result.requests;
        for (unsigned error = 0; error < CLIENT_ERRORS; error++)
            result->errors[error] += askers[i].result.errors[error];
        histogram_merge(&latency, &askers[i].latency);
        free(askers[i].lines);
        free(askers[i].sockets);
    }
    for (unsigned i = 0; i < ACTORBENCH_PERCENTILES; i++)
        result->latency_ns[i] = (double)histogram_percentile(&latency, actorbench_percentiles[i]);
    return true;
}

bool load_run(const struct load *what, const struct client_ports *ports, int order, int report) {
    cpu_set_t cpus;
    unsigned threads = sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? (unsigned)CPU_COUNT(&cpus) : 1;
    struct client_result result = {0};
    char go;
    load.what = *what;
    load.ports = *ports;
    threads = threads < what->connections ? threads : what->connections;
    struct asker *askers = memory_zeroed(threads, sizeof *askers, "the client's threads");
    contents_make(what->size);
    if (!start(askers, threads))
        return false;
    (void)pthread_barrier_wait(&load.steps);
    if (write(report, "", 1) != 1 || read(order, &go, 1) != 1)
        return false;
    (void)pthread_barrier_wait(&load.steps);
    bool written = sum_up(askers, threads, &result) && write(report, &result, sizeof result) == (ssize_t)sizeof result;
    (void)zmq_ctx_term(load.context);
    contents_free();
    free(askers);
    return written;
}
