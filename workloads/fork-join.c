/* fork-join: one source sends to many actors in turn (Savina, "Fork Join (throughput)"; React++, "Fork Join:
 * Throughput").
 *
 * The source sends all in one behaviour, as Savina does, and nothing holds it back: the mailboxes together grow towards
 * --actors x --messages envelopes (10 million: 240 MB) when the source is faster than the receivers, and with
 * one worker always.
 */
#include <stdlib.h>

#include "workload.h"

static uint64_t actors = 1000, messages = 10000;
static uint64_t last;

typedef struct {
    struct actorbench_message message;
} begin;
ACTORBENCH_MESSAGE_TYPE(begin)

typedef struct {
    struct actorbench_message message;
} task;
ACTORBENCH_MESSAGE_TYPE(task)

typedef struct {
    struct actorbench_actor actor;
    uint64_t received;
} receiver;
#define BEHAVIOURS_receiver(ON) ON(receiver, task, receiver_takes)
ACTORBENCH_ACTOR_TYPE(receiver)

typedef struct {
    struct actorbench_actor actor;
    task work; /* one for all sends: what is sent is its address */
} source;
#define BEHAVIOURS_source(ON) ON(source, begin, source_sends)
ACTORBENCH_ACTOR_TYPE(source)

static receiver *receivers;

static enum actorbench_allocation receiver_takes(receiver *self, task *work) {
    (void)work;
    return ++self->received == last ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static enum actorbench_allocation source_sends(source *self, begin *start) {
    (void)start;
    for (uint64_t round = 0; round < last; round++)
        for (uint64_t i = 0; i < actors; i++)
            actorbench_send(receiver, &receivers[i], &self->work);
    return ACTORBENCH_FINISHED;
}

static const struct parameter parameters[] = {
    {"actors", &actors, NULL, 1, "that receive"},
    {"messages", &messages, NULL, 1, "to each of them; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "fork-join",
    .summary = "one source sends to many actors in turn",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    last = workload_scaled(messages);
    receivers = calloc(actors, sizeof *receivers);
    if (receivers == NULL)
        workload_refuse("--actors %llu: there is not enough memory for so many", (unsigned long long)actors);

    workload_start_executor();
    static source the_source;
    static begin start;
    actorbench_actor_init(source, &the_source);
    actorbench_message_init(task, &the_source.work, ACTORBENCH_NODELETE);
    actorbench_message_init(begin, &start, ACTORBENCH_NODELETE);
    for (uint64_t i = 0; i < actors; i++)
        actorbench_actor_init(receiver, &receivers[i]);
    workload_start_clock();
    actorbench_send(source, &the_source, &start);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    for (uint64_t i = 0; i < actors; i++)
        if (receivers[i].received != last) {
            workload_wrong("actor %llu received %llu messages in place of %llu", (unsigned long long)i,
                           (unsigned long long)receivers[i].received, (unsigned long long)last);
            break;
        }
    free(receivers);
    return workload_end(actors * last, 0);
}
