/* stream: one sends to one, a batch at a time, in plain messages or by a construct of core/messaging: what does that cost?
 *
 * `message`: a producer sends to a counter. `become`: the counter answers by the set of handlers that it has become. `channel`: the
 * producer fills a channel, and rings once a batch; the counter takes the batch out. `main`: the main thread sends in the producer's
 * place. `barrier`: the same, and waits after each batch until the counter has had all of it (React++, 2.1, 2.6, 2.9).
 */
#include "messaging/becoming.h"
#include "messaging/channel.h"
#include "messaging/promise.h"
#include "workload.h"

enum { BY_MESSAGE, BY_BECOME, BY_CHANNEL, BY_MAIN, BY_BARRIER };

static uint64_t messages = 10000000, batch = 100, by = BY_MESSAGE;
static uint64_t amount; /* of messages, in this run */

typedef struct {
    struct actorbench_message message;
} item;
ACTORBENCH_MESSAGE_TYPE(item)

/* Tells the producer to go on, and the counter that a batch is there. */
typedef struct {
    struct actorbench_message message;
} bell;
ACTORBENCH_MESSAGE_TYPE(bell)

typedef struct {
    struct actorbench_actor actor;
    uint64_t received;
} counter;
#define BEHAVIOURS_counter(ON)        \
    ON(counter, item, counter_counts) \
    ON(counter, bell, counter_takes) ON(counter, actorbench_barrier, counter_acknowledges)
ACTORBENCH_ACTOR_TYPE(counter)

/* The same with a set of handlers. */
typedef struct {
    struct actorbench_actor actor;
    struct actorbench_becoming becoming;
    uint64_t received;
} changer;
#define BEHAVIOURS_changer(ON) ON(changer, item, changer_counts)
ACTORBENCH_BECOMING_TYPE(changer)
#define HANDLERS_counting(ON) ON(changer, counting, item, counting_counts)
ACTORBENCH_BEHAVIOUR_SET(changer, counting)

typedef struct {
    struct actorbench_actor actor;
    uint64_t sent;
} producer;
#define BEHAVIOURS_producer(ON) ON(producer, bell, producer_sends)
ACTORBENCH_ACTOR_TYPE(producer)

static counter the_counter;
static changer the_changer;
static producer the_producer;
static struct actorbench_channel *channel;
static item one; /* for all: what is sent is its address */
static bell rung;

static enum actorbench_allocation counter_counts(counter *self, item *message) {
    (void)message;
    return ++self->received == amount ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static enum actorbench_allocation counter_takes(counter *self, bell *message) {
    (void)message;
    return actorbench_channel_process(counter, channel, self, batch);
}

static enum actorbench_allocation counter_acknowledges(counter *self, actorbench_barrier *barrier) {
    (void)self;
    actorbench_barrier_acknowledge(barrier);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation counting_counts(changer *self, item *message) {
    (void)message;
    return ++self->received == amount ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

/* Out of line, so that no other send saves registers for it. */
__attribute__((noinline)) static void put_one(void) {
    (void)actorbench_channel_send(counter, channel, &one); /* it has no limit */
}

static void send_one(void) {
    if (by == BY_BECOME)
        actorbench_send(changer, &the_changer, &one);
    else if (by == BY_CHANNEL)
        put_one();
    else
        actorbench_send(counter, &the_counter, &one);
}

static uint64_t next_batch(uint64_t sent) {
    return amount - sent < batch ? amount - sent : batch;
}

static enum actorbench_allocation producer_sends(producer *self, bell *message) {
    for (uint64_t left = next_batch(self->sent); left > 0; left--, self->sent++)
        send_one();
    if (by == BY_CHANNEL)
        actorbench_send(counter, &the_counter, &rung);
    if (self->sent == amount)
        return ACTORBENCH_FINISHED;
    actorbench_send(producer, self, message);
    return ACTORBENCH_NODELETE;
}

/* In the producer's place. After the last item the counter has ended: there is nothing to wait for. */
static void main_sends(void) {
    for (uint64_t sent = 0; sent < amount;) {
        for (uint64_t left = next_batch(sent); left > 0; left--, sent++)
            send_one();
        if (by != BY_BARRIER || sent == amount)
            continue;
        actorbench_barrier barrier;
        actorbench_barrier_init(&barrier, 1);
        actorbench_send(counter, &the_counter, &barrier);
        (void)actorbench_barrier_wait(&barrier, ACTORBENCH_NO_TIMEOUT);
    }
}

static const struct parameter parameters[] = {
    {"messages", &messages, NULL, 1, "items; --scale multiplies it"},
    {"batch", &batch, NULL, 1, "items that are sent in a row, before others have their turn"},
    {"by", &by, "message|become|channel|main|barrier", 0, "how, and who sends"},
    {0},
};

static const struct workload workload = {
    .name = "stream",
    .summary = "one sends to one, in plain messages or by a construct",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    amount = workload_scaled(messages);
    workload_start_executor();
    actorbench_message_init(item, &one, ACTORBENCH_NODELETE);
    channel = actorbench_channel_make(0);
    bool from_main = by == BY_MAIN || by == BY_BARRIER;
    if (!from_main) {
        actorbench_message_init(bell, &rung, ACTORBENCH_NODELETE);
        actorbench_actor_init(producer, &the_producer);
    }
    if (by == BY_BECOME) {
        actorbench_actor_init(changer, &the_changer);
        actorbench_becoming_init(changer, &the_changer, counting, ACTORBENCH_DROP);
    } else {
        actorbench_actor_init(counter, &the_counter);
    }
    workload_start_clock();
    if (from_main)
        main_sends();
    else
        actorbench_send(producer, &the_producer, &rung);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();
    uint64_t received = by == BY_BECOME ? the_changer.received : the_counter.received,
             left = actorbench_channel_free(channel);
    if (received != amount || left != 0)
        workload_wrong("%llu messages were received in place of %llu, and %llu are left in the channel",
                       (unsigned long long)received, (unsigned long long)amount, (unsigned long long)left);
    return workload_end(amount, 0);
}
