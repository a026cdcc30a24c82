/* bounded-buffer: producers hand items to consumers by a manager, whose buffer is bounded (Savina, Imam and Sarkar, AGERE
 * 2014: "Producer-Consumer with Bounded Buffer").
 *
 * A producer makes an item when the manager tells it to. The manager gives the item to a consumer that is free, or keeps
 * it; it tells the producer to go on if there is room for one more item of every producer, and otherwise when a consumer
 * has taken one away. A consumer computes, and is free again.
 *
 * A cost is in hundreds of steps. A step of the suite's is the logarithm of a random number; here it is a multiplication
 * and an addition of whole numbers, so that sums are exact in any order. As there, all producers make the same items.
 */
#include <stdlib.h>

#include "ring.h"

static uint64_t capacity = 50, producers = 40, consumers = 40, items = 1000, make_cost = 25, use_cost = 25;
static uint64_t last; /* items of each producer */

typedef struct producer producer;
typedef struct consumer consumer;

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

/* From its producer to the manager, and on to a consumer, whose behaviour ends it. */
typedef struct {
    struct actorbench_message message;
    producer *from;
    uint64_t value;
} item;
ACTORBENCH_MESSAGE_TYPE(item)

typedef struct {
    struct actorbench_message message;
    consumer *from;
} request;
ACTORBENCH_MESSAGE_TYPE(request)

struct producer {
    struct actorbench_actor actor;
    uint64_t made, value; /* items; of the last */
};
#define BEHAVIOURS_producer(ON) ON(producer, notice, producer_makes)
ACTORBENCH_ACTOR_TYPE(producer)

struct consumer {
    struct actorbench_actor actor;
    request more;
    uint64_t used, sum; /* items; of their values */
    uint64_t result;
};
#define BEHAVIOURS_consumer(ON) ON(consumer, item, consumer_uses)
ACTORBENCH_ACTOR_TYPE(consumer)

typedef struct {
    struct actorbench_actor actor;
    struct ring full, idle, free; /* items, producers, consumers */
    uint64_t ended;               /* producers */
} manager;
#define BEHAVIOURS_manager(ON) \
    ON(manager, item, manager_receives) ON(manager, request, manager_gives) ON(manager, notice, manager_counts)
ACTORBENCH_ACTOR_TYPE(manager)

static producer *all_producers;
static consumer *all_consumers;
static manager the_manager;
static notice go_on, ended; /* one for all: what is sent is its address */

static uint64_t compute(uint64_t value, uint64_t cost) {
    uint64_t steps = cost == 0 ? 1 : 100 * cost;
    for (uint64_t i = 0; i < steps; i++)
        value = value * UINT64_C(6364136223846793005) + i;
    return value;
}

