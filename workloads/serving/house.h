/* A server of actors: a session is an actor that reads and answers, a doorkeeper is one that accepts (React++, 4.6).
 *
 * What is ready core/io finds: by workers that idle, or by actors that poll; of a set of descriptors a worker, each with a doorkeeper and
 * a listening socket, or of one set for all. A watchman has sessions look whether their connections have lasted too long.
 */
#ifndef ACTORBENCH_SERVING_HOUSE_H
#define ACTORBENCH_SERVING_HOUSE_H

#include <stdint.h>

#include "protocol.h"

struct house {
    uint64_t sets, polling, backend; /* parameters */
};

extern struct house house;

#define HOUSE_PARAMETERS                                                                                           \
    {"sets", &house.sets, "distributed|centralised", 0, "of descriptors: one a worker, or one"},                   \
        {"polling", &house.polling, "workers|signalers|both", 0, "of sets: by workers that idle, or by actors"}, { \
        "backend", &house.backend, "epoll|io_uring", 0, "by which the kernel is asked"                             \
    }

/* What is spoken in it; behind server_begin, and before the executor is started. */
void house_begin(const struct protocol *protocol);

/* Lets connections in, on server.port; while the executor runs. */
void house_open(void);

/* Ends all connections, and the executor; how many requests were answered. */
uint64_t house_close(void);

#endif
