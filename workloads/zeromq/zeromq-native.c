/* zeromq-native: what zeromq does, by libzmq: its I/O threads, and REP sockets with a thread and an endpoint each.
 *
 * One socket would be the slower side of many I/O threads; so React++ takes several, over which the clients spread (5.3). All these
 * threads have the CPUs that as many workers have. Where those are bound to a CPU each, I/O threads are bound to all of these:
 * libzmq does not tell them apart.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <zmq.h>

#include "asking.h"
#include "platform/memory.h"
#include "platform/topology.h"

enum { MOST_THREADS = 1024 };

static uint64_t io_threads = 1, sockets, pin = PIN_NONE;
static void *context;

struct endpoint {
    pthread_t thread;
    void *socket;
    int cpu; /* that it is bound to; -1: none */
    uint64_t answered;
};

static void *serve(void *own) {
    struct endpoint *self = own;
    zmq_msg_t message;
    if (self->cpu >= 0)
        (void)topology_bind_thread(self->cpu); /* it serves as well elsewhere */
    (void)zmq_msg_init(&message);              /* which cannot fail */
    for (;;) {
        int length = zmq_msg_recv(&message, self->socket, 0);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            break; /* the context has been shut down */
        bool last = zmq_msg_more(&message) == 0;
        int sent;
        do
            sent = zmq_msg_send(&message, self->socket, last ? 0 : ZMQ_SNDMORE);
        while (sent < 0 && errno == EINTR);
        if (sent < 0)
            break;
        self->answered += last;
    }
    (void)zmq_msg_close(&message);
    (void)zmq_close(self->socket);
    return NULL;
}

/* Binds a socket to a port, 0: a free one; returns that. */
static uint16_t bind_socket(struct endpoint *endpoint, unsigned port) {
    char address[64];
    size_t size = sizeof address;
    int linger = 0, backlog = SOMAXCONN;
    unsigned bound;
    (void)snprintf(address, sizeof address, port == 0 ? "tcp://127.0.0.1:*" : "tcp://127.0.0.1:%u", port);
    endpoint->socket = zmq_socket(context, ZMQ_REP);
    if (endpoint->socket == NULL || zmq_setsockopt(endpoint->socket, ZMQ_LINGER, &linger, sizeof linger) != 0 ||
        zmq_setsockopt(endpoint->socket, ZMQ_BACKLOG, &backlog, sizeof backlog) != 0 ||
        zmq_bind(endpoint->socket, address) != 0 ||
        zmq_getsockopt(endpoint->socket, ZMQ_LAST_ENDPOINT, address, &size) != 0 ||
        sscanf(address, "tcp://127.0.0.1:%u", &bound) != 1)
        workload_refuse("--port %u cannot be listened on: %s", port, zmq_strerror(errno));
    return (uint16_t)bound;
}

/* The plan of `--pin`, whose CPUs the server has by now; its caller frees what it holds. */
static struct cpu_plan planned(void) {
    struct cpu_plan plan = {0};
    const char *why = topology_plan(NULL, (enum pin_plan)pin, &plan);
    if (why != NULL)
        workload_refuse("%s", why);
    return plan;
}

static void start_context(const struct cpu_plan *plan) {
    context = zmq_ctx_new();
    bool started = context != NULL && zmq_ctx_set(context, ZMQ_IO_THREADS, (int)io_threads) == 0 &&
                   zmq_ctx_set(context, ZMQ_MAX_SOCKETS, (int)sockets + 1) == 0;
    for (unsigned i = 0; started && pin != PIN_NONE && i < io_threads && i < plan->count; i++)
        started = zmq_ctx_set(context, ZMQ_THREAD_AFFINITY_CPU_ADD, plan->places[i].cpu) == 0;
    if (!started)
        workload_refuse("libzmq cannot be started: %s", zmq_strerror(errno));
}

static struct endpoint *start_endpoints(const struct cpu_plan *plan) {
    static uint16_t ports[MOST_THREADS];
    struct endpoint *endpoints = memory_zeroed(sockets, sizeof *endpoints, "the sockets");
    for (uint64_t i = 0; i < sockets; i++)
        ports[i] = bind_socket(&endpoints[i], server.port == 0 ? 0 : server.port + (unsigned)i);
    server.ports = ports;
    server.endpoints = (unsigned)sockets;
    for (uint64_t i = 0; i < sockets; i++) {
        endpoints[i].cpu = pin == PIN_NONE ? -1 : plan->places[i % plan->count].cpu;
        int error = pthread_create(&endpoints[i].thread, NULL, serve, &endpoints[i]);
        if (error != 0)
            workload_refuse("thread %u cannot be started: %s", (unsigned)i, strerror(error));
    }
    return endpoints;
}

/* Ends them; how many requests they have answered. */
static uint64_t end_endpoints(struct endpoint *endpoints) {
    uint64_t answered = 0;
    if (zmq_ctx_shutdown(context) != 0)
        workload_refuse("libzmq cannot be ended: %s", zmq_strerror(errno));
    for (uint64_t i = 0; i < sockets; i++) {
        int error = pthread_join(endpoints[i].thread, NULL);
        if (error != 0)
            workload_refuse("thread %u cannot be joined: %s", (unsigned)i, strerror(error));
        answered += endpoints[i].answered;
    }
    while (zmq_ctx_term(context) != 0 && errno == EINTR)
        continue;
    free(endpoints);
    return answered;
}

/* Called as the runtime's options are, so that figures have both over workers. */
static const struct parameter parameters[] = {
    {"workers", &io_threads, NULL, 1, "libzmq's I/O threads"},
    {"sockets", &sockets, NULL, 0, "of REP, a thread and a port each; 0: as many as workers"},
    {"pin", &pin, PIN_CHOICES, 0, "the order in which their CPUs are taken"},
    ASKING_PARAMETERS,
    {"timeout", &server.timeout, NULL, 1, "s without a reply, after which the client gives up"},
    {0},
};

static const struct workload workload = {
    .name = "zeromq-native",
    .summary = "what zeromq does, by libzmq's own server, without a runtime",
    .unit = "request",
    .parameters = parameters,
    .bare = true,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    if (io_threads > MOST_THREADS)
        workload_refuse("--workers cannot be %llu: it is 1 to %d", (unsigned long long)io_threads, MOST_THREADS);
    if (sockets > MOST_THREADS)
        workload_refuse("--sockets cannot be %llu: it is 0 to %d", (unsigned long long)sockets, MOST_THREADS);
    sockets = sockets == 0 ? io_threads : sockets;
    asking_begin((unsigned)io_threads);
    if (server.port + sockets > UINT16_MAX && server.port != 0)
        workload_refuse("--port %u: there are no %llu ports from there on", server.port, (unsigned long long)sockets);
    struct cpu_plan plan = planned();
    start_context(&plan);
    struct endpoint *endpoints = start_endpoints(&plan);
    free(plan.places);
    server_run();
    return server_end(end_endpoints(endpoints), (unsigned)io_threads);
}
