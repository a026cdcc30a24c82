/* Shares under the explorer: while there is work for all, no worker is left without any, and no actor. A program for each
 * design:
 *
 *     shares SCENARIO [--workers N] [--OPTION VALUE]...
 *
 *     dealt     main makes all actors, and all work
 *     made      one behaviour makes them all, and sends each a message of next to no work, then one of more
 *     one       one actor works on worker 0, and all that were dealt to worker 1
 *     outside   main and another thread send to those that were dealt to worker 1
 *     behind    they are sent to behind a behaviour there that does not end before others have run
 *     turns     one actor waits for its turn behind two that send to each other and one that sends to itself
 *
 * An actor that works sends to itself until the shares are known: each party, a worker or the actor that waits, has run a
 * message, or all have run ENOUGH together. Then a party without any is said, and the status is 1. Counts, never times: the
 * explorer's threads have none.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actor.h"
#include "executor.h"
#include "platform/atomic.h"
#include "platform/cpu.h"
#include "tests/explorer/programs/options.h"

enum {
    ACTORS = 12 * MOST_WORKERS,
    WORK = 20, /* of a message: waits that let others run */
    ENOUGH = 1000,
    WINDOW = 2, /* messages from outside that wait for an actor */
};

typedef struct {
    struct actorbench_message message;
    unsigned work;
} step;
ACTORBENCH_MESSAGE_TYPE(step)

typedef struct {
    struct actorbench_message message;
} block;
ACTORBENCH_MESSAGE_TYPE(block)

typedef struct {
    struct actorbench_actor actor;
    bool stays;       /* it does not send on, nor end by itself */
    unsigned partner; /* to whom it sends on; 0: to itself */
    ATOMIC(unsigned) waiting;
} looper;
#define BEHAVIOURS_looper(ON) ON(looper, step, looper_steps) ON(looper, block, looper_blocks)
ACTORBENCH_ACTOR_TYPE(looper)

typedef struct {
    struct actorbench_actor actor;
} maker;
#define BEHAVIOURS_maker(ON) ON(maker, step, maker_makes)
ACTORBENCH_ACTOR_TYPE(maker)

/* Of those that take turns. */
enum { NOBODY, WAITER, PLAYER, OTHER_PLAYER, SELF_SENDER, TURNS };

static looper loopers[ACTORS];
static maker the_maker;
static step tiny, large;
static block blocking;
static bool takes_turns;
static ATOMIC(unsigned) blocks, together, ran[MOST_WORKERS];

static unsigned parties(void) {
    return takes_turns ? 1 : actorbench_workers();
}

static bool shares_are_known(void) {
    bool all = true;
    for (unsigned i = 0; i < parties(); i++)
        all = all && atomic_load_relaxed(&ran[i]) != 0;
    return all || atomic_load_relaxed(&together) >= ENOUGH;
}

static void count(const looper *self) {
    if (!takes_turns)
        (void)atomic_fetch_add_relaxed(&ran[actorbench_worker()], 1);
    else if (self == &loopers[WAITER])
        (void)atomic_fetch_add_relaxed(&ran[0], 1);
    (void)atomic_fetch_add_relaxed(&together, 1);
}

