/* Traffic: actors that send to each other at random, and a ledger of what each received from whom.
 *
 * Every message carries its sender, its receiver and its number among the messages from the one to the other. What must
 * be conserved: each is received once, in the order of the numbers, by the actor that it was sent to, and no two
 * workers run an actor at a time.
 *
 * The ledger is plain memory, which only the hand-over of a mailbox orders, and all atomic operations here are relaxed,
 * which order nothing: so ThreadSanitizer sees a hand-over that does not order what it must.
 */
#ifndef ACTORBENCH_TESTS_TRAFFIC_H
#define ACTORBENCH_TESTS_TRAFFIC_H

#include <pthread.h>

#include "harness.h"
#include "platform/cpu.h"
#include "platform/random.h"

enum {
    ACTORS = 24,
    STREAMERS = 2, /* threads that are no workers: main and another */
    SENDERS = ACTORS + STREAMERS,
    STREAMED = 1000, /* messages from each of them */
    WINDOW = 48,     /* messages in flight, about: few, so that gulps are small and many, and workers often run dry */
    BURST = 24,      /* sends of one behaviour, now and then: more than a queue holds at first */
};

/* How many messages each actor may send. */
static uint32_t traffic_budget;

/* NULL, or what a sender does to an actor before it sends to it. */
static void (*traffic_meddles)(struct random *random, struct actorbench_actor *actor);

enum fault { NO_FAULT, LOST_OR_DOUBLED, WRONG_RECEIVER, TWO_WORKERS };

typedef struct {
    struct actorbench_message message;
    uint32_t sender, receiver, number;
} item;
ACTORBENCH_MESSAGE_TYPE(item)

typedef struct {
    struct actorbench_actor actor;
    uint32_t index, budget;
    struct random random;
    uint32_t received[SENDERS]; /* from each sender */
    uint32_t sent[ACTORS];      /* to each actor */
    enum fault fault;           /* the first */
    ATOMIC(uint32_t) busy;
} node;
#define BEHAVIOURS_node(ON) ON(node, item, node_receives)
ACTORBENCH_ACTOR_TYPE(node)

struct streamer {
    pthread_t thread;
    uint32_t index; /* as a sender */
    struct random random;
    uint32_t sent[ACTORS];
};

static node nodes[ACTORS];
static struct streamer streamers[STREAMERS];
static ATOMIC(uint64_t) outstanding; /* sent and not received, and one for each streamer that has not ended */

static item *make_item(uint32_t sender, uint32_t receiver, uint32_t *sent) {
    item *next = actorbench_message_new(item, ACTORBENCH_DELETE);
    next->sender = sender;
    next->receiver = receiver;
    next->number = sent[receiver]++;
    (void)atomic_fetch_add_relaxed(&outstanding, 1);
    return next;
}

/* Sends one or, as a cascade, two messages to a random actor; returns how many. */
static uint32_t send_some(uint32_t sender, struct random *random, uint32_t *sent, uint32_t most) {
    uint32_t receiver = random_below(random, ACTORS);
    if (traffic_meddles != NULL)
        traffic_meddles(random, &nodes[receiver].actor);
    item *first = make_item(sender, receiver, sent);
    if (most < 2 || random_below(random, 4) != 0) {
        actorbench_send(node, &nodes[receiver], first);
        return 1;
    }
    item *second = make_item(sender, receiver, sent);
    actorbench_send(node, &nodes[receiver], first, second);
    return 2;
}

/* How many messages a behaviour sends: at least one while there are few in flight, so that the traffic goes on. */
static uint32_t choose_sends(node *self) {
    uint32_t sends = random_below(&self->random, 256) == 0                    ? BURST
                     : atomic_load_relaxed(&outstanding) > WINDOW + STREAMERS ? random_below(&self->random, 2)
                                                                              : 1 + random_below(&self->random, 3);
    return sends < self->budget ? sends : self->budget;
}

