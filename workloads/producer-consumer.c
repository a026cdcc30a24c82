/* producer-consumer: many producers stream to one consumer (React++, "Producer-Consumer").
 *
 * A producer sends --batch messages in a behaviour, and then itself one, to go on: so producers and consumer alternate
 * where they share a worker, and few messages are queued at a time. Where they do not, nothing holds the producers back,
 * as in the source: when they are faster than the consumer, its mailbox grows, at worst to --producers x --messages
 * envelopes (32 million: 770 MB).
 */
#include <stdlib.h>

#include "workload.h"

static uint64_t producers = 32, messages = 1000000, batch = 100;

typedef struct {
    struct actorbench_message message;
    uint64_t producer;
} item;
ACTORBENCH_MESSAGE_TYPE(item)

/* From a producer to itself; one for all: what is sent is its address. */
typedef struct {
    struct actorbench_message message;
} turn;
ACTORBENCH_MESSAGE_TYPE(turn)

typedef struct {
    struct actorbench_actor actor;
    uint64_t missing;   /* items, of all producers */
    uint64_t *received; /* items, by producer */
} consumer;
#define BEHAVIOURS_consumer(ON) ON(consumer, item, consumer_takes)
ACTORBENCH_ACTOR_TYPE(consumer)

typedef struct {
    struct actorbench_actor actor;
    item *product; /* not in the producer: the consumer reads it while the producer writes `left` */
    uint64_t left; /* to be sent */
} producer;
#define BEHAVIOURS_producer(ON) ON(producer, turn, producer_produces)
ACTORBENCH_ACTOR_TYPE(producer)

static consumer the_consumer;

static enum actorbench_allocation consumer_takes(consumer *self, item *product) {
    self->received[product->producer]++;
    return --self->missing == 0 ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static enum actorbench_allocation producer_produces(producer *self, turn *message) {
    uint64_t portion = self->left < batch ? self->left : batch;
    self->left -= portion;
    for (uint64_t i = 0; i < portion; i++)
        actorbench_send(consumer, &the_consumer, self->product);
    if (self->left == 0)
        return ACTORBENCH_FINISHED;
    actorbench_send(producer, self, message);
    return ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"producers", &producers, NULL, 1, "actors that send to the consumer"},
    {"messages", &messages, NULL, 1, "from each of them; --scale multiplies it"},
    {"batch", &batch, NULL, 1, "messages that a producer sends in one behaviour"},
    {0},
};

static const struct workload workload = {
    .name = "producer-consumer",
    .summary = "many producers stream to one consumer",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    uint64_t each = workload_scaled(messages);
    producer *all_producers = calloc(producers, sizeof *all_producers);
    item *items = calloc(producers, sizeof *items);
    the_consumer.received = calloc(producers, sizeof *the_consumer.received);
    if (all_producers == NULL || items == NULL || the_consumer.received == NULL)
        workload_refuse("--producers %llu: there is not enough memory for so many", (unsigned long long)producers);
    the_consumer.missing = producers * each;

    workload_start_executor();
    static turn first_turn;
    actorbench_message_init(turn, &first_turn, ACTORBENCH_NODELETE);
    actorbench_actor_init(consumer, &the_consumer);
    for (uint64_t i = 0; i < producers; i++) {
        actorbench_message_init(item, &items[i], ACTORBENCH_NODELETE);
        items[i].producer = i;
        actorbench_actor_init(producer, &all_producers[i]);
        all_producers[i].product = &items[i];
        all_producers[i].left = each;
    }
    workload_start_clock();
    for (uint64_t i = 0; i < producers; i++)
        actorbench_send(producer, &all_producers[i], &first_turn);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    for (uint64_t i = 0; i < producers; i++)
        if (the_consumer.received[i] != each) {
            workload_wrong("%llu messages came from producer %llu in place of %llu",
                           (unsigned long long)the_consumer.received[i], (unsigned long long)i,
                           (unsigned long long)each);
            break;
        }
    free(the_consumer.received);
    free(items);
    free(all_producers);
    return workload_end(producers * each, 0);
}