static enum actorbench_allocation producer_makes(producer *self, notice *message) {
    (void)message;
    if (self->made == last) {
        actorbench_send(manager, &the_manager, &ended);
        return ACTORBENCH_FINISHED;
    }
    self->made++;
    self->value = compute(self->value, make_cost);
    item *product = actorbench_message_new(item, ACTORBENCH_NODELETE);
    product->from = self;
    product->value = self->value;
    actorbench_send(manager, &the_manager, product);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation manager_receives(manager *self, item *product) {
    producer *from = product->from; /* read first: its consumer may end the item before this behaviour ends */
    if (self->free.count != 0)
        actorbench_send(consumer, (consumer *)ring_take(&self->free), product);
    else
        ring_put(&self->full, product);
    if (self->full.count < capacity - producers)
        actorbench_send(producer, from, &go_on);
    else
        ring_put(&self->idle, from);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation consumer_uses(consumer *self, item *product) {
    self->used++;
    self->sum += product->value;
    self->result = compute(self->result + product->value, use_cost);
    actorbench_message_set_allocation(&product->message, ACTORBENCH_DELETE);
    actorbench_send(manager, &the_manager, &self->more);
    return ACTORBENCH_NODELETE;
}

/* If all producers have ended and all consumers are free, no item is left. */
static enum actorbench_allocation end_if_done(manager *self) {
    if (self->ended < producers || self->free.count < consumers)
        return ACTORBENCH_NODELETE;
    for (uint64_t i = 0; i < consumers; i++)
        actorbench_send(consumer, &all_consumers[i], &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation manager_gives(manager *self, request *more) {
    if (self->full.count == 0) {
        ring_put(&self->free, more->from);
        return end_if_done(self);
    }
    actorbench_send(consumer, more->from, (item *)ring_take(&self->full));
    if (self->idle.count != 0)
        actorbench_send(producer, (producer *)ring_take(&self->idle), &go_on);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation manager_counts(manager *self, notice *message) {
    (void)message;
    self->ended++;
    return end_if_done(self);
}

static const struct parameter parameters[] = {
    {"capacity", &capacity, NULL, 2, "of the buffer, in items; over --producers"},
    {"producers", &producers, NULL, 1, "that make items"},
    {"consumers", &consumers, NULL, 1, "that use them"},
    {"items", &items, NULL, 1, "of each producer; --scale multiplies it"},
    {"make-cost", &make_cost, NULL, 0, "of an item, in hundreds of multiplications; 0: one"},
    {"use-cost", &use_cost, NULL, 0, "the same of its use"},
    {0},
};

static const struct workload workload = {
    .name = "bounded-buffer",
    .summary = "producers hand items to consumers by a manager, whose buffer is bounded",
    .unit = "item",
    .parameters = parameters,
};

static void verify(void) {
    uint64_t value = 0, due = 0, sum = 0, used = 0;
    for (uint64_t i = 0; i < last; i++) {
        value = compute(value, make_cost);
        due += producers * value;
    }
    for (uint64_t i = 0; i < consumers; i++) {
        sum += all_consumers[i].sum;
        used += all_consumers[i].used;
    }
    if (used != producers * last || sum != due)
        workload_wrong("consumers have used %llu items in place of %llu, %s", (unsigned long long)used,
                       (unsigned long long)(producers * last),
                       sum == due ? "of the right values" : "of other values than were made");
    if (the_manager.full.most > capacity)
        workload_wrong("the buffer held %llu items, and may hold %llu", (unsigned long long)the_manager.full.most,
                       (unsigned long long)capacity);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    last = workload_scaled(items);
    if (capacity <= producers)
        workload_refuse("--capacity %llu: must be over --producers %llu, each of which may have an item on its way",
                        (unsigned long long)capacity, (unsigned long long)producers);
    the_manager.full = ring_new(capacity + producers); /* with room to see that it holds too many */
    the_manager.idle = ring_new(producers);
    the_manager.free = ring_new(consumers);
    all_producers = calloc(producers, sizeof *all_producers);
    all_consumers = calloc(consumers, sizeof *all_consumers);
    if (all_producers == NULL || all_consumers == NULL)
        workload_refuse("there is not enough memory for %llu producers and %llu consumers",
                        (unsigned long long)producers, (unsigned long long)consumers);

    workload_start_executor();
    actorbench_message_init(notice, &go_on, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &ended, ACTORBENCH_NODELETE);
    actorbench_actor_init(manager, &the_manager);
    for (uint64_t i = 0; i < producers; i++)
        actorbench_actor_init(producer, &all_producers[i]);
    for (uint64_t i = 0; i < consumers; i++) {
        actorbench_actor_init(consumer, &all_consumers[i]);
        actorbench_message_init(request, &all_consumers[i].more, ACTORBENCH_NODELETE);
        all_consumers[i].more.from = &all_consumers[i];
        ring_put(&the_manager.free, &all_consumers[i]);
    }
    workload_start_clock();
    for (uint64_t i = 0; i < producers; i++)
        actorbench_send(producer, &all_producers[i], &go_on);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    free(all_consumers);
    free(all_producers);
    free(the_manager.free.places);
    free(the_manager.idle.places);
    free(the_manager.full.places);
    return workload_end(producers * last, 0);
}
