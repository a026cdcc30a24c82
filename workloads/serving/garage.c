/* The garage, and its sessions. */
#include "garage.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "entrance.h"
#include "io/io.h"
#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "workload.h"

typedef struct {
    struct actorbench_message message;
} opening;
ACTORBENCH_MESSAGE_TYPE(opening)

typedef struct {
    struct actorbench_message message;
} readiness;
ACTORBENCH_MESSAGE_TYPE(readiness)

typedef struct {
    struct actorbench_message message;
} turn;
ACTORBENCH_MESSAGE_TYPE(turn)

typedef struct {
    struct actorbench_message message;
} look;
ACTORBENCH_MESSAGE_TYPE(look)

typedef struct {
    struct actorbench_message message;
} closing;
ACTORBENCH_MESSAGE_TYPE(closing)

typedef struct {
    struct actorbench_actor actor;
    void *connection; /* of the protocol */
    opening opens;
    readiness ready;
    turn goes_on;
    closing closes;
    int socket;
    bool open;    /* there is a connection */
    bool watched; /* and it is watched */
    bool lingers; /* no more, but one message of the watch is still to come */
    bool takes_turns, ends;
    uint64_t answered;
    ATOMIC(uint32_t) to_come; /* openings, turns and looks on their way */
    ATOMIC(uint32_t) parked;  /* for garage_look: whether there is a connection */
} session;
#define BEHAVIOURS_session(ON)              \
    ON(session, opening, session_opens)     \
    ON(session, readiness, session_is_told) \
    ON(session, turn, session_goes_on)      \
    ON(session, look, session_looks)        \
    ON(session, closing, session_closes)
ACTORBENCH_ACTOR_TYPE(session)

static struct {
    ATOMIC(session *) *sessions; /* by descriptor */
    const struct protocol *protocol;
    uint64_t count, timeout_ns;
    look look; /* to all that have a connection */
    bool looked;
} garage;

/* ---- A session ------------------------------------------------------------------------------------------------------ */

