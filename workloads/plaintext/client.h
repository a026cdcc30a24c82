/* The load on a server of this folder: a child process, forked before the server has any thread, that asks and counts.
 *
 * For servers' mains, from their first thread; what goes wrong before the load ends the program by workload_refuse.
 */
#ifndef ACTORBENCH_PLAINTEXT_CLIENT_H
#define ACTORBENCH_PLAINTEXT_CLIENT_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "executor.h"

/* Who asks: our own client on connections that last, or on a new one a request; wrk(1), ab(1); whoever likes to. */
enum client_kind { CLIENT_OWN, CLIENT_CHURN, CLIENT_WRK, CLIENT_AB, CLIENT_NONE };
#define CLIENT_CHOICES "own|churn|wrk|ab|none"

struct client_config {
    enum client_kind kind;
    uint64_t connections; /* at a time */
    uint64_t requests;    /* in all; wrk: as many as it can make in `seconds` */
    uint64_t seconds;
    uint64_t depth;     /* requests that are on their way on a connection of our own client */
    uint64_t timeout_s; /* without an answer, after which it gives up */
    bool learns;        /* own and churn: what the server answers, as learning.h does; its words are not ours */
    cpu_set_t cpus;     /* that it may run on */
};

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

/* Forks the client, which waits; CLIENT_NONE: keeps SIGINT and SIGTERM from every thread that is made from here on. */
void client_begin(const struct client_config *config);

/* Shows it the server on this port of 127.0.0.1, and returns when it could ask: our own client connects before. */
void client_prepare(uint16_t port);

/* Lets it ask. */
void client_go(void);

/* Waits until it is done (CLIENT_NONE: for SIGINT or SIGTERM; then all of the result is zero). False if it failed as a whole, which
 * it says by workload_wrong. */
bool client_wait(struct client_result *result);

#endif
