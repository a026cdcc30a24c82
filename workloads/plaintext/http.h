/* One HTTP/1.1 connection of a server that says "Hello, World!": a state machine over a non-blocking socket.
 *
 * It knows neither threads nor pollers: whoever owns a connection calls http_run when its socket is ready, and http_look now and
 * then. Between calls it holds no buffer, but for answers that the kernel did not take; while it holds them it reads nothing, so
 * that a client that does not read is not read from, either. Any bytes are answered or refused (llhttp parses them):
 *
 *   200  GET or HEAD of / or /plaintext; pipelined requests are answered together
 *   400  what is no request      404, 405  other targets, methods      505  other versions than HTTP/1.0 and 1.1
 *   413  a body over 64 KiB      431  more than 8 KiB from target to headers' end      408  slower than the timeout
 *
 * Any answer but 200 is a connection's last: then it is shut down for writing, and what still comes is thrown away for a while, so
 * that the client can read the answer. Bodies are read and thrown away; `Expect` is not answered, `Host` not asked for.
 *
 * A connection belongs to one thread at a time. Times are those of clock_monotonic_ns().
 */
#ifndef ACTORBENCH_PLAINTEXT_HTTP_H
#define ACTORBENCH_PLAINTEXT_HTTP_H

#include <stdint.h>

#include <llhttp.h>

#include "protocol.h"

struct http_connection {
    llhttp_t parser;
    struct http_batch *unsent; /* answers that the kernel did not take whole; NULL: none */
    uint64_t
        since_ns; /* when its request began; between requests, when it was last of use; when bytes were last sent, or it ended */
    uint64_t answered;
    uint32_t count; /* bytes of the head so far, or of the body; while it lingers, of what was thrown away */
    int socket;
    uint8_t stage, part, target;
};

/* Begins with a connected, non-blocking socket, which stays the caller's. */
void http_open(struct http_connection *connection, int socket, uint64_t now_ns);

/* Reads, parses and answers until the socket would block, or for a bounded number of reads. */
enum connection_next http_run(struct http_connection *connection, uint64_t now_ns);

/* Ends what has lasted for longer than the timeout: a request that is not complete (408), a connection without one, a client
 * that does not read, or does not close. Never CONNECTION_AGAIN. */
enum connection_next http_look(struct http_connection *connection, uint64_t now_ns, uint64_t timeout_ns);

/* Frees what it holds. */
void http_end(struct http_connection *connection);

/* Answers of 200 that were handed to the kernel whole. */
static inline uint64_t http_answered(const struct http_connection *connection) {
    return connection->answered;
}

/* Says 503 to a connected, non-blocking socket, if it can be said at once. */
void http_refuse(int socket);

#endif
