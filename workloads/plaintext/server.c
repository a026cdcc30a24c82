/* A server's first and last steps. */
#include "server.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

enum {
    OTHER_DESCRIPTORS = 256, /* than those of connections: listeners, pollers, pipes */
    MOST_DEPTH = 1000,
};

/* The amounts of React++'s churning clients, and the time of its lasting ones. */
struct server server = {
    .connections = 5000, .requests = 5000000, .seconds = 60, .depth = 1, .timeout = 10, .most = 1000000};

static struct client_result heard;
static bool client_succeeded;

/* As many descriptors as may be had: one a connection, here and in the client. Without a client, whoever comes is sent away if they
 * do not last. */
static void raise_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    bool raised = setrlimit(RLIMIT_NOFILE, &limit) == 0;
    if (raised && server.client != CLIENT_NONE && limit.rlim_max < server.connections + OTHER_DESCRIPTORS)
        workload_refuse("--connections %" PRIu64 ": this process may have %" PRIu64
                        " descriptors, and needs %d others (ulimit -Hn)",
                        server.connections, (uint64_t)limit.rlim_max, OTHER_DESCRIPTORS);
}

/* Keeps the server on the first CPUs and returns the others, for the client; if there are none, both share all. */
static cpu_set_t divide_cpus(unsigned threads) {
    cpu_set_t all, ours, others;
    CPU_ZERO(&all);
    CPU_ZERO(&ours);
    CPU_ZERO(&others);
    bool known = sched_getaffinity(0, sizeof all, &all) == 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, CPU_COUNT(&ours) < (int)threads ? &ours : &others);
    if (known && threads > 0 && CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof ours, &ours) == 0)
        return others;
    workload_note("client and server share CPUs");
    return all;
}

void server_begin(unsigned threads) {
    if (server.asked_port > UINT16_MAX)
        workload_refuse("--port cannot be %" PRIu64 ": it is 0 to %d", server.asked_port, UINT16_MAX);
    if (server.depth > MOST_DEPTH)
        workload_refuse("--depth cannot be %" PRIu64 ": it is 1 to %d", server.depth, MOST_DEPTH);
    if (server.timeout > 86400)
        workload_refuse("--timeout cannot be %" PRIu64 ": it is 1 to 86400 s, a day", server.timeout);
    struct client_config config = {
        .kind = (enum client_kind)server.client,
        .connections = server.connections,
        .requests = workload_scaled(server.requests),
        .seconds = workload_scaled(server.seconds),
        .depth = server.depth,
        .timeout_s = server.timeout,
        .learns = server.foreign,
    };
    server.port = (uint16_t)server.asked_port;
    raise_limit();
    if (config.kind != CLIENT_NONE)
        config.cpus = divide_cpus(threads);
    client_begin(&config);
}

void server_run(void) {
    if (server.client == CLIENT_NONE)
        (void)fprintf(stderr, "serving on http://127.0.0.1:%u/plaintext\n", server.port);
    client_prepare(server.port);
    workload_start_clock(); /* before: who is woken late must not find that it has ended */
    client_go();
    client_succeeded = client_wait(&heard);
    workload_stop_clock();
}

static void look_at_errors(void) {
    static const char *const kinds[CLIENT_ERRORS] = {"had no connection", "lost theirs", "had no answer in time",
                                                     "had a wrong answer"};
    for (unsigned i = 0; i < CLIENT_ERRORS; i++)
        if (heard.errors[i] != 0)
            workload_wrong("%" PRIu64 " requests %s", heard.errors[i], kinds[i]);
}

/* wrk leaves when its time is up: some answers it does not wait for, one a connection. */
static void compare(uint64_t answered) {
    uint64_t due = workload_scaled(server.requests) + server.falsified;
    uint64_t unheard = server.client == CLIENT_WRK ? server.connections : 0;
    if (heard.requests == 0)
        workload_wrong("no request was answered");
    if (server.client != CLIENT_WRK && heard.requests != due)
        workload_wrong("the client had %" PRIu64 " right answers in place of %" PRIu64, heard.requests, due);
    if (answered == SERVER_UNCOUNTED)
        return;
    if (answered < heard.requests || answered - heard.requests > unheard)
        workload_wrong("the server answered %" PRIu64 " requests, of which the client heard %" PRIu64, answered,
                       heard.requests);
}

int server_end(uint64_t answered, unsigned workers) {
    if (server.client == CLIENT_NONE) {
        if (answered == 0)
            workload_wrong("nobody asked");
        return workload_end(answered, workers);
    }
    if (client_succeeded) {
        look_at_errors();
        compare(answered);
        workload_measure_latency(heard.latency_ns);
    }
    return workload_end(heard.requests, workers);
}
