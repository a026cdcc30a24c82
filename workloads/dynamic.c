/* dynamic: a new actor and a new message for every send, both freed after use (thesis, "Message Sends").
 *
 * `self`: each behaviour makes the next actor and message and sends, so that one message is in flight at a time.
 * `main`: the main thread makes them all.
 */
#include "workload.h"

enum { SOURCE_SELF, SOURCE_MAIN };

static uint64_t sends = 20000000, source = SOURCE_SELF;
static uint64_t expected;
static struct tally *actors_freed, *messages_freed, *received;

typedef struct {
    struct actorbench_message message;
    uint64_t number; /* of the send, from 1 */
} parcel;
static void parcel_ends(parcel *self) {
    (void)self;
    tally_add(messages_freed);
}
ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(parcel, parcel_ends)

typedef struct {
    struct actorbench_actor actor;
} receiver;
#define BEHAVIOURS_receiver(ON) ON(receiver, parcel, receiver_takes)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(receiver, receiver_ends)

static void receiver_ends(receiver *self) {
    (void)self;
    tally_add(actors_freed);
}

static void send_number(uint64_t number) {
    receiver *next = actorbench_actor_new(receiver);
    parcel *message = actorbench_message_new(parcel, ACTORBENCH_DELETE);
    message->number = number;
    actorbench_send(receiver, next, message);
}

static enum actorbench_allocation receiver_takes(receiver *self, parcel *message) {
    (void)self;
    tally_add(received);
    if (source == SOURCE_SELF && message->number < expected)
        send_number(message->number + 1);
    return ACTORBENCH_DELETE;
}

static const struct parameter parameters[] = {
    {"sends", &sends, NULL, 1, "messages, and actors, in all"},
    {"source", &source, "self|main", 0, "who sends: each actor to the next, or the main thread"},
    {0},
};

static const struct workload workload = {
    .name = "dynamic",
    .summary = "a new actor and a new message for every send",
    .unit = "send",
    .parameters = parameters,
};

static void verify(const char *what, const struct tally *tally) {
    if (tally_sum(tally) != expected)
        workload_wrong("%llu %s in place of %llu", (unsigned long long)tally_sum(tally), what,
                       (unsigned long long)expected);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    expected = workload_scaled(sends);
    workload_start_executor();
    actors_freed = tally_new();
    messages_freed = tally_new();
    received = tally_new();

    workload_start_clock();
    for (uint64_t i = 1; i <= (source == SOURCE_SELF ? 1 : expected); i++)
        send_number(i);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify("messages were received", received);
    verify("actors were freed", actors_freed);
    verify("messages were freed", messages_freed);
    return workload_end(expected, 0);
}
