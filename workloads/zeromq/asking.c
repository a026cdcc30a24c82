/* The amounts, as the parameters choose them. */
#include "asking.h"

#include <inttypes.h>

#include "load.h"

enum { MOST_CONNECTIONS = 20000 /* a port has no more for a host, and libzmq not many more sockets */ };
static const uint64_t most_size = 16 << 20;

/* As many connections as React++'s client has. */
struct asking asking = {.connections = 1024, .requests = 2000000, .size = 64};

static struct load load;

static bool run_load(const struct client_ports *ports, int order, int report) {
    return load_run(&load, ports, order, report);
}

static const struct client client = {.run = run_load,
                                     .descriptors = 2 /* a socket of libzmq's has another to be woken by */};

/* Requests in all: those that were asked for, or those that the volume holds. */
static uint64_t amount(void) {
    uint64_t requests = workload_scaled(asking.requests);
    if (asking.volume == 0 || asking.size == 0)
        return requests;
    double held = (double)asking.volume * (1 << 20) * workload_scale() / (double)asking.size;
    return held >= (double)requests ? requests : held < 1 ? 1 : (uint64_t)held;
}

void asking_begin(unsigned threads) {
    if (asking.size > most_size)
        workload_refuse("--size cannot be %" PRIu64 ": it is 0 to %" PRIu64 ", 16 MiB", asking.size, most_size);
    if (asking.connections > MOST_CONNECTIONS)
        workload_refuse("--connections cannot be %" PRIu64 ": it is 1 to %d", asking.connections, MOST_CONNECTIONS);
    load = (struct load){.connections = (unsigned)asking.connections,
                         .requests = amount(),
                         .size = asking.size,
                         .timeout_s = server.timeout};
    server.connections = asking.connections;
    server.scheme = "tcp://";
    server.due = load.requests;
    server_begin(asking.client == ASKING_NONE ? NULL : &client, threads);
}

/* ThreadSanitizer sees nothing of what libzmq does to order its threads: what that calls, itself or by C++'s library, is not looked at.
 * All else here is C. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN
#endif
#endif
#if defined(UNDER_TSAN) || defined(__SANITIZE_THREAD__)
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
    return "called_from_lib:libzmq.so\ncalled_from_lib:libstdc++.so\n";
}
#endif
