/* What the tests of I/O share: an actor that writes back what it reads, and executors with I/O of every kind. */
#ifndef ACTORBENCH_TESTS_IO_ECHO_H
#define ACTORBENCH_TESTS_IO_ECHO_H

#include <errno.h>
#include <sys/socket.h>

#include "harness.h"

#include "io/io.h"
#include "rows.h"

enum { CHUNK = 512 };

typedef struct {
    struct actorbench_message message;
} readiness;
ACTORBENCH_MESSAGE_TYPE(readiness)

typedef struct {
    struct actorbench_message message;
} beginning;
ACTORBENCH_MESSAGE_TYPE(beginning)

/* Writes back what it reads, until there is no more. */
typedef struct {
    struct actorbench_actor actor;
    readiness ready;
    int socket;
    bool rude; /* ends when it has read for the first time */
    bool ends; /* one message is still to come */
    uint64_t echoed;
    size_t from, to; /* of what it has read, and not written yet */
    unsigned char read[CHUNK];
} echo;
#define BEHAVIOURS_echo(ON)          \
    ON(echo, beginning, echo_begins) \
    ON(echo, readiness, echo_runs)
ACTORBENCH_ACTOR_TYPE(echo)

static ATOMIC(uint32_t) failures, ended;
static enum actorbench_allocation fate; /* of an echo that ends */

static void note(bool right) {
    if (!right)
        (void)atomic_fetch_add_relaxed(&failures, 1);
}

static enum actorbench_allocation echo_closes(const echo *self) {
    note(close(self->socket) == 0);
    (void)atomic_fetch_add_acq_rel(&ended, 1);
    return fate;
}

/* Whether all is written. */
static bool echo_writes(echo *self) {
    while (self->from < self->to) {
        ssize_t written = send(self->socket, self->read + self->from, self->to - self->from, MSG_NOSIGNAL);
        if (written < 0) {
            note(errno == EAGAIN);
            return false;
        }
        self->from += (size_t)written;
        self->echoed += (uint64_t)written;
    }
    return true;
}

static enum actorbench_allocation echo_ends(echo *self) {
    if (actorbench_io_end(self->socket))
        return echo_closes(self);
    self->ends = true;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation echo_runs(echo *self, readiness *message) {
    (void)message;
    actorbench_io_taken(self->socket);
    if (self->ends)
        return echo_closes(self);
    while (echo_writes(self)) {
        ssize_t came = read(self->socket, self->read, sizeof self->read);
        if (came < 0) {
            note(errno == EAGAIN);
            return ACTORBENCH_NODELETE;
        }
        if (came == 0 || self->rude)
            return echo_ends(self);
        self->from = 0;
        self->to = (size_t)came;
    }
    return ACTORBENCH_NODELETE;
}

static inline void echo_watch(echo *self) {
    note(actorbench_io_watch(echo, self->socket, self, &self->ready));
}

static enum actorbench_allocation echo_begins(echo *self, beginning *message) {
    (void)message;
    echo_watch(self);
    return ACTORBENCH_NODELETE;
}

static inline void echo_make(echo *self, int socket) {
    self->socket = socket;
    actorbench_message_init(readiness, &self->ready, ACTORBENCH_NODELETE);
}

static inline void pair(int ends[2]) {
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
}

/* ---- Configurations ----------------------------------------------------------------------------------------------- */

static const struct actorbench_io_policy *const policies[] = {&actorbench_io_by_workers, &actorbench_io_by_signalers,
                                                              &actorbench_io_by_both};

static inline struct actorbench_io_config io_configuration(unsigned number) {
    struct actorbench_io_config config = actorbench_io_defaults();
    config.policy = policies[number % LENGTH(policies)];
    config.sets = number / 3 % 2 == 0 ? ACTORBENCH_IO_DISTRIBUTED : ACTORBENCH_IO_CENTRALISED;
    config.backend = number / 6 % 2 == 0 ? ACTORBENCH_IO_EPOLL : ACTORBENCH_IO_URING;
    config.rounds = 1 + number / 12 % 2;
    config.events = number / 24 % 2 == 0 ? 64 : 1;
    return config;
}

/* Starts an executor under a line of a table, with I/O of another kind each time; a kernel without io_uring says so, and has epoll. */
static inline void begin(const struct table_line *line, struct actorbench_io_config io, const char *what) {
    struct actorbench_config config = configuration(line->names, line->values);
    watchdog_start(60, "%s", what);
    atomic_store_relaxed(&failures, 0);
    atomic_store_relaxed(&ended, 0);
    assert_null(actorbench_io_use(&io));
    const char *why = actorbench_start(&config);
    if (why == NULL)
        return;
    if (io.backend != ACTORBENCH_IO_URING || strstr(why, "there is no I/O by io_uring here") == NULL)
        fail_msg("%s", why);
    io.backend = ACTORBENCH_IO_EPOLL;
    assert_null(actorbench_io_use(&io));
    start_executor(&config);
}

/* Stops it; what was counted fits together. */
static inline void end(uint32_t actors) {
    unsigned sets = actorbench_io_sets();
    actorbench_stop();
    watchdog_stop();
    struct actorbench_io_statistics counted = actorbench_io_last_statistics();
    assert_int_equal(atomic_load_relaxed(&failures), 0);
    assert_int_equal(atomic_load_relaxed(&ended), actors);
    assert_true(counted.messages <= counted.events && counted.events != 0);
    assert_true(counted.empty_polls <= counted.polls);
    assert_true(counted.master_events <= counted.rearms + sets);
}

#endif
