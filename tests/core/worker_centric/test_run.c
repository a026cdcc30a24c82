/* Runs: what a worker runs of its run queue, what it passes on, and where a call ends a run. */
#include "pair.h"

#include "worker_centric/worker.c"

enum { MESSAGES = 5 };

static struct actorbench_message messages[MESSAGES];
static const struct actorbench_message *asks_at; /* when this one runs, the second worker asks */
static const struct actorbench_message *long_at; /* and this one takes longer than to hand it over */
static unsigned ran[MESSAGES], ran_count;

static enum actorbench_allocation behave(struct actorbench_actor *self, struct actorbench_message *message) {
    (void)self;
    ran[ran_count++] = (unsigned)(message - messages);
    if (message == asks_at)
        give_ask(first, second);
    uint64_t until = message == long_at ? clock_monotonic_ns() + CROSSING_NS : 0;
    while (until != 0 && clock_monotonic_ns() <= until)
        ;
    return ACTORBENCH_NODELETE;
}

static int start(void **state) {
    (void)make_pair(state);
    this_worker = first;
    asks_at = long_at = NULL;
    ran_count = 0;
    assert_true(mailbox_hold(&boxes[0], first));
    return 0;
}

static int end(void **state) {
    this_worker = NULL;
    return release_workers(state);
}

/* Sends all messages: to the mailbox that the first holds, but the one with this number to the second's. */
static void send_all(unsigned others) {
    for (unsigned i = 0; i < MESSAGES; i++) {
        messages[i] = (struct actorbench_message){.allocation = ACTORBENCH_NODELETE};
        struct envelope envelope = {&actors[i == others ? SECOND : 0], &messages[i], behave};
        run_queue_append(&first->runs, &first->pool, envelope);
    }
}

static void expect_ran(unsigned count, const unsigned *numbers) {
    assert_int_equal(ran_count, count);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(ran[i], numbers[i]);
}

static void expect_one_passed_on(void) {
    assert_int_equal(first->passed, 1);
    outbox_flush(first);
    assert_int_equal(mailbox_count(&boxes[SECOND]), 1);
    box_empty(&boxes[SECOND]);
}

static void test_passing_on(void **state) {
    (void)state;
    send_all(2);
    assert_int_equal(run_shared(first, MESSAGES), MESSAGES);
    expect_ran(4, (unsigned[]){0, 1, 3, 4});
    expect_one_passed_on();
}

/* A call ends a run after the behaviour in which it comes; what is left runs next. */
static void test_a_call_ends_a_run(void **state) {
    (void)state;
    send_all(MESSAGES);
    asks_at = &messages[2];
    assert_int_equal(run_shared(first, MESSAGES), 3);
    assert_int_equal(run_queue_length(&first->runs), 2);
    atomic_store_relaxed(&first->call, uncalled(first));
    assert_int_equal(run_shared(first, MESSAGES), 2);
    expect_ran(5, (unsigned[]){0, 1, 2, 3, 4});
}

/* Who is called before a run runs one, or passes one on. */
static void test_who_is_called_gets_on(void **state) {
    (void)state;
    send_all(1);
    give_ask(first, second);
    for (unsigned i = 0; i < MESSAGES; i++)
        assert_int_equal(run_shared(first, MESSAGES), 1);
    assert_int_equal(run_shared(first, MESSAGES), 0);
    expect_ran(4, (unsigned[]){0, 2, 3, 4});
    expect_one_passed_on();
}

/* What was just borrowed is a part of its run like any other, but its work is measured by itself. */
static void test_what_is_borrowed_is_measured(void **state) {
    (void)state;
    send_all(MESSAGES);
    long_at = &messages[0];
    first->borrowed = 1;
    assert_int_equal(run_borrowed(first, MESSAGES - 1), MESSAGES - 1);
    assert_int_equal(first->borrowed, 0);
    assert_in_range(first->long_until, clock_monotonic_ns(), clock_monotonic_ns() + LONG_NS);
    assert_int_equal(run_shared(first, MESSAGES), 1);
    expect_ran(MESSAGES, (unsigned[]){0, 1, 2, 3, 4});
}

/* And a call ends it, too. */
static void test_a_call_ends_what_is_borrowed(void **state) {
    (void)state;
    send_all(MESSAGES);
    asks_at = &messages[1];
    first->borrowed = 2;
    assert_int_equal(run_borrowed(first, MESSAGES), 2);
    first->borrowed = MESSAGES + 1;
    assert_int_equal(run_borrowed(first, MESSAGES), 1);
    expect_ran(3, (unsigned[]){0, 1, 2});
}

/* Who is alone asks nobody. */
static void test_alone(void **state) {
    (void)state;
    send_all(1);
    give_ask(first, second);
    assert_int_equal(run_alone(first, MESSAGES), MESSAGES);
    expect_ran(5, (unsigned[]){0, 1, 2, 3, 4});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_passing_on, start, end),
        cmocka_unit_test_setup_teardown(test_a_call_ends_a_run, start, end),
        cmocka_unit_test_setup_teardown(test_who_is_called_gets_on, start, end),
        cmocka_unit_test_setup_teardown(test_what_is_borrowed_is_measured, start, end),
        cmocka_unit_test_setup_teardown(test_a_call_ends_what_is_borrowed, start, end),
        cmocka_unit_test_setup_teardown(test_alone, start, end),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
