/* Fates: what becomes of a message after a behaviour is what it was before, or what this behaviour has set it to; its
 * storage is not read again, since by then another may have ended it. */
#include "harness.h"

static ATOMIC(unsigned) started, ended;

typedef struct {
    struct message message;
    unsigned number;
} parcel;
MESSAGE_TYPE_WITH_DESTRUCTOR(parcel, parcel_ends)

static void parcel_ends(parcel *self) {
    (void)self;
    (void)atomic_fetch_add_relaxed(&ended, 1);
}

static int set_up(void **state) {
    (void)state;
    watchdog_start(20, "fates");
    atomic_initialise(&started, 0);
    atomic_initialise(&ended, 0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    watchdog_stop();
    return 0;
}

/* ---- A message that ends on another worker while its first behaviour still runs -------------------------------------- */

enum { PATIENCE = 200 };

typedef struct {
    struct actor actor;
    unsigned patience; /* tenths of a millisecond for which it waits, at most; 0: for ever */
    struct last *next; /* to whom it sends the message on; NULL: another thread does */
} first;
#define BEHAVIOURS_first(ON) ON(first, parcel, first_holds)
ACTOR_TYPE(first)

typedef struct last {
    struct actor actor;
    enum allocation fate;
} last;
#define BEHAVIOURS_last(ON) ON(last, parcel, last_ends)
ACTOR_TYPE(last)

static enum allocation first_holds(first *self, parcel *message) {
    atomic_store_release(&started,
                         1); /* pairs with the acquire in end_elsewhere: the worker has read the message's fate */
    if (self->next != NULL)
        actor_send(last, self->next, message);
    for (unsigned i = 0; atomic_load_relaxed(&ended) == 0 && (self->patience == 0 || i < self->patience); i++)
        pause_ns(100 * 1000);
    return FINISHED;
}

static enum allocation last_ends(last *self, parcel *message) {
    message_set_allocation(&message->message, self->fate);
    return FINISHED;
}

/* The two actors are on two workers. */
static void end_elsewhere(parcel *message, enum allocation fate, bool by_behaviour) {
    static first holder;
    static last ender;
    struct executor_config config = executor_defaults();
    config.workers = 2;
    start_executor(&config);
    actor_init(first, &holder);
    unsigned between = 0;
    static first others[64];
    for (; executor_place(1 + between) == executor_place(0); between++) {
        assert_in_range(between, 0, LENGTH(others) - 1);
        actor_init(first, &others[between]);
        actor_send(first, &others[between], &finished_message);
    }
    actor_init(last, &ender);
    ender.fate = fate;
    holder.next = by_behaviour ? &ender : NULL;
    holder.patience = by_behaviour ? PATIENCE : 0;
    actor_send(first, &holder, message);
    AWAIT(atomic_load_acquire(&started)); /* pairs with the release in first_holds */
    if (!by_behaviour)
        actor_send(last, &ender, message);
    executor_stop();
    assert_int_equal(atomic_load_relaxed(&ended), 1);
}

/* Its storage stays: a worker that reads its fate there ends it once more. */
static void test_destroyed_elsewhere(void **state) {
    (void)state;
    static parcel message;
    message_init(parcel, &message, NODELETE);
    end_elsewhere(&message, DESTROY, false);
}

/* Its storage goes: a sanitizer sees who reads it. */
static void test_deleted_elsewhere(void **state) {
    (void)state;
    end_elsewhere(message_new(parcel, NODELETE), DELETE, false);
}

/* Sent on by the behaviour itself; what it sends may wait until it has returned, so it does not wait for ever. */
static void test_destroyed_elsewhere_when_sent_on(void **state) {
    (void)state;
    static parcel message;
    message_init(parcel, &message, NODELETE);
    end_elsewhere(&message, DESTROY, true);
}

static void test_deleted_elsewhere_when_sent_on(void **state) {
    (void)state;
    end_elsewhere(message_new(parcel, NODELETE), DELETE, true);
}

/* ---- What a behaviour sets ------------------------------------------------------------------------------------------- */

enum order {
    SET_NOTHING,
    SET_OWN,          /* to DESTROY */
    SET_OTHER,        /* the other to DESTROY */
    SET_OWN_OTHER,    /* its own to DESTROY, then the other to NODELETE */
    SET_OTHER_OWN,    /* the other to NODELETE, then its own to DESTROY */
    SET_OWN_AND_BACK, /* its own to DESTROY, then to NODELETE */
    SET_NODELETE,     /* its own */
};

typedef struct {
    struct message message;
    enum order order;
    parcel *other;
} sheet;
MESSAGE_TYPE_WITH_DESTRUCTOR(sheet, sheet_ends)

static void sheet_ends(sheet *self) {
    (void)self;
    (void)atomic_fetch_add_relaxed(&ended, 1);
}

typedef struct {
    struct actor actor;
} setter;
#define BEHAVIOURS_setter(ON)      \
    ON(setter, sheet, setter_sets) \
    ON(setter, parcel, setter_keeps)
ACTOR_TYPE(setter)

static enum allocation setter_keeps(setter *self, parcel *message) {
    (void)self, (void)message;
    return NODELETE;
}

static enum allocation setter_sets(setter *self, sheet *message) {
    (void)self;
    struct message *own = &message->message, *other = &message->other->message;
    enum order order = message->order;
    if (order == SET_OWN || order == SET_OWN_OTHER || order == SET_OWN_AND_BACK)
        message_set_allocation(own, DESTROY);
    if (order == SET_OWN_OTHER || order == SET_OTHER_OWN)
        message_set_allocation(other, NODELETE);
    if (order == SET_OTHER_OWN)
        message_set_allocation(own, DESTROY);
    if (order == SET_OTHER)
        message_set_allocation(other, DESTROY);
    if (order == SET_OWN_AND_BACK || order == SET_NODELETE)
        message_set_allocation(own, NODELETE);
    return NODELETE;
}

/* How many of these messages end, which one worker runs one after another: each is given its order, and what it was. */
static unsigned ends(const enum order *orders, enum allocation fate, unsigned count) {
    enum { MOST = 8 };
    static sheet sheets[MOST];
    static parcel others[MOST];
    setter actor;
    assert_in_range(count, 1, MOST);
    start_workers(1);
    actor_init(setter, &actor);
    for (unsigned i = 0; i < count; i++) {
        message_init(sheet, &sheets[i], fate);
        message_init(parcel, &others[i], NODELETE);
        sheets[i].order = orders[i];
        sheets[i].other = &others[i];
        actor_send(setter, &actor, &sheets[i]);
    }
    actor_send(setter, &actor, &finished_message);
    executor_stop();
    unsigned seen = atomic_load_relaxed(&ended);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(others[i].message.allocation, orders[i] == SET_OTHER ? DESTROY : NODELETE);
    atomic_store_relaxed(&ended, 0);
    return seen;
}

/* What is set counts once, for the message that is run. */
static void test_set_by_the_behaviour(void **state) {
    (void)state;
    static const struct {
        enum order order;
        unsigned kept_ends, destroyed_ends; /* of a message that was NODELETE, DESTROY */
    } cases[] = {
        {SET_NOTHING, 0, 1},   {SET_OWN, 1, 1},          {SET_OTHER, 0, 1},    {SET_OWN_OTHER, 1, 1},
        {SET_OTHER_OWN, 1, 1}, {SET_OWN_AND_BACK, 0, 0}, {SET_NODELETE, 0, 0},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        const enum order twice[] = {cases[i].order, SET_NOTHING, cases[i].order};
        assert_int_equal(ends(&cases[i].order, NODELETE, 1), cases[i].kept_ends);
        assert_int_equal(ends(&cases[i].order, DESTROY, 1), cases[i].destroyed_ends);
        assert_int_equal(ends(twice, NODELETE, 3), 2 * cases[i].kept_ends);
        assert_int_equal(ends(twice, DESTROY, 3), 2 * cases[i].destroyed_ends + 1);
    }
}

/* Another message, set by a behaviour and then sent, ends after the behaviour that it is sent to. */
typedef struct {
    struct actor actor;
    unsigned received;
    parcel *kept;
} hoarder;
#define BEHAVIOURS_hoarder(ON) ON(hoarder, parcel, hoarder_takes)
ACTOR_TYPE(hoarder)

static enum allocation hoarder_takes(hoarder *self, parcel *message) {
    if (self->received++ == 0) {
        self->kept = message;
        return NODELETE;
    }
    if (self->kept == NULL)
        return FINISHED;
    message_set_allocation(&self->kept->message, DELETE);
    actor_send(hoarder, self, self->kept);
    self->kept = NULL;
    return NODELETE;
}

static void test_set_by_another_behaviour(void **state) {
    (void)state;
    hoarder actor = {.received = 0};
    parcel second;
    message_init(parcel, &second, NODELETE);
    start_workers(2);
    actor_init(hoarder, &actor);
    actor_send(hoarder, &actor, message_new(parcel, NODELETE), &second);
    executor_stop();
    assert_int_equal(actor.received, 3);
    assert_int_equal(atomic_load_relaxed(&ended), 1);
    assert_int_equal(second.message.allocation, NODELETE);
}

/* What was set stays set: the same message, sent again. */
static void test_what_was_set_stays(void **state) {
    (void)state;
    setter actor;
    sheet message;
    parcel other;
    start_workers(2);
    actor_init(setter, &actor);
    message_init(sheet, &message, DESTROY);
    message_init(parcel, &other, NODELETE);
    message.order = SET_NODELETE;
    message.other = &other;
    actor_send(setter, &actor, &message, &finished_message);
    executor_wait();
    message.order = SET_NOTHING;
    actor_init(setter, &actor);
    actor_send(setter, &actor, &message, &finished_message);
    executor_stop();
    assert_int_equal(atomic_load_relaxed(&ended), 0);
}

#define FATE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        FATE(test_set_by_the_behaviour),
        FATE(test_set_by_another_behaviour),
        FATE(test_what_was_set_stays),
        FATE(test_destroyed_elsewhere),
        FATE(test_destroyed_elsewhere_when_sent_on),
        FATE(test_deleted_elsewhere),
        FATE(test_deleted_elsewhere_when_sent_on),
    };
    return cmocka_run_group_tests_name("fates", tests, NULL, NULL);
}
