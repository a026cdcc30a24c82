/* Behaviours that fail: the actor's handler hears of each error, and says what becomes of the actor. */
#include "children.h"

enum { TASKS = 100 };

typedef struct {
    struct actorbench_message message;
    unsigned number;
} task;
ACTORBENCH_MESSAGE_TYPE(task)

/* ---- A type with a handler ---------------------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_actor actor;
    unsigned received, failed;
    unsigned last; /* ends with the failure of this task; TASKS: with none */
    bool in_order;
} clerk;
#define BEHAVIOURS_clerk(ON) ON(clerk, task, clerk_works) ON(clerk, actorbench_error, clerk_fails)
ACTORBENCH_ACTOR_TYPE(clerk)

static enum actorbench_allocation clerk_works(clerk *self, task *message) {
    self->in_order = self->in_order && message->number == self->received;
    self->received++;
    if (message->number % 2 == 0)
        return ACTORBENCH_NODELETE;
    return actorbench_fail(clerk, self, message->number == self->last ? "odd, and the last" : "odd");
}

/* Comes at once: the task that failed is the last that was received. */
static enum actorbench_allocation clerk_fails(clerk *self, actorbench_error *error) {
    bool is_last = self->received == self->last + 1;
    self->in_order = self->in_order && self->received == 2 * ++self->failed &&
                     strcmp(error->what, is_last ? "odd, and the last" : "odd") == 0;
    return is_last ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static task tasks[TASKS];

/* Runs a clerk on the first `count` tasks. */
static clerk run_clerk(unsigned last, unsigned count) {
    clerk receiver = {.last = last, .in_order = true};
    watchdog_start(20, "an actor that fails");
    start_workers(2);
    actorbench_actor_init(clerk, &receiver);
    for (unsigned i = 0; i < count; i++) {
        tasks[i].number = i;
        actorbench_message_init(task, &tasks[i], ACTORBENCH_NODELETE);
        actorbench_send(clerk, &receiver, &tasks[i]);
    }
    if (last == TASKS)
        actorbench_send(clerk, &receiver, &actorbench_finished_message);
    actorbench_stop(); /* waits for its end */
    watchdog_stop();
    return receiver;
}

static void test_the_actor_goes_on(void **state) {
    (void)state;
    clerk ran = run_clerk(TASKS, TASKS);
    assert_int_equal(ran.received, TASKS);
    assert_int_equal(ran.failed, TASKS / 2);
    assert_true(ran.in_order);
}

static void test_the_handler_ends_the_actor(void **state) {
    (void)state;
    clerk ran = run_clerk(7, 8);
    assert_int_equal(ran.received, 8);
    assert_int_equal(ran.failed, 4);
    assert_true(ran.in_order);
}

/* ---- A type without one ------------------------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_actor actor;
    unsigned received;
} novice;
#define BEHAVIOURS_novice(ON) ON(novice, task, novice_works)
ACTORBENCH_ACTOR_TYPE(novice)

/* The message ends as it says, whatever becomes of its behaviour: a sanitizer sees whether it is freed. */
static enum actorbench_allocation novice_works(novice *self, task *message) {
    (void)message;
    self->received++;
    return actorbench_fail(novice, self, "it is my first day");
}

static void fail_twice(void) {
    novice receiver = {.received = 0};
    start_workers(1);
    actorbench_actor_init(novice, &receiver);
    actorbench_send(novice, &receiver, actorbench_message_new(task, ACTORBENCH_DELETE),
                    actorbench_message_new(task, ACTORBENCH_DELETE), &actorbench_finished_message);
    actorbench_stop();
    if (receiver.received != 2)
        _exit(1);
}

static void test_a_warning(void **state) {
    (void)state;
    struct child child = run_child(fail_twice);
    assert_int_equal(child.status, 0);
    assert_said(&child, "actorbench: warning: actor 0x");
    assert_said(&child, " of type novice failed: it is my first day\nactorbench: warning: actor 0x");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_actor_goes_on),
        cmocka_unit_test(test_the_handler_ends_the_actor),
        cmocka_unit_test(test_a_warning),
    };
    return cmocka_run_group_tests_name("failures", tests, NULL, NULL);
}
