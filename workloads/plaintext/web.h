/* What plaintext's servers share beyond all others: who asks them, and how. */
#ifndef ACTORBENCH_PLAINTEXT_WEB_H
#define ACTORBENCH_PLAINTEXT_WEB_H

#include <stdbool.h>
#include <stdint.h>

#include "server.h"

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
    cpu_set_t cpus;     /* that it may run on: of wrk, a thread each */
};

struct web {
    uint64_t client, connections, requests, seconds, depth; /* parameters, as above */
    bool foreign;                                           /* its answers are to be learnt, as learning.h does */
};

extern struct web web;

#define WEB_PARAMETERS                                                                                               \
    {"client", &web.client, CLIENT_CHOICES, 0, "who asks"}, {"connections", &web.connections, NULL, 1, "at a time"}, \
        {"requests", &web.requests, NULL, 1, "in all, but of wrk; --scale multiplies it"},                           \
        {"seconds", &web.seconds, NULL, 1, "that wrk asks for; --scale multiplies it"},                              \
        {"depth", &web.depth, NULL, 1, "own: requests on their way on a connection"}, SERVER_PORT, SERVER_TIMEOUT

/* server_begin with the client that is asked for. */
void web_begin(unsigned threads);

#endif
