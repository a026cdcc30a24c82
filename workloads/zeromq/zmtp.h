/* The side that replies (REP) of a ZMTP 3 connection, as a function over bytes: those that came in, those that are due out.
 *
 * It does no I/O. A request is the frames up to an empty one, and those behind it; its reply is the same frames. The peer may be REQ or
 * DEALER, with the mechanism NULL, and of any version from 3.0 on; it gets a PONG for a PING, while other commands say nothing to it. What
 * is none of this is wrong, and so is a request of more than 32 MiB: then the connection is to be closed. (ZeroMQ's RFCs 23, 28 and 37.)
 *
 * What has been claimed but not come costs addresses, not memory. Between requests it holds a buffer of up to 72 KiB.
 */
#ifndef ACTORBENCH_ZEROMQ_ZMTP_H
#define ACTORBENCH_ZEROMQ_ZMTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ZMTP_GREETING = 64,
    ZMTP_MOST_HEAD = 9,
    ZMTP_MOST_COMMAND = 8 << 10,
    ZMTP_MOST_REQUEST = 32 << 20, /* with its frames' heads */
    ZMTP_KEPT = 72 << 10,
};

struct zmtp {
    uint8_t *bytes;       /* whole replies and commands, then what there is of the next reply, then of a command */
    size_t capacity;      /* of `bytes` */
    size_t sent, whole;   /* of what is whole: how much was sent, and how much there is */
    size_t length, frame; /* of all; where the body of the frame begins that is coming */
    size_t left;          /* bytes of it that have not come */
    uint32_t replies;     /* among what is whole */
    uint8_t stage, have;  /* what is coming; bytes of a greeting or a head */
    uint8_t head[ZMTP_MOST_HEAD];
    bool ready, delimited; /* the peer has said READY; the empty frame of a request has come */
};

/* Begins: a greeting is due. False if there is no memory. */
bool zmtp_open(struct zmtp *zmtp);

/* Takes what came in. False if it is wrong, or there is no memory; what was due before is due still. */
bool zmtp_take(struct zmtp *zmtp, const uint8_t *bytes, size_t length);

/* So many bytes would do nothing but fill a body: they may be put there in place of being taken, and said to have filled it. */
size_t zmtp_room(const struct zmtp *zmtp, uint8_t **where);
bool zmtp_filled(struct zmtp *zmtp, size_t length);

/* What is to be sent next, of all that is due; NULL: nothing. */
const uint8_t *zmtp_due(const struct zmtp *zmtp, size_t *length);

/* So many bytes of it were sent; how many replies went out, once all that is due has. */
uint32_t zmtp_sent(struct zmtp *zmtp, size_t length);

/* Nothing has come of a request, and nothing is due. */
bool zmtp_rests(const struct zmtp *zmtp);

/* Frees what it holds. */
void zmtp_end(struct zmtp *zmtp);

#endif