/* The end of a turn: NODELETE, until it is told to end, and nothing is to come any more. */
static enum actorbench_allocation rest(const session *self) {
    /* Relaxed: who counts one more does so before it lets the session be told to end. */
    bool over = self->ends && !self->open && !self->lingers && atomic_load_relaxed(&self->to_come) == 0;
    return over ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

/* Gives the descriptor back; from then on it may be parked again. */
static void leave(session *self) {
    self->lingers = false;
    atomic_store_relaxed(&self->parked, 0);
    entrance_leave(self->socket);
}

static void hang_up(session *self) {
    self->answered += garage.protocol->end(self->connection);
    self->open = false;
    self->lingers = self->watched && !actorbench_io_end(self->socket);
    if (!self->lingers)
        leave(self);
}

static void take_turn(session *self) {
    if (self->takes_turns)
        return;
    self->takes_turns = true;
    (void)atomic_fetch_add_relaxed(&self->to_come, 1);
    actorbench_message_init(turn, &self->goes_on, ACTORBENCH_NODELETE);
    actorbench_send(session, self, &self->goes_on);
}

static enum actorbench_allocation run(session *self) {
    enum connection_next next = garage.protocol->run(self->connection, clock_monotonic_ns());
    if (next == CONNECTION_WAIT && !self->watched) {
        actorbench_message_init(readiness, &self->ready, ACTORBENCH_NODELETE);
        self->watched = actorbench_io_watch(session, self->socket, self, &self->ready);
        next = self->watched ? CONNECTION_WAIT : CONNECTION_CLOSE;
    }
    if (next == CONNECTION_CLOSE)
        hang_up(self);
    else if (next == CONNECTION_AGAIN)
        take_turn(self);
    return rest(self);
}

/* It reads at once: most clients have asked by now, and then a connection that does not last is never watched. */
static enum actorbench_allocation session_opens(session *self, opening *message) {
    (void)message;
    (void)atomic_fetch_sub_relaxed(&self->to_come, 1);
    self->open = true;
    self->watched = false;
    garage.protocol->open(self->connection, self->socket, clock_monotonic_ns());
    if (!self->ends)
        return run(self);
    hang_up(self);
    return rest(self);
}

static enum actorbench_allocation session_is_told(session *self, readiness *message) {
    (void)message;
    actorbench_io_taken(self->socket);
    if (!self->lingers)
        return run(self);
    leave(self);
    return rest(self);
}

/* Its connection may be another one by now, which is no harm. */
static enum actorbench_allocation session_goes_on(session *self, turn *message) {
    (void)message;
    (void)atomic_fetch_sub_relaxed(&self->to_come, 1);
    self->takes_turns = false;
    return self->open ? run(self) : rest(self);
}

static enum actorbench_allocation session_looks(session *self, look *message) {
    (void)message;
    (void)atomic_fetch_sub_relaxed(&self->to_come, 1);
    if (self->open &&
        garage.protocol->look(self->connection, clock_monotonic_ns(), garage.timeout_ns) == CONNECTION_CLOSE)
        hang_up(self);
    return rest(self);
}

static enum actorbench_allocation session_closes(session *self, closing *message) {
    (void)message;
    self->ends = true;
    if (self->open)
        hang_up(self);
    return rest(self);
}

/* ---- The garage ----------------------------------------------------------------------------------------------------- */

void garage_make(const struct protocol *protocol, uint64_t timeout_ns) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        workload_refuse("the system does not say how many descriptors there may be");
    garage.count = limit.rlim_cur;
    garage.protocol = protocol;
    garage.timeout_ns = timeout_ns;
    garage.sessions = calloc(garage.count, sizeof *garage.sessions);
    if (garage.sessions == NULL)
        workload_refuse("there is no memory for the sessions of %llu descriptors", (unsigned long long)garage.count);
}

static session *new_session(int socket) {
    session *made = actorbench_actor_new(session);
    actorbench_message_init(opening, &made->opens, ACTORBENCH_NODELETE);
    made->connection = memory_block(garage.protocol->size, "a connection");
    made->socket = socket;
    atomic_store_release(&garage.sessions[socket], made); /* pairs with the loads in garage_park and garage_look */
    return made;
}

void garage_park(int socket) {
    session *parked = atomic_load_acquire(&garage.sessions[socket]);
    if (parked == NULL)
        parked = new_session(socket);
    (void)atomic_fetch_add_relaxed(&parked->to_come, 1);
    atomic_store_relaxed(&parked->parked, 1);
    actorbench_send(session, parked, &parked->opens);
}

void garage_look(void) {
    for (uint64_t i = 0; i < garage.count; i++) {
        session *each = atomic_load_acquire(&garage.sessions[i]);
        if (each == NULL || atomic_load_relaxed(&each->parked) == 0)
            continue;
        if (!garage.looked)
            actorbench_message_init(look, &garage.look, ACTORBENCH_NODELETE);
        garage.looked = true;
        (void)atomic_fetch_add_relaxed(&each->to_come, 1);
        actorbench_send(session, each, &garage.look);
    }
}

void garage_close(void) {
    for (uint64_t i = 0; i < garage.count; i++) {
        session *each = atomic_load_acquire(&garage.sessions[i]);
        if (each == NULL)
            continue;
        actorbench_message_init(closing, &each->closes, ACTORBENCH_NODELETE);
        actorbench_send(session, each, &each->closes);
    }
}

uint64_t garage_free(void) {
    uint64_t answered = 0;
    for (uint64_t i = 0; i < garage.count; i++) {
        session *each = atomic_load_relaxed(&garage.sessions[i]);
        if (each == NULL)
            continue;
        answered += each->answered;
        free(each->connection);
        free(each);
    }
    free((void *)garage.sessions);
    return answered;
}
