/* Sockets that listen, and what is done when there are too many others. */
#include "entrance.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "platform/atomic.h"
#include "workload.h"

enum { MOST_SENT_AWAY = 64 }; /* by one call */

/* Connections that are there; relaxed, since it orders nothing: it only counts. */
static ATOMIC(uint64_t) present;

static int new_reserve(void) {
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void entrance_open(struct entrance *entrance, uint16_t *port, uint64_t most, void (*refuse)(int socket)) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) != 0 ||
        bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, SOMAXCONN) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0)
        workload_refuse("--port %u cannot be listened on: %s", *port, strerror(errno));
    *port = ntohs(address.sin_port);
    *entrance = (struct entrance){.listener = listener, .reserve = new_reserve(), .most = most, .refuse = refuse};
}

static void send_away(const struct entrance *entrance, int socket) {
    if (entrance->refuse != NULL)
        entrance->refuse(socket);
    (void)close(socket);
}

/* Takes a connection with the descriptor that was kept for this, and sends it away: 0; or says why not. Without a descriptor the kernel
 * does not even say whether a connection waits. */
static int send_away_by_reserve(struct entrance *entrance) {
    if (entrance->reserve < 0)
        entrance->reserve = new_reserve();
    if (entrance->reserve < 0)
        return ENTRANCE_BUSY;
    (void)close(entrance->reserve);
    int socket = accept4(entrance->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), why = errno;
    if (socket >= 0)
        send_away(entrance, socket);
    entrance->reserve = new_reserve();
    if (socket >= 0)
        return 0;
    return why == EAGAIN || why == EWOULDBLOCK ? ENTRANCE_EMPTY : ENTRANCE_BUSY;
}

int entrance_admit(struct entrance *entrance) {
    for (int sent_away = 0; sent_away < MOST_SENT_AWAY; sent_away++) {
        int socket = accept4(entrance->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket >= 0 && entrance->reserve < 0) {
            send_away(entrance, socket);
            entrance->reserve = new_reserve();
        } else if (socket < 0 && (errno == EMFILE || errno == ENFILE)) {
            int none = send_away_by_reserve(entrance);
            if (none != 0)
                return none;
        } else if (socket < 0) {
            if (errno == EAGAIN || errno == EWOULDBLOCK)
                return ENTRANCE_EMPTY;
            continue; /* what went wrong is that connection's own matter: accept(2) */
        } else if (atomic_fetch_add_relaxed(&present, 1) >= entrance->most) {
            (void)atomic_fetch_sub_relaxed(&present, 1);
            send_away(entrance, socket);
        } else {
            int yes = 1;
            (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes); /* slower without, but right */
            return socket;
        }
    }
    return ENTRANCE_BUSY;
}

void entrance_leave(int socket) {
    (void)close(socket);
    (void)atomic_fetch_sub_relaxed(&present, 1);
}

void entrance_close(struct entrance *entrance) {
    (void)close(entrance->listener);
    if (entrance->reserve >= 0)
        (void)close(entrance->reserve);
}
