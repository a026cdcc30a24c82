/* Fates: what becomes of a message after a behaviour is what it was before, or what this behaviour has set it to; its
 * storage is not read again, since by then another may have ended it. */
#include "harness.h"

static ATOMIC(unsigned) started, ended;

typedef struct {
    struct actorbench_message message;
    unsigned number;
} parcel;
ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(parcel, parcel_ends)

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
    struct actorbench_actor actor;
    unsigned patience; /* tenths of a millisecond for which it waits, at most; 0: for ever */
    struct last *next; /* to whom it sends the message on; NULL: another thread does */
} first;
#define BEHAVIOURS_first(ON) ON(first, parcel, first_holds)
ACTORBENCH_ACTOR_TYPE(first)

typedef struct last {
    struct actorbench_actor actor;
    enum actorbench_allocation fate;
} last;
#define BEHAVIOURS_last(ON) ON(last, parcel, last_ends)
ACTORBENCH_ACTOR_TYPE(last)

static enum actorbench_allocation first_holds(first *self, parcel *message) {
    atomic_store_release(&started,
                         1); /* pairs with the acquire in end_elsewhere: the worker has read the message's fate */
    if (self->next != NULL)
        actorbench_send(last, self->next, message);
    for (unsigned i = 0; atomic_load_relaxed(&ended) == 0 && (self->patience == 0 || i < self->patience); i++)
        pause_ns(100 * 1000);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation last_ends(last *self, parcel *message) {
    actorbench_message_set_allocation(&message->message, self->fate);
    return ACTORBENCH_FINISHED;
}

/* The two actors are on two workers. */
static void end_elsewhere(parcel *message, enum actorbench_allocation fate, bool by_behaviour) {
    static first holder;
    static last ender;
    struct actorbench_config config = actorbench_defaults();
    config.workers = 2;
    start_executor(&config);
    actorbench_actor_init(first, &holder);
    unsigned between = 0;
    static first others[64];
    for (; actorbench_place(1 + between) == actorbench_place(0); between++) {
        assert_in_range(between, 0, LENGTH(others) - 1);
        actorbench_actor_init(first, &others[between]);
        actorbench_send(first, &others[between], &actorbench_finished_message);
    }
    actorbench_actor_init(last, &ender);
    ender.fate = fate;
    holder.next = by_behaviour ? &ender : NULL;
    holder.patience = by_behaviour ? PATIENCE : 0;
    actorbench_send(first, &holder, message);
    AWAIT(atomic_load_acquire(&started)); /* pairs with the release in first_holds */
    if (!by_behaviour)
        actorbench_send(last, &ender, message);
    actorbench_stop();
    assert_int_equal(atomic_load_relaxed(&ended), 1);
}

/* Its storage stays: a worker that reads its fate there ends it once more. */
static void test_destroyed_elsewhere(void **state) {
    (void)state;
    static parcel message;
    actorbench_message_init(parcel, &message, ACTORBENCH_NODELETE);
    end_elsewhere(&message, ACTORBENCH_DESTROY, false);
}

/* Its storage goes: a sanitizer sees who reads it. */
static void test_deleted_elsewhere(void **state) {
    (void)state;
    end_elsewhere(actorbench_message_new(parcel, ACTORBENCH_NODELETE), ACTORBENCH_DELETE, false);
}

/* Sent on by the behaviour itself; what it sends may wait until it has returned, so it does not wait for ever. */
static void test_destroyed_elsewhere_when_sent_on(void **state) {
    (void)state;
    static parcel message;
    actorbench_message_init(parcel, &message, ACTORBENCH_NODELETE);
    end_elsewhere(&message, ACTORBENCH_DESTROY, true);
}

static void test_deleted_elsewhere_when_sent_on(void **state) {
    (void)state;
    end_elsewhere(actorbench_message_new(parcel, ACTORBENCH_NODELETE), ACTORBENCH_DELETE, true);
}

/* ---- What a behaviour sets ------------------------------------------------------------------------------------------- */

enum order {
    SET_NOTHING,
    SET_OWN,          /* to ACTORBENCH_DESTROY */
    SET_OTHER,        /* the other to ACTORBENCH_DESTROY */
    SET_OWN_OTHER,    /* its own to ACTORBENCH_DESTROY, then the other to ACTORBENCH_NODELETE */
    SET_OTHER_OWN,    /* the other to ACTORBENCH_NODELETE, then its own to ACTORBENCH_DESTROY */
    SET_OWN_AND_BACK, /* its own to ACTORBENCH_DESTROY, then to ACTORBENCH_NODELETE */
    SET_NODELETE,     /* its own */
};

typedef struct {
    struct actorbench_message message;
    enum order order;
    parcel *other;
} sheet;
ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(sheet, sheet_ends)

static void sheet_ends(sheet *self) {
    (void)self;
    (void)atomic_fetch_add_relaxed(&ended, 1);
}

typedef struct {
    struct actorbench_actor actor;
} setter;
#define BEHAVIOURS_setter(ON)      \
    ON(setter, sheet, setter_sets) \
    ON(setter, parcel, setter_keeps)
ACTORBENCH_ACTOR_TYPE(setter)

static enum actorbench_allocation setter_keeps(setter *self, parcel *message) {
    (void)self, (void)message;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation setter_sets(setter *self, sheet *message) {
    (void)self;
    struct actorbench_message *own = &message->message, *other = &message->other->message;
    enum order order = message->order;
    if (order == SET_OWN || order == SET_OWN_OTHER || order == SET_OWN_AND_BACK)
        actorbench_message_set_allocation(own, ACTORBENCH_DESTROY);
    if (order == SET_OWN_OTHER || order == SET_OTHER_OWN)
        actorbench_message_set_allocation(other, ACTORBENCH_NODELETE);
    if (order == SET_OTHER_OWN)
        actorbench_message_set_allocation(own, ACTORBENCH_DESTROY);
    if (order == SET_OTHER)
        actorbench_message_set_allocation(other, ACTORBENCH_DESTROY);
    if (order == SET_OWN_AND_BACK || order == SET_NODELETE)
        actorbench_message_set_allocation(own, ACTORBENCH_NODELETE);
    return ACTORBENCH_NODELETE;
}

/* How many of these messages end, which one worker runs one after another: each is given its order, and what it was. */
static unsigned ends(const enum order *orders, enum actorbench_allocation fate, unsigned count) {
    enum { MOST = 8 };
    static sheet sheets[MOST];
    static parcel others[MOST];
    setter actor;
    assert_in_range(count, 1, MOST);
    start_workers(1);
    actorbench_actor_init(setter, &actor);
    for (unsigned i = 0; i < count; i++) {
        actorbench_message_init(sheet, &sheets[i], fate);
        actorbench_message_init(parcel, &others[i], ACTORBENCH_NODELETE);
        sheets[i].order = orders[i];
        sheets[i].other = &others[i];
        actorbench_send(setter, &actor, &sheets[i]);
    }
    actorbench_send(setter, &actor, &actorbench_finished_message);
    actorbench_stop();
    unsigned seen = atomic_load_relaxed(&ended);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(others[i].message.allocation,
                         orders[i] == SET_OTHER ? ACTORBENCH_DESTROY : ACTORBENCH_NODELETE);
    atomic_store_relaxed(&ended, 0);
    return seen;
}

/* What is set counts once, for the message that is run. */
static void test_set_by_the_behaviour(void **state) {
    (void)state;
    static const struct {
        enum order order;
        unsigned kept_ends, destroyed_ends; /* of a message that was ACTORBENCH_NODELETE, ACTORBENCH_DESTROY */
    } cases[] = {
        {SET_NOTHING, 0, 1},   {SET_OWN, 1, 1},          {SET_OTHER, 0, 1},    {SET_OWN_OTHER, 1, 1},
        {SET_OTHER_OWN, 1, 1}, {SET_OWN_AND_BACK, 0, 0}, {SET_NODELETE, 0, 0},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        const enum order twice[] = {cases[i].order, SET_NOTHING, cases[i].order};
        assert_int_equal(ends(&cases[i].order, ACTORBENCH_NODELETE, 1), cases[i].kept_ends);
        assert_int_equal(ends(&cases[i].order, ACTORBENCH_DESTROY, 1), cases[i].destroyed_ends);
        assert_int_equal(ends(twice, ACTORBENCH_NODELETE, 3), 2 * cases[i].kept_ends);
        assert_int_equal(ends(twice, ACTORBENCH_DESTROY, 3), 2 * cases[i].destroyed_ends + 1);
    }
}

/* Another message, set by a behaviour and then sent, ends after the behaviour that it is sent to. */
typedef struct {
    struct actorbench_actor actor;
    unsigned received;
    parcel *kept;
} hoarder;
#define BEHAVIOURS_hoarder(ON) ON(hoarder, parcel, hoarder_takes)
ACTORBENCH_ACTOR_TYPE(hoarder)

static enum actorbench_allocation hoarder_takes(hoarder *self, parcel *message) {
    if (self->received++ == 0) {
        self->kept = message;
        return ACTORBENCH_NODELETE;
    }
    if (self->kept == NULL)
        return ACTORBENCH_FINISHED;
    actorbench_message_set_allocation(&self->kept->message, ACTORBENCH_DELETE);
    actorbench_send(hoarder, self, self->kept);
    self->kept = NULL;
    return ACTORBENCH_NODELETE;
}

static void test_set_by_another_behaviour(void **state) {
    (void)state;
    hoarder actor = {.received = 0};
    parcel second;
    actorbench_message_init(parcel, &second, ACTORBENCH_NODELETE);
    start_workers(2);
    actorbench_actor_init(hoarder, &actor);
    actorbench_send(hoarder, &actor, actorbench_message_new(parcel, ACTORBENCH_NODELETE), &second);
    actorbench_stop();
    assert_int_equal(actor.received, 3);
    assert_int_equal(atomic_load_relaxed(&ended), 1);
    assert_int_equal(second.message.allocation, ACTORBENCH_NODELETE);
}

/* What was set stays set: the same message, sent again. */
static void test_what_was_set_stays(void **state) {
    (void)state;
    setter actor;
    sheet message;
    parcel other;
    start_workers(2);
    actorbench_actor_init(setter, &actor);
    actorbench_message_init(sheet, &message, ACTORBENCH_DESTROY);
    actorbench_message_init(parcel, &other, ACTORBENCH_NODELETE);
    message.order = SET_NODELETE;
    message.other = &other;
    actorbench_send(setter, &actor, &message, &actorbench_finished_message);
    actorbench_wait();
    message.order = SET_NOTHING;
    actorbench_actor_init(setter, &actor);
    actorbench_send(setter, &actor, &message, &actorbench_finished_message);
    actorbench_stop();
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
