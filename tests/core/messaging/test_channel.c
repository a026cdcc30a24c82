/* Channels: conservation with many senders and many who process; order; full ones. Under all options. */
#include "harness.h"

#include "messaging/channel.h"
#include "rows.h"

enum { COOKS = 3, WAITERS = 3, ORDERS = 300 /* of each waiter */, LIMIT = 20, BATCH = 7 };

typedef struct {
    struct actorbench_message message;
    unsigned waiter, number;
} order;
static ATOMIC(uint32_t) orders_ended;
static void order_ends(order *self) {
    (void)self, (void)atomic_fetch_add_relaxed(&orders_ended, 1);
}
ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(order, order_ends)

/* Goes to and fro between a waiter, which has one, and a cook: first to the waiter. */
typedef struct waiter waiter;
typedef struct {
    struct actorbench_message message;
    waiter *owner;
} bell;
ACTORBENCH_MESSAGE_TYPE(bell)

/* Cooks take from one channel, a batch at each ring. */
typedef struct {
    struct actorbench_actor actor;
    unsigned last[WAITERS]; /* the number of the last order from each, and 1 */
    unsigned cooked, batch;
    bool disordered, crowded;
} cook;
#define BEHAVIOURS_cook(ON) ON(cook, order, cook_cooks) ON(cook, bell, cook_hears)
ACTORBENCH_ACTOR_TYPE(cook)

/* Waiters send a batch at each ring; what the channel has no room for, at the next. They end when it is empty. */
struct waiter {
    struct actorbench_actor actor;
    unsigned number, sent, rung;
    order *next;
    bell own;
};
#define BEHAVIOURS_waiter(ON) ON(waiter, bell, waiter_hears)
ACTORBENCH_ACTOR_TYPE(waiter)

static struct actorbench_channel *orders;
static cook cooks[COOKS];
static waiter waiters[WAITERS];
static ATOMIC(uint32_t) waiters_ended;

