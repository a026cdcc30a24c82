/* A channel by a script: LINE LIMIT WORD... A word is an order that main sends, or mN: main sends so many, or tN: the cook takes N at
 * most. What an order does when it runs: s nothing; a sends another; n takes the next one meanwhile; k is put in once more.
 *
 * Prints +N or -N for an order that there was room for or not, N for one that runs, eN for one that ends, =N how many are left. */
#include "scripted.h"

#include "messaging/channel.h"
#include "messaging/promise.h"

enum { MOST_ORDERS = 1000 };

typedef struct {
    struct actorbench_message message;
    char word;
    unsigned number;
} order;
/* By number: those that were put in once more and have not ended since; that the channel does not do. */
static order *again[MOST_ORDERS];

static void order_ends(order *self) {
    again[self->number] = NULL;
    (void)printf("e%u ", self->number);
}
ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(order, order_ends)

typedef struct {
    struct actorbench_message message;
    size_t most;
} bell;
ACTORBENCH_MESSAGE_TYPE(bell)

typedef struct {
    struct actorbench_actor actor;
} cook;
#define BEHAVIOURS_cook(ON) \
    ON(cook, order, cook_cooks) ON(cook, bell, cook_hears) ON(cook, actorbench_barrier, cook_acknowledges)
ACTORBENCH_ACTOR_TYPE(cook)

/* Main's and the cook's by turns. */
static struct actorbench_channel *channel;
static unsigned orders;

static void give(char word) {
    order *made = actorbench_message_new(order, ACTORBENCH_DELETE);
    made->word = word;
    made->number = ++orders;
    if (orders == MOST_ORDERS)
        exit(2);
    if (actorbench_channel_send(cook, channel, made)) {
        (void)printf("+%u ", orders);
    } else {
        (void)printf("-%u ", orders);
        actorbench_message_delete(&made->message);
    }
}

static void put_again(order *message) {
    actorbench_message_set_allocation(&message->message, ACTORBENCH_NODELETE);
    if (actorbench_channel_send(cook, channel, message)) {
        (void)printf("+%u ", message->number);
        message->word = 's';
        again[message->number] = message;
    } else {
        actorbench_message_set_allocation(&message->message, ACTORBENCH_DELETE);
    }
}

static enum actorbench_allocation cook_cooks(cook *self, order *message) {
    (void)printf("%u ", message->number);
    actorbench_message_set_allocation(&message->message, ACTORBENCH_DELETE); /* one that was put in again */
    if (message->word == 'a')
        give('s');
    else if (message->word == 'k')
        put_again(message);
    return message->word == 'n' ? actorbench_channel_process(cook, channel, self, 1) : ACTORBENCH_NODELETE;
}

static enum actorbench_allocation cook_hears(cook *self, bell *message) {
    return actorbench_channel_process(cook, channel, self, message->most);
}

static enum actorbench_allocation cook_acknowledges(cook *self, actorbench_barrier *barrier) {
    (void)self;
    actorbench_barrier_acknowledge(barrier);
    return ACTORBENCH_NODELETE;
}

static void take(cook *self, size_t most) {
    bell rung;
    actorbench_message_init(bell, &rung, ACTORBENCH_NODELETE);
    rung.most = most;
    actorbench_barrier barrier;
    actorbench_barrier_init(&barrier, 1);
    actorbench_send(cook, self, &rung, &barrier);
    (void)actorbench_barrier_wait(&barrier, ACTORBENCH_NO_TIMEOUT);
}

int main(int argc, char **argv) {
    begin_script(argc, argv, 3);
    channel = actorbench_channel_make(strtoul(argv[2], NULL, 10));
    cook self;
    actorbench_actor_init(cook, &self);
    for (int i = 3; i < argc; i++) {
        unsigned long number = strtoul(argv[i] + 1, NULL, 10);
        if (argv[i][0] == 't')
            take(&self, number);
        else if (argv[i][0] == 'm')
            for (; number > 0; number--)
                give('s');
        else
            give(argv[i][0]);
        (void)printf("=%zu ", actorbench_channel_count(channel));
    }
    actorbench_send(cook, &self, &actorbench_finished_message);
    actorbench_stop();
    (void)printf("=%zu ", actorbench_channel_free(channel));
    for (unsigned i = 0; i <= orders; i++)
        if (again[i] != NULL)
            actorbench_message_delete(&again[i]->message);
    return 0;
}
