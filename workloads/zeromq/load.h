/* libzmq as the client: REQ sockets, a request on its way on each, and every reply compared byte for byte. */
#ifndef ACTORBENCH_ZEROMQ_LOAD_H
#define ACTORBENCH_ZEROMQ_LOAD_H

#include "client.h"

struct load {
    unsigned connections; /* spread over the ports */
    uint64_t requests;    /* in all */
    uint64_t size;        /* of each */
    uint64_t timeout_s;   /* without any reply, after which it gives up */
};

/* What client.h's `run` does. */
bool load_run(const struct load *load, const struct client_ports *ports, int order, int report);

#endif
