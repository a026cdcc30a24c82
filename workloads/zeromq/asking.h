/* What the servers of this folder share beyond all others: how much libzmq, as the client, asks them. */
#ifndef ACTORBENCH_ZEROMQ_ASKING_H
#define ACTORBENCH_ZEROMQ_ASKING_H

#include <stdint.h>

#include "server.h"

/* Who asks: libzmq, or whoever likes to. */
enum asking_client { ASKING_LIBZMQ, ASKING_NONE };

struct asking {
    uint64_t client, connections, requests, size, volume; /* parameters; the volume in MiB */
};

extern struct asking asking;

#define ASKING_PARAMETERS                                                                         \
    {"client", &asking.client, "libzmq|none", 0, "who asks"},                                     \
        {"connections", &asking.connections, NULL, 1, "at a time, a request on its way on each"}, \
        {"requests", &asking.requests, NULL, 1, "in all; --scale multiplies it"},                 \
        {"size", &asking.size, NULL, 0, "of a request, and of its reply: bytes"},                 \
        {"volume", &asking.volume, NULL, 0, "MiB of requests at most, which --scale multiplies; 0: any"}, SERVER_PORT

/* server_begin with this client, if there is to be one. */
void asking_begin(unsigned threads);

#endif
