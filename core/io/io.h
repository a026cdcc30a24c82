/* I/O: descriptors whose readiness becomes messages (React++, chapter 4 "The I/O Subsystem").
 *
 *     actorbench_io_use(NULL);                                           before actorbench_start; NULL stands for the defaults
 *     actorbench_start(NULL);
 *     actorbench_io_watch(session, socket, s, &s->ready);                s gets `ready` when the socket may be read or written
 *     static enum actorbench_allocation session_runs(session *self, readiness *m) {
 *         actorbench_io_taken(self->socket);                             then reads and writes until each would block
 *         ...
 *         if (actorbench_io_end(self->socket)) close(self->socket);
 *
 * Polling has two levels. Descriptors are in interest sets (level 1), which workers poll without waiting; the sets' own descriptors are
 * in one set (level 0), for which the master, a thread of its own, waits in the kernel. What the master finds ready it leaves alone, until
 * who polls that set finds nothing more and rearms it: so nobody is flooded. There is a set a worker (distributed), or one for all
 * (centralised). Who polls, and when, is a policy: handlers of the five events of table 4.1, which a program may put together anew.
 *
 * Notifications are edge-triggered, and no more than one message is on its way for a descriptor: who takes it reads and writes until
 * the kernel says that it would block, or will not be told again. A descriptor that is closed and another with its number are told apart.
 *
 * Unless said otherwise the functions are for behaviours and other threads while the executor runs. A program that uses none of this has
 * none of it linked in.
 */
#ifndef ACTORBENCH_IO_IO_H
#define ACTORBENCH_IO_IO_H

#include <stdbool.h>

#include "../actor.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Configuration ---------------------------------------------------------------------------------------------- */

enum actorbench_io_sets { ACTORBENCH_IO_DISTRIBUTED, ACTORBENCH_IO_CENTRALISED };
enum actorbench_io_backend { ACTORBENCH_IO_EPOLL, ACTORBENCH_IO_URING };

enum actorbench_io_level { ACTORBENCH_IO_MASTER, ACTORBENCH_IO_SLAVE };

struct actorbench_io_event {
    enum actorbench_io_level level;
    unsigned set;    /* the interest set that is ready, or that the descriptor is in */
    uint64_t watch;  /* of a slave's: for actorbench_io_tell */
    uint32_t events; /* of a slave's: as poll(2) has them */
};

/* The events of a run: the five of table 4.1, and two at the end. No handler is NULL. Handlers run in the thread that has the event and must not wait. */
struct actorbench_io_policy {
    void (*pre_launch)(void);  /* the sets are there, the workers are about to be started */
    void (*post_launch)(void); /* they run, and the master is about to */
    void (*on_event)(const struct actorbench_io_event
                         *event);      /* a set is ready (on the master's thread), or a descriptor (on the poller's) */
    bool (*on_idle)(unsigned worker);  /* it has nothing to run; whether the handler has sent anything */
    void (*on_block)(unsigned worker); /* it is about to sleep */
    void (*pre_stop)(void);            /* all actors of the program have ended: ends those of the policy */
    void (*post_stop)(void);           /* the workers have ended */
};

/* Workers that idle poll their set, or the only one; before they sleep they rearm it; the master wakes who rearmed it last, or another
 * that sleeps. (The source's default policy, 4.4.) */
extern const struct actorbench_io_policy actorbench_io_by_workers;

/* Actors poll, one a set, each by messages to itself until it has found nothing `rounds` times; then it rearms, and the master sends to it
 * ("signalers", 4.5). What is ready is found even where no worker ever idles. */
extern const struct actorbench_io_policy actorbench_io_by_signalers;

/* Both: workers poll that idle, and what they find makes the set's signaler go on (4.6.1). */
extern const struct actorbench_io_policy actorbench_io_by_both;

struct actorbench_io_config {
    enum actorbench_io_sets sets;
    enum actorbench_io_backend backend;
    unsigned descriptors; /* those from 0 to this, less one, may be watched; 0: as many as the process may have open */
    unsigned rounds;      /* of polling in a row, while they find something; 0 is no number of them */
    unsigned events;      /* that a round takes at most, 1 to 1024 */
    const struct actorbench_io_policy *policy;
};

/* Distributed, epoll, as many descriptors as may be open, 4 rounds, 64 events, by workers. */
struct actorbench_io_config actorbench_io_defaults(void);

/* The next executor that is started has I/O; for the thread that starts it, while none runs. NULL, or one line that says what is wrong
 * (valid until the next call). What the kernel refuses actorbench_start says. */
const char *actorbench_io_use(const struct actorbench_io_config *config);

/* ---- Watching --------------------------------------------------------------------------------------------------- */

/* Has a descriptor watched for reading and writing: `m` is sent to `receiver`, whose type is A, once now if it is ready, and when it
 * becomes so. The message is ACTORBENCH_NODELETE, and it and the receiver stay until actorbench_io_end has returned true, or has
 * returned false and the message came. The descriptor is in the set of the worker that calls. False, and errno, if the kernel
 * refuses it, or (EMFILE) its number is too large. */
#define actorbench_io_watch(A, descriptor, receiver, m) \
    actorbench_io_begin(descriptor, ACTORBENCH_BASE(A, receiver, actor), &(m)->message, ACTORBENCH_BEHAVIOUR(A, m))

/* By who got the message, before it reads and writes: the next one may come. Also after actorbench_io_end, of a message that it said
 * would come. */
void actorbench_io_taken(int descriptor);

/* Ends a watch, from a behaviour of the receiver, before the descriptor is closed. True: nothing more comes. False: one message is on
 * its way still; when it has come, and been taken, nothing more does, and the descriptor may be closed. */
bool actorbench_io_end(int descriptor);

/* ---- For policies ----------------------------------------------------------------------------------------------- */

/* How many sets there are, and that of a worker. */
unsigned actorbench_io_sets(void);
unsigned actorbench_io_set_of(unsigned worker);

/* Polls a set as the configuration says, and calls on_event for each descriptor that is ready; how many those were. 0, too, if somebody
 * else polls it at this moment. On workers. */
unsigned actorbench_io_poll(unsigned set);

/* Has the master watch a set again, on behalf of a worker. What has been ready meanwhile it finds at once. */
void actorbench_io_rearm(unsigned set, unsigned worker);

/* Wakes a worker that may poll the set, if any sleeps. */
void actorbench_io_wake(unsigned set);

/* Sends the message of a watch, unless one is on its way already, or the watch has ended. */
void actorbench_io_tell(uint64_t watch);

/* ---- Statistics ------------------------------------------------------------------------------------------------- */

struct actorbench_io_statistics {
    uint64_t polls, empty_polls; /* of sets by who polls them; those that found nothing */
    uint64_t busy_polls;         /* not made, as somebody else was polling the set */
    uint64_t events;             /* descriptors that were found ready */
    uint64_t messages;           /* sent for them; of the others one was on its way, or the watch had ended */
    uint64_t master_events;      /* sets that the master found ready */
    uint64_t rearms;
};

/* Of the last executor that had I/O, after actorbench_stop; for the thread that called that. */
struct actorbench_io_statistics actorbench_io_last_statistics(void);

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

bool actorbench_io_begin(int descriptor, struct actorbench_actor *receiver, struct actorbench_message *message,
                         actorbench_behaviour *reaction);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
