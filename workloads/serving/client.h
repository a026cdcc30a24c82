/* The load on a server: a child process, forked before the server has any thread, that asks and counts.
 *
 * For server.c, from its first thread; what goes wrong before the load ends the program by workload_refuse.
 */
#ifndef ACTORBENCH_SERVING_CLIENT_H
#define ACTORBENCH_SERVING_CLIENT_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "executor.h"

/* Why requests failed. */
enum client_error {
    CLIENT_UNCONNECTED, /* there was no connection to ask on */
    CLIENT_LOST,        /* the connection broke, or was closed */
    CLIENT_LATE,        /* no answer came in time */
    CLIENT_WRONG,       /* another answer came */
    CLIENT_ERRORS,
};

struct client_result {
    uint64_t requests; /* rightly answered */
    uint64_t errors[CLIENT_ERRORS];
    double latency_ns[ACTORBENCH_PERCENTILES]; /* at actorbench_percentiles; NAN: not known */
};

enum { CLIENT_MOST_PORTS = 1024 };

struct client_ports {
    unsigned count;
    uint16_t of[CLIENT_MOST_PORTS];
};

struct client {
    /* What the child does, given the server's ports: writes a byte to `report` when it could begin, begins with a byte from `order`, and
     * writes in the end a client_result, or a text that `read` understands. Whether that went well. */
    bool (*run)(const struct client_ports *ports, int order, int report);
    /* Reads that text; false if it says no result. NULL: there is none. */
    bool (*read)(const char *text, struct client_result *result);
    unsigned descriptors; /* that it needs a connection */
};

/* Forks the client, which waits, and may run on these CPUs; NULL: keeps SIGINT and SIGTERM from every thread that is made from here on. */
void client_begin(const struct client *client, const cpu_set_t *cpus);

/* Shows it the server on these ports of 127.0.0.1, and returns when it could ask. */
void client_prepare(const uint16_t *ports, unsigned count);

/* Lets it ask. */
void client_go(void);

/* Waits until it is done (without one: for SIGINT or SIGTERM; then all of the result is zero). False if it failed as a whole, which it
 * says by workload_wrong. */
bool client_wait(struct client_result *result);

#endif
