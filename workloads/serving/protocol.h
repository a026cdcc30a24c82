/* What a kind of server does with a connection: an entrance and a garage do all else, whatever is spoken.
 *
 * A connection is a state machine over a non-blocking socket. It belongs to one thread at a time, and knows neither threads nor
 * pollers. Times are those of clock_monotonic_ns().
 */
#ifndef ACTORBENCH_SERVING_PROTOCOL_H
#define ACTORBENCH_SERVING_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

/* What its owner does next. */
enum connection_next {
    CONNECTION_WAIT, /* waits until the socket becomes readable or writable: all was read that is there (edge-triggered) */
    CONNECTION_AGAIN, /* runs it again, when others had their turn: there may be more to read */
    CONNECTION_CLOSE, /* ends it, and closes the socket */
};

struct protocol {
    size_t size; /* of a connection, which lies where malloc(3) puts it */
    /* Begins with a connected, non-blocking socket, which stays the caller's. */
    void (*open)(void *connection, int socket, uint64_t now_ns);
    /* Reads and answers until the socket would block, or for a bounded number of reads. */
    enum connection_next (*run)(void *connection, uint64_t now_ns);
    /* Ends what has lasted for longer than the timeout. Never CONNECTION_AGAIN. */
    enum connection_next (*look)(void *connection, uint64_t now_ns, uint64_t timeout_ns);
    /* Frees what it holds; how many requests it has answered. */
    uint64_t (*end)(void *connection);
    /* Tells a connected, non-blocking socket that it is sent away, if that can be told at once; NULL: nothing is told. */
    void (*refuse)(int socket);
};

#endif
