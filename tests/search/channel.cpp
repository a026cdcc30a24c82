/* Channels (messaging/channel.h): each message is taken once, in the order in which it was sent, and whoever takes it sees what its
 * sender wrote; a channel holds no more than its limit, and a message that it has no room for is still its sender's. */
#define ACTORBENCH_SMALL /* a ring of two letters */
#include "search.h"

/* Each thread's own; see workers.h. */
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* a letter, if none was taken: then it is not used */
#define this_delivery (*this_delivery_here())

#include "lifecycle.c"
#include "messaging/channel.c"

enum { THREADS = 3 };

static struct delivery deliveries[THREADS];

struct delivery *this_delivery_here() {
    return &deliveries[rl::ctx().current_thread()];
}

void storage_give(void *block, size_t) {
    free(block);
}

struct order {
    struct actorbench_message message;
    search::plain<unsigned> sender, number; /* from 1 */
};

static const struct actorbench_message_type order_type = {"order", NULL, sizeof(struct order), NULL};

static unsigned taken[THREADS]; /* by sender */
static bool is_ordered;         /* whether one thread alone takes */

static enum actorbench_allocation take_order(struct actorbench_actor *, struct actorbench_message *message) {
    struct order *order = (struct order *)message;
    taken[order->sender]++;
    ALWAYS(!is_ordered || taken[order->sender] == order->number);
    return ACTORBENCH_NODELETE;
}

/* A channel and the threads' parts. */
template <typename derived, rl::thread_id_t threads, size_t limit, unsigned sent, bool ordered>
struct flow : search::scenario<derived, threads> {
    struct actorbench_channel *channel;

    void prepare() {
        channel = actorbench_channel_make(limit);
        for (unsigned &of_sender : taken)
            of_sender = 0;
        is_ordered = ordered;
    }
    /* Whether there was room. */
    bool send(unsigned sender, unsigned number) {
        struct order *order = search::zeroed<struct order>();
        actorbench_message_construct(&order->message, &order_type, ACTORBENCH_DELETE);
        order->sender = sender;
        order->number = number;
        if (actorbench_channel_put(channel, &order->message, take_order))
            return true;
        order->number = 0; /* still the sender's */
        free(order);
        return false;
    }
    void send_until_room(unsigned sender, unsigned number) {
        while (!send(sender, number))
            cpu_yield();
    }
    void take(size_t most) {
        ALWAYS(actorbench_channel_run(channel, NULL, most) == ACTORBENCH_NODELETE);
    }
    /* What is left is ended with the channel; nothing is lost. */
    void finish() {
        unsigned all = 0;
        for (unsigned of_sender : taken)
            all += of_sender;
        ALWAYS(actorbench_channel_count(channel) == sent - all);
        ALWAYS(actorbench_channel_free(channel) == sent - all);
    }
};

/* The ring grows beside who takes, when it begins in its middle too. */
struct grown : flow<grown, 2, 0, 4, true> {
    void thread(unsigned number) {
        if (number == 0) {
            take(2);
            return;
        }
        for (unsigned i = 1; i <= 4; i++)
            ALWAYS(send(1, i));
    }
};

/* Who finds it full sends again when there is room. */
struct full : flow<full, 2, 1, 2, true> {
    void thread(unsigned number) {
        if (number == 0) {
            while (taken[1] < 2) {
                take(2);
                cpu_yield();
            }
            return;
        }
        send_until_room(1, 1);
        send_until_room(1, 2);
    }
};

/* Two send, one takes. */
struct two_senders : flow<two_senders, 3, 2, 2, true> {
    void thread(unsigned number) {
        if (number == 0)
            take(2);
        else
            ALWAYS(send(number, 1));
    }
};

/* One of two has room. */
struct one_place : flow<one_place, 2, 1, 1, true> {
    bool had_room[2];

    void thread(unsigned number) {
        had_room[number] = send(number, 1);
        ALWAYS(actorbench_channel_count(channel) == 1);
    }
    void finish() {
        ALWAYS(had_room[0] != had_room[1]);
        flow::finish();
    }
};

/* Two take beside one who sends. */
struct two_takers : flow<two_takers, 3, 0, 2, false> {
    void thread(unsigned number) {
        if (number != 0) {
            take(1);
            return;
        }
        ALWAYS(send(0, 1));
        ALWAYS(send(0, 2));
    }
};

SEARCHES(BOUNDED(grown, 4), BOUNDED(full, 3), BOUNDED(two_senders, 3), FULL(one_place), BOUNDED(two_takers, 3))
