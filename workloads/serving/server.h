/* What all servers share: parameters, their client, the timed span, the verdict.
 *
 * A server's main calls server_begin behind workload_begin, opens its entrances on server.port, serves by threads of its own,
 * and lets server_run have the first one meanwhile; then it ends what it serves, adds up what was answered, and returns server_end.
 */
#ifndef ACTORBENCH_SERVING_SERVER_H
#define ACTORBENCH_SERVING_SERVER_H

#include <stdint.h>

#include "client.h"
#include "workload.h"

struct server {
    uint64_t asked_port, timeout, most; /* parameters; the timeout in s */
    uint64_t connections;               /* of the client, at a time */
    const char *scheme, *path;          /* of its address, around host and port */
    uint16_t port;                      /* that is listened on; until then the one asked for */
    const uint16_t *ports;              /* if it listens on several: so many */
    unsigned endpoints;                 /* of them; 0: on `port` alone */
    uint64_t due;                       /* right answers that the client has to have; 0: as many as come */
    uint64_t unheard;                   /* answers that it may leave unread */
    uint64_t falsified;                 /* answers more than there can be: for tests */
};

extern struct server server;

#define SERVER_PORT \
    { "port", &server.asked_port, NULL, 0, "of 127.0.0.1; 0: a free one" }
#define SERVER_TIMEOUT \
    { "timeout", &server.timeout, NULL, 1, "s without a whole request, after which a connection ends" }
#define SERVER_MOST \
    { "most", &server.most, NULL, 1, "connections; others are sent away" }

/* In place of a number: of a server that does not count what it answers. */
#define SERVER_UNCOUNTED UINT64_MAX

/* Forks the client, if there is one, and gives it CPUs of its own if there are more than `threads` of the server; 0: it may use them all.
 * Before any other thread, and before the executor looks for CPUs. Ends the program by workload_refuse where parameters do not fit. */
void server_begin(const struct client *client, unsigned threads);

/* Lets the client ask, and waits until it is done; without one, until SIGINT or SIGTERM. This is the timed span. Once connections are
 * taken. */
void server_run(void);

/* Compares what the server answered, or SERVER_UNCOUNTED, with what the client counted, and returns what main does. */
int server_end(uint64_t answered, unsigned workers);

#endif
