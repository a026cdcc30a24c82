/* Promises: kept and dropped, waited for and sent back; barriers. Under all options, and the storage is given back: ASan sees. */
#include "harness.h"

#include "messaging/promise.h"
#include "rows.h"

enum { PROMISES = 200, CALCULATORS = 4, A_MOMENT = 1000 * 1000 /* nanoseconds */ };

typedef struct {
    struct actorbench_message message;
    struct actorbench_promise promise;
    long a, b, quotient;
} division;
ACTORBENCH_PROMISE_TYPE(division)

typedef struct {
    struct actorbench_actor actor;
    division *put_off; /* till the next comes */
    uint32_t received;
} calculator;
#define BEHAVIOURS_calculator(ON) \
    ON(calculator, division, calculator_divides) ON(calculator, actorbench_barrier, calculator_acknowledges)
ACTORBENCH_ACTOR_TYPE(calculator)

static void answer(division *asked) {
    if (asked->b == 0)
        return;
    asked->quotient = asked->a / asked->b;
    actorbench_promise_keep(division, asked);
}

/* Divides at once, or if a is odd when the next has come. */
static enum actorbench_allocation calculator_divides(calculator *self, division *asked) {
    self->received++;
    if (self->put_off != NULL) {
        division *put_off = self->put_off;
        self->put_off = NULL;
        answer(put_off);
        actorbench_message_destroy(&put_off->message);
    }
    if (asked->a % 2 == 0) {
        answer(asked);
        return ACTORBENCH_NODELETE;
    }
    actorbench_message_set_allocation(&asked->message, ACTORBENCH_NODELETE);
    self->put_off = asked;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation calculator_acknowledges(calculator *self, actorbench_barrier *barrier) {
    (void)self;
    actorbench_barrier_acknowledge(barrier);
    return ACTORBENCH_NODELETE;
}

static calculator calculators[CALCULATORS];

static void begin(void **state) {
    const struct table_line *line = (const struct table_line *)*state;
    struct actorbench_config config = configuration(line->names, line->values);
    watch_line("promises", line);
    start_executor(&config);
    memset((void *)calculators, 0, sizeof calculators);
    for (unsigned i = 0; i < CALCULATORS; i++)
        actorbench_actor_init(calculator, &calculators[i]);
}

static void end(void) {
    for (unsigned i = 0; i < CALCULATORS; i++)
        actorbench_send(calculator, &calculators[i], &actorbench_finished_message);
    actorbench_stop();
    watchdog_stop();
}

/* What the asker presets is -1. */
static division *ask(unsigned which, long a, long b) {
    division *asked = actorbench_promise_new(division);
    asked->a = a, asked->b = b, asked->quotient = -1;
    actorbench_send(calculator, &calculators[which], asked);
    return asked;
}

static void expect(division *asked, long quotient) {
    assert_int_equal(actorbench_future_wait(division, asked, ACTORBENCH_NO_TIMEOUT),
                     quotient == -1 ? ACTORBENCH_DROPPED : ACTORBENCH_KEPT);
    assert_int_equal(actorbench_future_state(division, asked), quotient == -1 ? ACTORBENCH_DROPPED : ACTORBENCH_KEPT);
    assert_int_equal(asked->quotient, quotient);
    actorbench_future_release(division, asked);
}

static void wait_for_all(void) {
    expect(ask(0, 42, 6), 7);
    expect(ask(0, 42, 0), -1);
    division *asked[PROMISES];
    for (long i = 0; i < PROMISES; i++)
        asked[i] = ask((unsigned)i % CALCULATORS, 14 * i, i % 3 == 0 ? 0 : 7);
    for (long i = PROMISES - 1; i >= 0; i--)
        expect(asked[i], i % 3 == 0 ? -1 : 2 * i);
}

/* One that is put off is open till another comes, whoever waits for it, and for how long. */
static void wait_in_vain(void) {
    division *asked = ask(0, 21, 7);
    assert_int_equal(actorbench_future_wait(division, asked, A_MOMENT), ACTORBENCH_OPEN);
    assert_int_equal(asked->quotient, -1);
    expect(ask(0, 2, 1), 2);
    expect(asked, 3);
    expect(ask(0, 2, 0), -1);
    division *dropped = ask(1, 21, 0);
    assert_int_equal(actorbench_future_wait(division, dropped, A_MOMENT), ACTORBENCH_OPEN);
    expect(ask(1, 2, 1), 2);
    expect(dropped, -1);
}

static void test_waiting(void **state) {
    begin(state);
    wait_for_all();
    wait_in_vain();
    end();
}

/* Who asks may be done with it before it is settled. */
static void test_released_early(void **state) {
    begin(state);
    for (long i = 0; i < PROMISES; i++) {
        division *asked = ask((unsigned)i % CALCULATORS, 2 * i, i % 2);
        actorbench_future_release(division, asked);
    }
    end();
    uint32_t received = 0;
    for (unsigned i = 0; i < CALCULATORS; i++)
        received += calculators[i].received;
    assert_int_equal(received, PROMISES);
}

/* ---- Sent to an actor when it is there ---------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_message message;
} begin_to_ask;
ACTORBENCH_MESSAGE_TYPE(begin_to_ask)

typedef struct {
    struct actorbench_actor actor;
    unsigned asked, kept, dropped, wrong;
} client;
#define BEHAVIOURS_client(ON) ON(client, begin_to_ask, client_begins) ON(client, division, client_hears)
ACTORBENCH_ACTOR_TYPE(client)

static ATOMIC(uint32_t) clients_ended;

static void client_asks(client *self) {
    long number = (long)self->asked++;
    division *asked = ask((unsigned)number % CALCULATORS, 4 * number, number % 4 == 0 ? 0 : 2);
    actorbench_future_then(division, asked, client, self);
}

static enum actorbench_allocation client_begins(client *self, begin_to_ask *message) {
    (void)message;
    while (self->asked < PROMISES / 2)
        client_asks(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation client_hears(client *self, division *asked) {
    enum actorbench_promise_state became = actorbench_future_state(division, asked);
    self->kept += became == ACTORBENCH_KEPT;
    self->dropped += became == ACTORBENCH_DROPPED;
    self->wrong += asked->quotient != (asked->b == 0 ? -1 : asked->a / 2);
    if (self->asked < PROMISES)
        client_asks(self);
    if (self->kept + self->dropped < PROMISES)
        return ACTORBENCH_NODELETE;
    (void)atomic_fetch_add_relaxed(&clients_ended, 1);
    return ACTORBENCH_FINISHED;
}

static void test_continued(void **state) {
    begin(state);
    atomic_store_relaxed(&clients_ended, 0);
    client clients[2] = {0};
    begin_to_ask message;
    actorbench_message_init(begin_to_ask, &message, ACTORBENCH_NODELETE);
    for (unsigned i = 0; i < LENGTH(clients); i++) {
        actorbench_actor_init(client, &clients[i]);
        actorbench_send(client, &clients[i], &message);
    }
    AWAIT(atomic_load_relaxed(&clients_ended) == LENGTH(clients)); /* before the calculators end */
    end();
    for (unsigned i = 0; i < LENGTH(clients); i++) {
        assert_int_equal(clients[i].dropped, PROMISES / 4);
        assert_int_equal(clients[i].kept, PROMISES - PROMISES / 4);
        assert_int_equal(clients[i].wrong, 0);
    }
}

