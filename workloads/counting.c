/* counting: a producer streams increments to a counter, then asks it for its count (Savina, "Counting Actor"; React++,
 * "Counting Actor").
 *
 * The producer sends all in one behaviour, as the source does, and nothing holds it back: when it is faster than the
 * counter, and with one worker always, the counter's mailbox grows towards --messages envelopes (10 million:
 * 240 MB). The time includes that growth.
 */
#include "workload.h"

static uint64_t messages = 10000000;
static uint64_t increments;

typedef struct {
    struct actorbench_message message;
} begin;
ACTORBENCH_MESSAGE_TYPE(begin)

/* One for all increments: what is sent is its address. */
typedef struct {
    struct actorbench_message message;
} increment;
ACTORBENCH_MESSAGE_TYPE(increment)

/* From the producer to the counter and, with its count, back. */
typedef struct {
    struct actorbench_message message;
    uint64_t count;
} question;
ACTORBENCH_MESSAGE_TYPE(question)

typedef struct {
    struct actorbench_actor actor;
    uint64_t count;
} counter;
#define BEHAVIOURS_counter(ON) ON(counter, increment, counter_counts) ON(counter, question, counter_answers)
ACTORBENCH_ACTOR_TYPE(counter)

typedef struct {
    struct actorbench_actor actor;
    increment one;
    question how_many;
} producer;
#define BEHAVIOURS_producer(ON) ON(producer, begin, producer_streams) ON(producer, question, producer_hears)
ACTORBENCH_ACTOR_TYPE(producer)

static counter the_counter;
static producer the_producer;

static enum actorbench_allocation counter_counts(counter *self, increment *one) {
    (void)one;
    self->count++;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation counter_answers(counter *self, question *how_many) {
    how_many->count = self->count;
    actorbench_send(producer, &the_producer, how_many);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation producer_streams(producer *self, begin *start) {
    (void)start;
    for (uint64_t i = 0; i < increments; i++)
        actorbench_send(counter, &the_counter, &self->one);
    actorbench_send(counter, &the_counter, &self->how_many);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation producer_hears(producer *self, question *answer) {
    (void)self, (void)answer;
    workload_stop_clock();
    return ACTORBENCH_FINISHED;
}

static const struct parameter parameters[] = {
    {"messages", &messages, NULL, 1, "increments; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "counting",
    .summary = "a producer streams increments to a counter, then asks it for its count",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    increments = workload_scaled(messages);
    workload_start_executor();
    static begin start;
    actorbench_message_init(begin, &start, ACTORBENCH_NODELETE);
    actorbench_actor_init(producer, &the_producer);
    actorbench_message_init(increment, &the_producer.one, ACTORBENCH_NODELETE);
    actorbench_message_init(question, &the_producer.how_many, ACTORBENCH_NODELETE);
    actorbench_actor_init(counter, &the_counter);
    workload_start_clock();
    actorbench_send(producer, &the_producer, &start);
    actorbench_stop();

    if (the_producer.how_many.count != increments)
        workload_wrong("the counter answered %llu in place of %llu", (unsigned long long)the_producer.how_many.count,
                       (unsigned long long)increments);
    return workload_end(increments, 0);
}