static enum actorbench_allocation cook_cooks(cook *self, order *message) {
    self->disordered |= message->number < self->last[message->waiter];
    self->last[message->waiter] = message->number + 1;
    self->cooked++;
    self->crowded |= ++self->batch > BATCH;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation cook_hears(cook *self, bell *message) {
    self->batch = 0;
    enum actorbench_allocation fate = actorbench_channel_process(cook, orders, self, BATCH);
    actorbench_send(waiter, message->owner, message);
    return fate;
}

/* Whether there was room for the next order. */
static bool send_order(waiter *self) {
    if (self->next == NULL) {
        self->next = actorbench_message_new(order, ACTORBENCH_DELETE);
        self->next->waiter = self->number;
        self->next->number = self->sent;
    }
    if (!actorbench_channel_send(cook, orders, self->next))
        return false;
    self->next = NULL;
    self->sent++;
    return true;
}

static enum actorbench_allocation waiter_hears(waiter *self, bell *message) {
    for (unsigned i = 0; i < 2 * BATCH && self->sent < ORDERS && send_order(self); i++) {
    }
    if (self->sent == ORDERS && actorbench_channel_count(orders) == 0) {
        (void)atomic_fetch_add_relaxed(&waiters_ended, 1);
        return ACTORBENCH_FINISHED;
    }
    actorbench_send(cook, &cooks[self->rung++ % COOKS], message);
    return ACTORBENCH_NODELETE;
}

static void flow(const struct table_line *line, size_t limit) {
    struct actorbench_config config = configuration(line->names, line->values);
    memset((void *)cooks, 0, sizeof cooks);
    memset((void *)waiters, 0, sizeof waiters);
    atomic_store_relaxed(&waiters_ended, 0);
    atomic_store_relaxed(&orders_ended, 0);
    orders = actorbench_channel_make(limit);
    start_executor(&config);
    for (unsigned i = 0; i < COOKS; i++)
        actorbench_actor_init(cook, &cooks[i]);
    for (unsigned i = 0; i < WAITERS; i++) {
        waiter *self = &waiters[i];
        actorbench_actor_init(waiter, self);
        self->number = self->rung = i;
        actorbench_message_init(bell, &self->own, ACTORBENCH_NODELETE);
        self->own.owner = self;
        actorbench_send(waiter, self, &self->own);
    }
    AWAIT(atomic_load_relaxed(&waiters_ended) == WAITERS);
    for (unsigned i = 0; i < COOKS; i++)
        actorbench_send(cook, &cooks[i], &actorbench_finished_message);
    actorbench_stop();
    assert_int_equal(actorbench_channel_count(orders), 0);
    assert_int_equal(actorbench_channel_free(orders), 0);
    assert_int_equal(atomic_load_relaxed(&orders_ended), WAITERS * ORDERS);
    unsigned sum = 0;
    for (unsigned i = 0; i < COOKS; i++) {
        assert_false(cooks[i].disordered);
        assert_false(cooks[i].crowded);
        sum += cooks[i].cooked;
    }
    assert_int_equal(sum, WAITERS * ORDERS);
}

static void test_flow(void **state) {
    const struct table_line *line = (const struct table_line *)*state;
    watch_line("channels", line);
    flow(line, LIMIT);
    flow(line, 0);
    watchdog_stop();
}

/* ---- One thread: what is full, what is left -------------------------------------------------------------------------- */

static void test_full(void **state) {
    (void)state;
    atomic_store_relaxed(&orders_ended, 0);
    struct actorbench_channel *channel = actorbench_channel_make(3);
    order *left[4];
    for (unsigned i = 0; i < LENGTH(left); i++) {
        left[i] = actorbench_message_new(order, i == 1 ? ACTORBENCH_NODELETE : ACTORBENCH_DELETE);
        assert_int_equal(actorbench_channel_send(cook, channel, left[i]), i < 3);
    }
    assert_int_equal(actorbench_channel_count(channel), 3);
    assert_int_equal(actorbench_channel_free(channel), 3);
    assert_int_equal(atomic_load_relaxed(&orders_ended), 2); /* the program keeps one, and the one that was refused */
    actorbench_message_delete(&left[1]->message);
    channel = actorbench_channel_make(0); /* that one goes elsewhere */
    assert_true(actorbench_channel_send(cook, channel, left[3]));
    assert_int_equal(actorbench_channel_free(channel), 1);
}

/* The message that ends the actor is the last one taken. */
static void test_the_end(void **state) {
    (void)state;
    cook self = {0};
    struct actorbench_channel *channel = actorbench_channel_make(0);
    start_workers(1);
    actorbench_actor_init(cook, &self);
    for (unsigned i = 0; i < 40; i++) { /* more than a ring has room for at first */
        order *next = actorbench_message_new(order, ACTORBENCH_DELETE);
        next->number = i;
        assert_true(actorbench_channel_send(cook, channel, next));
        if (i == 29)
            assert_true(actorbench_channel_send(cook, channel, &actorbench_finished_message));
    }
    assert_int_equal(actorbench_channel_process(cook, channel, &self, 20), ACTORBENCH_NODELETE);
    assert_int_equal(self.cooked, 20);
    assert_int_equal(actorbench_channel_process(cook, channel, &self, 100), ACTORBENCH_FINISHED);
    assert_int_equal(self.cooked, 30);
    assert_false(self.disordered);
    assert_int_equal(actorbench_channel_process(cook, channel, &self, 4), ACTORBENCH_NODELETE);
    assert_int_equal(actorbench_channel_free(channel), 6);
    actorbench_send(cook, &self, &actorbench_finished_message);
    actorbench_stop();
}

int main(void) {
    ADD_TABLE(covering, test_flow);
    ADD_TABLE(covering, test_full);
    ADD_TABLE(covering, test_the_end);
    return run_tables("channels");
}
