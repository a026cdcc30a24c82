/* static: one actor and one message, allocated once; how long does a send take? (thesis, "Message Sends")
 *
 * `self`: the actor sends the message on to itself, so that each send is a whole cycle of send, gulp and behaviour.
 * `main`: the main thread streams sends to the actor, as the thesis does.
 */
#include "workload.h"

enum { SOURCE_SELF, SOURCE_MAIN };

static uint64_t sends = 100000000, source = SOURCE_SELF;
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
    if (source == SOURCE_SELF)
        actorbench_send(receiver, self, message);
    return ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"sends", &sends, NULL, 1, "messages in all"},
    {"source", &source, "self|main", 0, "who sends: the actor to itself, or the main thread"},
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
    expected = workload_scaled(sends);
    workload_start_executor();

    static receiver actor;
    static parcel message;
    actorbench_actor_init(receiver, &actor);
    actorbench_message_init(parcel, &message, ACTORBENCH_NODELETE);

    workload_start_clock();
    for (uint64_t i = 0; i < (source == SOURCE_SELF ? 1 : expected); i++)
        actorbench_send(receiver, &actor, &message);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    if (actor.received != expected)
        workload_wrong("%llu messages were received in place of %llu", (unsigned long long)actor.received,
                       (unsigned long long)expected);
    return workload_end(expected, 0);
}
