/* Where connections come in: a listening socket on 127.0.0.1 for each thread that takes them, all on one port (SO_REUSEPORT).
 *
 * No more than `most` connections are there at a time, over all entrances; whoever comes then, or when the process has no
 * descriptor left, is told so, if that can be said, and sent away. An entrance belongs to one thread at a time; connections leave from any thread.
 */
#ifndef ACTORBENCH_SERVING_ENTRANCE_H
#define ACTORBENCH_SERVING_ENTRANCE_H

#include <stdint.h>

struct entrance {
    int listener; /* non-blocking */
    int reserve;  /* a descriptor that is given up for a moment where there is no other; -1: it is used elsewhere */
    uint64_t most;
    void (*refuse)(int socket); /* tells it, as protocol.h says */
};

/* Opens one on `*port`; 0 becomes a free one, for the entrances that follow. Ends the program by workload_refuse if it cannot. */
void entrance_open(struct entrance *entrance, uint16_t *port, uint64_t most, void (*refuse)(int socket));

/* Negative, as no socket is: no connection waits; so many were sent away, or the system lacks so much, that it is others' turn. */
enum { ENTRANCE_EMPTY = -1, ENTRANCE_BUSY = -2 };

/* The next connection's socket, non-blocking, or one of these. */
int entrance_admit(struct entrance *entrance);

/* Closes a connection's socket; it makes room for another. */
void entrance_leave(int socket);

void entrance_close(struct entrance *entrance);

#endif
