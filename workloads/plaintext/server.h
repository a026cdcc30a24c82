/* What the servers of this folder share: parameters, their client, the timed span, the verdict.
 *
 * A server's main calls server_begin behind workload_begin, opens its entrances on server.port, serves by threads of its own,
 * and lets server_run have the first one meanwhile; then it ends what it serves, adds up what was answered, and returns server_end.
 */
#ifndef ACTORBENCH_PLAINTEXT_SERVER_H
#define ACTORBENCH_PLAINTEXT_SERVER_H

#include <stdint.h>

#include "client.h"
#include "workload.h"

struct server {
    uint64_t client, connections, requests, seconds, depth; /* parameters, as client.h says */
    uint64_t asked_port, timeout, most;                     /* parameters; the timeout in s */
    uint16_t port;                                          /* that is listened on; until then the one asked for */
    bool foreign;                                           /* its answers are to be learnt, as learning.h does */
    uint64_t falsified;                                     /* answers more than there can be: for tests */
};
extern struct server server;

#define CLIENT_PARAMETERS                                                                               \
    {"client", &server.client, CLIENT_CHOICES, 0, "who asks"},                                          \
        {"connections", &server.connections, NULL, 1, "at a time"},                                     \
        {"requests", &server.requests, NULL, 1, "in all, but of wrk; --scale multiplies it"},           \
        {"seconds", &server.seconds, NULL, 1, "that wrk asks for; --scale multiplies it"},              \
        {"depth", &server.depth, NULL, 1, "own: requests on their way on a connection"},                \
        {"port", &server.asked_port, NULL, 0, "of 127.0.0.1; 0: a free one"}, {                         \
        "timeout", &server.timeout, NULL, 1, "s without a whole request, after which a connection ends" \
    }

#define SERVER_PARAMETERS                                                  \
    CLIENT_PARAMETERS, {                                                   \
        "most", &server.most, NULL, 1, "connections; others are sent away" \
    }

/* In place of a number: of a server that does not count what it answers. */
#define SERVER_UNCOUNTED UINT64_MAX

/* Forks the client, and gives it CPUs of its own if there are more than `threads` of the server; 0: it may use them all. Before any
 * other thread, and before the executor looks for CPUs. Ends the program by workload_refuse where parameters do not fit. */
void server_begin(unsigned threads);

/* Lets the client ask, and waits until it is done; without one, until SIGINT or SIGTERM. This is the timed span. Once connections are
 * taken. */
void server_run(void);

/* Compares what the server answered, or SERVER_UNCOUNTED, with what the client counted, and returns what main does. */
int server_end(uint64_t answered, unsigned workers);

#endif
