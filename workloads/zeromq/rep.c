/* Reading and sending: what rep.h says. */
#include "rep.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "zmtp.h"

enum { MOST_READS = 16 /* in one run */, READ_SIZE = 8 << 10 };

struct rep {
    struct zmtp zmtp;
    int socket;
    bool failed;       /* there was no memory to begin with */
    uint64_t since_ns; /* when its request began; or when it last was of use */
    uint64_t answered;
};

static void rep_open(void *connection, int socket, uint64_t now_ns) {
    struct rep *self = connection;
    *self = (struct rep){.socket = socket, .since_ns = now_ns};
    self->failed = !zmtp_open(&self->zmtp);
}

/* Sends what the kernel takes of what is due; false if the connection is lost. */
static bool send_due(struct rep *self, uint64_t now_ns) {
    const uint8_t *bytes;
    size_t length;
    while ((bytes = zmtp_due(&self->zmtp, &length)) != NULL) {
        ssize_t sent = send(self->socket, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        self->answered += zmtp_sent(&self->zmtp, (size_t)sent);
        self->since_ns = now_ns;
    }
    return true;
}

/* Reads once: a large body to where it belongs. As recv(2), but 0 also of what is wrong. */
static ssize_t receive(struct rep *self) {
    uint8_t small[READ_SIZE], *body;
    size_t room = zmtp_room(&self->zmtp, &body);
    if (room >= sizeof small) {
        ssize_t length = recv(self->socket, body, room, 0);
        return length > 0 && !zmtp_filled(&self->zmtp, (size_t)length) ? 0 : length;
    }
    ssize_t length = recv(self->socket, small, sizeof small, 0);
    return length > 0 && !zmtp_take(&self->zmtp, small, (size_t)length) ? 0 : length;
}

static enum connection_next rep_run(void *connection, uint64_t now_ns) {
    struct rep *self = connection;
    if (self->failed)
        return CONNECTION_CLOSE;
    for (int reads = 0; reads < MOST_READS; reads++) {
        size_t due;
        if (!send_due(self, now_ns))
            return CONNECTION_CLOSE;
        if (zmtp_due(&self->zmtp, &due) != NULL)
            return CONNECTION_WAIT;
        if (zmtp_rests(&self->zmtp))
            self->since_ns = now_ns;
        ssize_t length = receive(self);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return CONNECTION_WAIT;
        if (length <= 0) {
            (void)send_due(self, now_ns); /* what was right is answered, if that can be done at once */
            return CONNECTION_CLOSE;
        }
    }
    return send_due(self, now_ns) ? CONNECTION_AGAIN : CONNECTION_CLOSE;
}

static enum connection_next rep_look(void *connection, uint64_t now_ns, uint64_t timeout_ns) {
    const struct rep *self = connection;
    return now_ns < self->since_ns + timeout_ns ? CONNECTION_WAIT : CONNECTION_CLOSE;
}

static uint64_t rep_end(void *connection) {
    struct rep *self = connection;
    zmtp_end(&self->zmtp);
    return self->answered;
}

const struct protocol rep_protocol = {
    .size = sizeof(struct rep),
    .open = rep_open,
    .run = rep_run,
    .look = rep_look,
    .end = rep_end,
};
