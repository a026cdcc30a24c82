/* A connection of a server that replies with what it was asked: zmtp.h over a non-blocking socket.
 *
 * While a reply is not sent, nothing is read, so that a client that does not read is not read from, either. What is wrong ends the
 * connection, and so does one that is slower than the timeout: with its greeting, a request, or with reading a reply; or that asks nothing.
 */
#ifndef ACTORBENCH_ZEROMQ_REP_H
#define ACTORBENCH_ZEROMQ_REP_H

#include "protocol.h"

extern const struct protocol rep_protocol;

#endif
