/* static: one actor and one message, allocated once; how long does a send take? (thesis, "Message Sends")
 *
 * `self`: the actor sends the message on to itself, so that each send is a whole cycle of send, gulp and behaviour.
 * `main`: the main thread streams sends to the actor, as the thesis does; with more senders, other threads outside beside it.
 */
#include <pthread.h>
#include <string.h>

#include "platform/cpu.h"
#include "workload.h"

enum { SOURCE_SELF, SOURCE_MAIN, MOST_SENDERS = 64 };

static uint64_t sends = 100000000, source = SOURCE_SELF, senders = 1;
static uint64_t expected;

typedef struct {
    struct actorbench_message message;
} parcel;
ACTORBENCH_MESSAGE_TYPE(parcel)

typedef struct {
    struct actorbench_actor actor;
    uint64_t received;
} receiver;
#define BEHAVIOURS_receiver(ON) ON(receiver, parcel, receiver_takes)
ACTORBENCH_ACTOR_TYPE(receiver)

static enum actorbench_allocation receiver_takes(receiver *self, parcel *message) {
    if (++self->received == expected)
        return ACTORBENCH_FINISHED;
    if (likely(source == SOURCE_SELF))
        actorbench_send(receiver, self, message);
    return ACTORBENCH_NODELETE;
}

static receiver actor;
static parcel message;

static void send_to_actor(uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        actorbench_send(receiver, &actor, &message);
}

/* What the sender with this number, from 0, sends: about as much as any other. */
static uint64_t share_of(uint64_t number) {
    return expected / senders + (number < expected % senders);
}

static void *send_share(void *number) {
    send_to_actor(share_of((uintptr_t)number));
    return NULL;
}

/* By the main thread, which is number 0, and as many others as there are to be. */
static void send_from_outside(void) {
    pthread_t others[MOST_SENDERS];
    for (uint64_t i = 1; i < senders; i++) {
        int error = pthread_create(&others[i], NULL, send_share, (void *)(uintptr_t)i);
        if (error != 0)
            workload_refuse("a sender cannot be started: %s", strerror(error));
    }
    send_to_actor(share_of(0));
    for (uint64_t i = 1; i < senders; i++) {
        int error = pthread_join(others[i], NULL);
        if (error != 0)
            workload_refuse("a sender cannot be joined: %s", strerror(error));
    }
}

static const struct parameter parameters[] = {
    {"sends", &sends, NULL, 1, "messages in all"},
    {"source", &source, "self|main", 0, "who sends: the actor to itself, or the main thread"},
    {"senders", &senders, NULL, 1, "source main: threads that send, the main thread among them"},
    {0},
};

static const struct workload workload = {
    .name = "static",
    .summary = "one actor, one message, allocated once",
    .unit = "send",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    if (senders > MOST_SENDERS)
        workload_refuse("--senders cannot be %llu: it is 1 to %d", (unsigned long long)senders, MOST_SENDERS);
    if (senders > 1 && source == SOURCE_SELF)
        workload_refuse("--senders %llu needs --source main: the actor is the one that sends to itself",
                        (unsigned long long)senders);
    expected = workload_scaled(sends);
    workload_start_executor();

    actorbench_actor_init(receiver, &actor);
    actorbench_message_init(parcel, &message, ACTORBENCH_NODELETE);

    workload_start_clock();
    if (source == SOURCE_SELF)
        send_to_actor(1);
    else
        send_from_outside();
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    if (actor.received != expected)
        workload_wrong("%llu messages were received in place of %llu", (unsigned long long)actor.received,
                       (unsigned long long)expected);
    return workload_end(expected, 0);
}
