/* Doorkeepers, the watchman, and how they are begun and ended. */
#include "house.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "entrance.h"
#include "garage.h"
#include "io/io.h"
#include "messaging/promise.h"
#include "messaging/timer.h"
#include "platform/memory.h"
#include "server.h"

enum { ADMITTED_AT_ONCE = 64, LOOK_NS = 100 * 1000 * 1000 };

struct house house = {.sets = ACTORBENCH_IO_DISTRIBUTED, .backend = ACTORBENCH_IO_EPOLL};

static const struct actorbench_io_policy *const policies[] = {&actorbench_io_by_workers, &actorbench_io_by_signalers,
                                                              &actorbench_io_by_both};

/* ---- Doorkeepers ---------------------------------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_message message;
} arrival;
ACTORBENCH_MESSAGE_TYPE(arrival)

typedef struct {
    struct actorbench_actor actor;
    struct entrance entrance;
    arrival arrived, goes_on; /* told by the kernel; by itself */
    unsigned to_come;         /* of both, when it has closed */
    bool takes_turns, closed;
} doorkeeper;
#define BEHAVIOURS_doorkeeper(ON)              \
    ON(doorkeeper, arrival, doorkeeper_admits) \
    ON(doorkeeper, actorbench_barrier, doorkeeper_closes)
ACTORBENCH_ACTOR_TYPE(doorkeeper)

static enum actorbench_allocation doorkeeper_leaves(doorkeeper *self) {
    if (self->to_come != 0)
        return ACTORBENCH_NODELETE;
    entrance_close(&self->entrance);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation doorkeeper_admits(doorkeeper *self, arrival *message) {
    if (message == &self->arrived)
        actorbench_io_taken(self->entrance.listener);
    else
        self->takes_turns = false;
    if (self->closed) {
        self->to_come--;
        return doorkeeper_leaves(self);
    }
    for (unsigned i = 0; i < ADMITTED_AT_ONCE; i++) {
        int socket = entrance_admit(&self->entrance);
        if (socket == ENTRANCE_EMPTY)
            return ACTORBENCH_NODELETE;
        if (socket == ENTRANCE_BUSY)
            break;
        garage_park(socket);
    }
    if (self->takes_turns)
        return ACTORBENCH_NODELETE;
    self->takes_turns = true;
    actorbench_message_init(arrival, &self->goes_on, ACTORBENCH_NODELETE);
    actorbench_send(doorkeeper, self, &self->goes_on);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation doorkeeper_closes(doorkeeper *self, actorbench_barrier *barrier) {
    self->closed = true;
    self->to_come = (unsigned)self->takes_turns + (unsigned)!actorbench_io_end(self->entrance.listener);
    actorbench_barrier_acknowledge(barrier);
    return doorkeeper_leaves(self);
}

/* ---- The watchman, who has sessions look whether their connections have lasted too long ------------------------------ */

typedef struct {
    struct actorbench_message message;
} round_to_make;
ACTORBENCH_MESSAGE_TYPE(round_to_make)

typedef struct {
    struct actorbench_actor actor;
    uint64_t rounds, rounds_to_make; /* the latter is known when `closing` is */
    actorbench_barrier *closing;
} watchman;
#define BEHAVIOURS_watchman(ON)                 \
    ON(watchman, round_to_make, watchman_looks) \
    ON(watchman, actorbench_barrier, watchman_closes)
ACTORBENCH_ACTOR_TYPE(watchman)

static enum actorbench_allocation watchman_leaves(watchman *self) {
    if (self->closing == NULL || self->rounds != self->rounds_to_make)
        return ACTORBENCH_NODELETE;
    actorbench_barrier_acknowledge(self->closing);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation watchman_looks(watchman *self, round_to_make *message) {
    (void)message;
    self->rounds++;
    garage_look();
    return watchman_leaves(self);
}

static enum actorbench_allocation watchman_closes(watchman *self, actorbench_barrier *barrier) {
    self->closing = barrier;
    return watchman_leaves(self);
}

/* ---- The house ------------------------------------------------------------------------------------------------------ */

static const struct protocol *the_protocol;
static doorkeeper *doorkeepers;
static unsigned doors;
static watchman the_watchman;
static round_to_make make_round;
static struct actorbench_timer alarm_clock;
static struct actorbench_timers *timers;

static void open_doors(void) {
    doors = actorbench_io_sets();
    doorkeepers = memory_zeroed(doors, sizeof *doorkeepers, "the doorkeepers");
    for (unsigned i = 0; i < doors; i++)
        entrance_open(&doorkeepers[i].entrance, &server.port, server.most, the_protocol->refuse);
    for (unsigned i = 0; i < doors; i++) {
        doorkeeper *each = &doorkeepers[i];
        actorbench_actor_init(doorkeeper, each);
        actorbench_message_init(arrival, &each->arrived, ACTORBENCH_NODELETE);
        /* By main, whose watches are dealt out over the sets. */
        if (!actorbench_io_watch(doorkeeper, each->entrance.listener, each, &each->arrived))
            workload_refuse("a listening socket cannot be watched: %s", strerror(errno));
    }
}

static void start_rounds(void) {
    timers = actorbench_timers_start();
    if (timers == NULL)
        workload_refuse("there is no thread for timers: %s", strerror(errno));
    actorbench_actor_init(watchman, &the_watchman);
    actorbench_message_init(round_to_make, &make_round, ACTORBENCH_NODELETE);
    actorbench_timer_set(watchman, timers, &alarm_clock, &the_watchman, &make_round, LOOK_NS, LOOK_NS);
}

/* First whoever sends to sessions, then the sessions. */
static void close_all(void) {
    actorbench_barrier barrier;
    actorbench_barrier_init(&barrier, doors + 1);
    the_watchman.rounds_to_make = actorbench_timer_cancel(timers, &alarm_clock);
    actorbench_timers_stop(timers);
    actorbench_send(watchman, &the_watchman, &barrier);
    for (unsigned i = 0; i < doors; i++)
        actorbench_send(doorkeeper, &doorkeepers[i], &barrier);
    (void)actorbench_barrier_wait(&barrier, ACTORBENCH_NO_TIMEOUT);
    garage_close();
}

void house_begin(const struct protocol *protocol) {
    struct actorbench_io_config io = actorbench_io_defaults();
    io.sets = (enum actorbench_io_sets)house.sets;
    io.backend = (enum actorbench_io_backend)house.backend;
    io.policy = policies[house.polling];
    the_protocol = protocol;
    garage_make(protocol, server.timeout * UINT64_C(1000000000));
    const char *why = actorbench_io_use(&io);
    if (why != NULL)
        workload_refuse("%s", why);
}

void house_open(void) {
    open_doors();
    start_rounds();
}

uint64_t house_close(void) {
    close_all();
    actorbench_stop();
    free(doorkeepers);
    return garage_free();
}