static enum actorbench_allocation node_receives(node *self, item *message) {
    enum fault fault = atomic_exchange_explicit(&self->busy, 1, memory_order_relaxed) ? TWO_WORKERS : NO_FAULT;
    if (message->receiver != self->index)
        fault = WRONG_RECEIVER;
    else if (message->number != self->received[message->sender]++)
        fault = LOST_OR_DOUBLED;
    if (self->fault == NO_FAULT)
        self->fault = fault;
    uint32_t sends = choose_sends(self);
    self->budget -= sends;
    while (sends > 0)
        sends -= send_some(self->index, &self->random, self->sent, sends);
    if (random_below(&self->random, 64) == 0)
        cpu_yield(); /* another worker runs while this actor is busy */
    atomic_store_relaxed(&self->busy, 0);
    (void)atomic_fetch_sub_relaxed(&outstanding, 1);
    return ACTORBENCH_NODELETE;
}

static void *stream(void *argument) {
    struct streamer *self = argument;
    for (uint32_t sent = 0; sent < STREAMED;) {
        sent += send_some(self->index, &self->random, self->sent, STREAMED - sent);
        while (atomic_load_relaxed(&outstanding) > WINDOW + STREAMERS)
            cpu_yield();
        if (random_below(&self->random, 64) == 0)
            pause_ns(random_below(&self->random, 100000));
    }
    (void)atomic_fetch_sub_relaxed(&outstanding, 1);
    return NULL;
}

static void prepare_streamers(uint64_t seed) {
    memset(streamers, 0, sizeof streamers);
    atomic_initialise(&outstanding, STREAMERS);
    for (uint32_t i = 0; i < STREAMERS; i++) {
        streamers[i].index = ACTORS + i;
        streamers[i].random = random_seed(seed, ACTORS + i);
    }
}

static void prepare_nodes(uint64_t seed) {
    memset((void *)nodes, 0, sizeof nodes);
    for (uint32_t i = 0; i < ACTORS; i++) {
        nodes[i].index = i;
        nodes[i].budget = traffic_budget;
        nodes[i].random = random_seed(seed, i);
        atomic_initialise(&nodes[i].busy, 0);
        actorbench_actor_init(node, &nodes[i]);
    }
}

static uint32_t sent_to(uint32_t sender, uint32_t receiver) {
    return sender < ACTORS ? nodes[sender].sent[receiver] : streamers[sender - ACTORS].sent[receiver];
}

/* Asserts that the ledger is right; returns how many messages there were. */
static uint64_t check_ledger(void) {
    uint64_t messages = 0;
    for (uint32_t receiver = 0; receiver < ACTORS; receiver++) {
        if (nodes[receiver].fault != NO_FAULT)
            fail_msg("actor %u noted fault %d", receiver, (int)nodes[receiver].fault);
        for (uint32_t sender = 0; sender < SENDERS; sender++) {
            messages += nodes[receiver].received[sender];
            if (nodes[receiver].received[sender] != sent_to(sender, receiver))
                fail_msg("actor %u received %u messages from %u, which sent %u", receiver,
                         nodes[receiver].received[sender], sender, sent_to(sender, receiver));
        }
    }
    return messages;
}

/* One round: starts, lets the traffic flow until it ends by itself, stops, and checks the ledger. */
static void run_traffic(const struct actorbench_config *config) {
    start_executor(config);
    prepare_streamers(config->seed);
    prepare_nodes(config->seed);
    assert_int_equal(pthread_create(&streamers[1].thread, NULL, stream, &streamers[1]), 0);
    (void)stream(&streamers[0]);
    assert_int_equal(pthread_join(streamers[1].thread, NULL), 0);
    AWAIT(atomic_load_relaxed(&outstanding) == 0);
    for (uint32_t i = 0; i < ACTORS; i++)
        actorbench_send(node, &nodes[i], &actorbench_finished_message);
    actorbench_stop();

    uint64_t messages = check_ledger();
    struct actorbench_statistics counted;
    if (!actorbench_last_statistics(&counted))
        return;
    assert_int_equal(counted.actors_created, ACTORS);
    assert_int_equal(counted.messages_sent, messages + ACTORS);
    assert_int_equal(counted.messages_received, messages + ACTORS);
}

#endif