/* One that was waited for in vain, and one that is settled already. */
static void test_continued_late(void **state) {
    begin(state);
    atomic_store_relaxed(&clients_ended, 0);
    client hears = {.asked = PROMISES, .dropped = PROMISES - 2}; /* ends with the second */
    actorbench_actor_init(client, &hears);
    division *open = ask(0, 1, 1), *settled = ask(1, 4, 2);
    assert_int_equal(actorbench_future_wait(division, open, A_MOMENT), ACTORBENCH_OPEN);
    assert_int_equal(actorbench_future_wait(division, settled, ACTORBENCH_NO_TIMEOUT), ACTORBENCH_KEPT);
    actorbench_future_then(division, open, client, &hears);
    actorbench_future_then(division, settled, client, &hears);
    expect(ask(0, 2, 1), 2); /* settles what is put off */
    AWAIT(atomic_load_relaxed(&clients_ended) == 1);
    end();
    assert_int_equal(hears.kept, 2);
    assert_int_equal(hears.wrong, 1); /* a quotient of 1 is none of half of a */
}

/* ---- Barriers ----------------------------------------------------------------------------------------------------- */

static void wait_at_a_barrier_in_vain(void) {
    actorbench_barrier barrier;
    actorbench_barrier_init(&barrier, 2);
    actorbench_send(calculator, &calculators[0], &barrier);
    assert_false(actorbench_barrier_wait(&barrier, A_MOMENT));
    actorbench_send(calculator, &calculators[1], &barrier);
    assert_true(actorbench_barrier_wait(&barrier, ACTORBENCH_NO_TIMEOUT));
}

static void test_barriers(void **state) {
    begin(state);
    for (unsigned round = 1; round <= 20; round++) {
        for (unsigned i = 0; i < PROMISES; i++)
            actorbench_future_release(division, ask(i % CALCULATORS, 2, 1));
        actorbench_barrier barrier;
        actorbench_barrier_init(&barrier, CALCULATORS);
        for (unsigned i = 0; i < CALCULATORS; i++)
            actorbench_send(calculator, &calculators[i], &barrier);
        assert_true(actorbench_barrier_wait(&barrier, ACTORBENCH_NO_TIMEOUT));
        for (unsigned i = 0; i < CALCULATORS; i++)
            assert_int_equal(calculators[i].received, round * PROMISES / CALCULATORS);
    }
    wait_at_a_barrier_in_vain();
    end();
}

int main(void) {
    ADD_TABLE(covering, test_waiting);
    ADD_TABLE(covering, test_released_early);
    ADD_TABLE(covering, test_continued);
    ADD_TABLE(covering, test_continued_late);
    ADD_TABLE(covering, test_barriers);
    return run_tables("promises");
}
