/* A server's first and last steps. */
#include "server.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

enum { OTHER_DESCRIPTORS = 256 /* than those of connections: listeners, pollers, pipes */ };

struct server server = {.timeout = 10, .most = 1000000, .scheme = "", .path = ""};

static bool has_client;
static struct client_result heard;
static bool client_succeeded;

/* As many descriptors as may be had: one a connection, here and in the client. Without a client, whoever comes is sent away if they
 * do not last. */
static void raise_limit(const struct client *client) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    bool raised = setrlimit(RLIMIT_NOFILE, &limit) == 0;
    uint64_t left = limit.rlim_max > OTHER_DESCRIPTORS ? limit.rlim_max - OTHER_DESCRIPTORS : 0;
    if (raised && client != NULL && server.connections > left / client->descriptors)
        workload_refuse("--connections %" PRIu64 ": this process may have %" PRIu64
                        " descriptors, and needs %s%d others (ulimit -Hn)",
                        server.connections, (uint64_t)limit.rlim_max,
                        client->descriptors > 1 ? "two for each and " : "", OTHER_DESCRIPTORS);
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

void server_begin(const struct client *client, unsigned threads) {
    if (server.asked_port > UINT16_MAX)
        workload_refuse("--port cannot be %" PRIu64 ": it is 0 to %d", server.asked_port, UINT16_MAX);
    if (server.timeout > 86400)
        workload_refuse("--timeout cannot be %" PRIu64 ": it is 1 to 86400 s, a day", server.timeout);
    server.port = (uint16_t)server.asked_port;
    has_client = client != NULL;
    raise_limit(client);
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    if (has_client)
        cpus = divide_cpus(threads);
    client_begin(client, &cpus);
}

void server_run(void) {
    const uint16_t *ports = server.endpoints == 0 ? &server.port : server.ports;
    unsigned endpoints = server.endpoints == 0 ? 1 : server.endpoints;
    for (unsigned i = 0; i < endpoints && !has_client; i++)
        (void)fprintf(stderr, "serving on %s127.0.0.1:%u%s\n", server.scheme, ports[i], server.path);
    client_prepare(ports, endpoints);
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

static void compare(uint64_t answered) {
    uint64_t due = server.due + server.falsified;
    if (heard.requests == 0)
        workload_wrong("no request was answered");
    if (server.due != 0 && heard.requests != due)
        workload_wrong("the client had %" PRIu64 " right answers in place of %" PRIu64, heard.requests, due);
    if (answered == SERVER_UNCOUNTED)
        return;
    if (answered < heard.requests || answered - heard.requests > server.unheard)
        workload_wrong("the server answered %" PRIu64 " requests, of which the client heard %" PRIu64, answered,
                       heard.requests);
}

int server_end(uint64_t answered, unsigned workers) {
    if (!has_client) {
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