static enum actorbench_allocation end_with_partner(looper *self) {
    if (self->partner != 0)
        actorbench_send(looper, &loopers[self->partner], &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation looper_steps(looper *self, step *message) {
    if (message->work == 0)
        return ACTORBENCH_NODELETE;
    if (self->stays)
        (void)atomic_fetch_sub_relaxed(&self->waiting, 1);
    if (shares_are_known())
        return self->stays ? ACTORBENCH_NODELETE : end_with_partner(self);
    count(self);
    for (unsigned i = 0; i < message->work; i++)
        cpu_relax();
    if (self->partner != 0)
        actorbench_send(looper, &loopers[self->partner], message);
    else if (!self->stays)
        actorbench_send(looper, self, message);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation looper_blocks(looper *self, block *message) {
    (void)message;
    count(self);
    atomic_store_relaxed(&blocks, 1);
    while (!shares_are_known())
        cpu_relax();
    return ACTORBENCH_FINISHED;
}

static void begin_turns(void) {
    actorbench_send(looper, &loopers[SELF_SENDER], &large);
    actorbench_send(looper, &loopers[WAITER], &large);
    actorbench_send(looper, &loopers[PLAYER], &large);
}

static enum actorbench_allocation maker_makes(maker *self, step *message) {
    (void)self;
    if (takes_turns) {
        begin_turns();
        return ACTORBENCH_FINISHED;
    }
    for (unsigned i = 0; i < ACTORS; i++) {
        actorbench_actor_init(looper, &loopers[i]);
        actorbench_send(looper, &loopers[i], &tiny);
    }
    for (unsigned i = 0; i < ACTORS; i++)
        actorbench_send(looper, &loopers[i], message);
    return ACTORBENCH_FINISHED;
}

static void deal(void) {
    for (unsigned i = 0; i < ACTORS; i++) {
        actorbench_actor_init(looper, &loopers[i]);
        actorbench_send(looper, &loopers[i], &large);
    }
}

static void make(void) {
    actorbench_actor_init(maker, &the_maker);
    actorbench_send(maker, &the_maker, &large);
}

static void load_one(void) {
    bool first = true;
    for (unsigned i = 0; i < ACTORS; i++) {
        unsigned worker = actorbench_place(i);
        actorbench_actor_init(looper, &loopers[i]);
        if (worker == 1 || (worker == 0 && first))
            actorbench_send(looper, &loopers[i], &large);
        else
            actorbench_send(looper, &loopers[i], &actorbench_finished_message);
        first = first && worker != 0;
    }
}

static void *feed(void *argument) {
    while (!shares_are_known()) {
        for (unsigned i = 0; i < ACTORS; i++)
            if (loopers[i].stays && atomic_load_relaxed(&loopers[i].waiting) < WINDOW) {
                (void)atomic_fetch_add_relaxed(&loopers[i].waiting, 1);
                actorbench_send(looper, &loopers[i], &large);
            }
        cpu_yield();
    }
    return argument;
}

static void feed_one(void) {
    for (unsigned i = 0; i < ACTORS; i++) {
        loopers[i].stays = actorbench_place(i) == 1;
        actorbench_actor_init(looper, &loopers[i]);
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, feed, NULL) != 0)
        exit(BAD_USAGE);
    (void)feed(NULL);
    (void)pthread_join(thread, NULL);
    for (unsigned i = 0; i < ACTORS; i++) {
        while (atomic_load_relaxed(&loopers[i].waiting) != 0) /* another thread's messages have no order with the end */
            cpu_yield();
        actorbench_send(looper, &loopers[i], &actorbench_finished_message);
    }
}

static void load_behind(void) {
    looper *first = NULL;
    for (unsigned i = 0; i < ACTORS; i++) {
        actorbench_actor_init(looper, &loopers[i]);
        if (first == NULL && actorbench_place(i) == 1)
            first = &loopers[i];
    }
    actorbench_send(looper, first, &blocking);
    while (atomic_load_relaxed(&blocks) == 0)
        cpu_yield();
    for (unsigned i = 0; i < ACTORS; i++) {
        if (&loopers[i] == first)
            continue;
        if (actorbench_place(i) == 1)
            actorbench_send(looper, &loopers[i], &large);
        else
            actorbench_send(looper, &loopers[i], &actorbench_finished_message);
    }
}

static void take_turns(void) {
    takes_turns = true;
    loopers[PLAYER].partner = OTHER_PLAYER;
    loopers[OTHER_PLAYER].partner = PLAYER;
    for (unsigned i = WAITER; i < TURNS; i++)
        actorbench_actor_init(looper, &loopers[i]);
    make();
}

static const struct {
    const char *name;
    void (*begin)(void);
} scenarios[] = {{"dealt", deal},       {"made", make},          {"one", load_one},
                 {"outside", feed_one}, {"behind", load_behind}, {"turns", take_turns}};

/* The status: 1 if a party has run nothing. */
static int judge(unsigned count_of_parties) {
    bool lacks = false;
    for (unsigned i = 0; i < count_of_parties; i++)
        lacks = lacks || atomic_load_relaxed(&ran[i]) == 0;
    for (unsigned i = 0; lacks && i < count_of_parties; i++)
        printf("party %u has run %u messages, of %u\n", i, atomic_load_relaxed(&ran[i]),
               atomic_load_relaxed(&together));
    return lacks;
}

int main(int argc, char **argv) {
    struct actorbench_config config = read_options(argc, argv);
    start(&config);
    actorbench_message_init(step, &tiny, ACTORBENCH_NODELETE);
    actorbench_message_init(step, &large, ACTORBENCH_NODELETE);
    actorbench_message_init(block, &blocking, ACTORBENCH_NODELETE);
    large.work = WORK;
    unsigned chosen = 0, known = sizeof scenarios / sizeof scenarios[0];
    while (chosen < known && (argc < 2 || strcmp(argv[1], scenarios[chosen].name) != 0))
        chosen++;
    if (chosen == known)
        refuse("there is no such scenario");
    scenarios[chosen].begin();
    actorbench_stop();
    return judge(takes_turns ? 1 : config.workers);
}
