/* The safety checks of checked builds: each wrong program, in a child, is stopped by a line that names the object and
 * the cure. Builds that are not checked skip these tests. */
#include <pthread.h>

#include "check.h"
#include "children.h"

typedef struct {
    struct actorbench_message message;
} letter;
ACTORBENCH_MESSAGE_TYPE(letter)

typedef struct {
    struct actorbench_message message;
} closed_door;
ACTORBENCH_MESSAGE_TYPE(closed_door)

typedef struct {
    struct actorbench_actor actor;
} clerk;
#define BEHAVIOURS_clerk(ON)       \
    ON(clerk, letter, clerk_reads) \
    ON(clerk, closed_door, clerk_waits)
ACTORBENCH_ACTOR_TYPE(clerk)

static enum actorbench_allocation clerk_reads(clerk *self, letter *message) {
    (void)self, (void)message;
    return ACTORBENCH_NODELETE;
}

static ATOMIC(uint32_t) door_is_open;

static enum actorbench_allocation clerk_waits(clerk *self, closed_door *door) {
    (void)self, (void)door;
    AWAIT(atomic_load_relaxed(&door_is_open));
    return ACTORBENCH_NODELETE;
}

static clerk receiver;
static letter mail;

static void start(void) {
    start_workers(1);
    actorbench_message_init(letter, &mail, ACTORBENCH_NODELETE);
    actorbench_actor_init(clerk, &receiver);
}

static void only_in_checked_builds(void) {
    if (!CHECKED_BUILD)
        skip();
}

/* ---- A right program, for comparison ------------------------------------------------------------------------------ */

static void right_program(void) {
    start();
    actorbench_send(clerk, &receiver, &mail, &actorbench_finished_message);
    actorbench_stop();
    actorbench_message_destroy(&mail.message);
}

static void test_right_program(void **state) {
    (void)state;
    assert_passes(right_program);
}

/* ---- Wrong ones --------------------------------------------------------------------------------------------------- */

static void make_actor_before_start(void) {
    actorbench_actor_init(clerk, &receiver);
}

static void make_actor_after_stop(void) {
    right_program();
    (void)actorbench_actor_new(clerk);
}

static void test_actor_without_executor(void **state) {
    (void)state;
    only_in_checked_builds();
    assert_stops(make_actor_before_start, "of type clerk is made while no executor runs", "call actorbench_start first",
                 NULL);
    assert_stops(make_actor_after_stop, "of type clerk is made while no executor runs", "call actorbench_start first",
                 NULL);
}

static void send_after_finished(void) {
    start();
    actorbench_send(clerk, &receiver, &actorbench_finished_message);
    actorbench_wait();
    actorbench_send(clerk, &receiver, &mail);
}

static void send_after_destroy(void) {
    start();
    actorbench_send(clerk, &receiver, &actorbench_destroy_message);
    actorbench_wait();
    actorbench_send(clerk, &receiver, &mail);
}

static void test_send_to_a_terminated_actor(void **state) {
    (void)state;
    only_in_checked_builds();
    assert_stops(send_after_finished, "a message of type letter is sent to actor ",
                 "of type clerk, which has terminated", "send it before the actor's last message", NULL);
    assert_stops(send_after_destroy, "a message of type letter is sent to actor ",
                 "of type clerk, which has terminated", NULL);
}

/* Both messages are queued before the actor runs either. */
static void leave_a_message_behind(struct actorbench_message *pill, actorbench_behaviour *reaction) {
    closed_door door;
    actorbench_message_init(closed_door, &door, ACTORBENCH_NODELETE);
    start();
    actorbench_send(clerk, &receiver, &door);
    (void)actorbench_post(&receiver.actor, pill, reaction);
    actorbench_send(clerk, &receiver, &mail);
    atomic_store_relaxed(&door_is_open, 1);
    AWAIT(false);
}

static void leave_a_message_at_finished(void) {
    leave_a_message_behind(&actorbench_finished_message.message, actorbench_on_finished);
}

static void leave_a_message_at_destroy(void) {
    leave_a_message_behind(&actorbench_destroy_message.message, actorbench_on_destroy);
}

static void test_message_queued_at_the_end(void **state) {
    (void)state;
    only_in_checked_builds();
    assert_stops(leave_a_message_at_finished, "a message of type letter was still queued for actor ",
                 "of type clerk when it terminated", NULL);
    assert_stops(leave_a_message_at_destroy, "a message of type letter was still queued for actor ",
                 "of type clerk when it terminated", NULL);
}

/* Surely in one gulp: a behaviour sends to its own actor, and ends it. */
typedef struct {
    struct actorbench_actor actor;
} hasty;
#define BEHAVIOURS_hasty(ON) ON(hasty, letter, hasty_ends)
ACTORBENCH_ACTOR_TYPE(hasty)

static enum actorbench_allocation hasty_ends(hasty *self, letter *received) {
    actorbench_send(hasty, self, received);
    return ACTORBENCH_FINISHED;
}

static void send_to_oneself_and_end(void) {
    static hasty self;
    start();
    actorbench_actor_init(hasty, &self);
    actorbench_send(hasty, &self, &mail);
    AWAIT(false);
}

static void test_message_to_oneself_at_the_end(void **state) {
    (void)state;
    only_in_checked_builds();
    assert_stops(send_to_oneself_and_end, "a message of type letter was still queued for actor ",
                 "of type hasty when it terminated", "make the message that ends an actor the last one sent to it",
                 NULL);
}

/* ---- Messages ------------------------------------------------------------------------------------------------------ */

static void give_up_unsent(void) {
    actorbench_message_init(letter, &mail, ACTORBENCH_NODELETE);
    actorbench_message_destroy(&mail.message);
    actorbench_message_delete(&actorbench_message_new(letter, ACTORBENCH_NODELETE)->message);
}

/* Only a warning: the program goes on. */
static void test_unsent_message(void **state) {
    (void)state;
    only_in_checked_builds();
    struct child child = run_child(give_up_unsent);
    assert_int_equal(child.status, 0);
    assert_said(&child, "actorbench: warning: message ");
    assert_said(&child, "of type letter is given up but was never sent: send it, or do not make it");
    unsigned lines = 0;
    for (const char *c = child.said; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 2);
}

/* The program ends, but for what the test itself would write then. */
__attribute__((noreturn)) static void end_program(void) {
    (void)close(STDOUT_FILENO);
    exit(0);
}

/* The child's last words are about so many letters, and it warned of `others` before. */
static void assert_tells_of_letters(void (*body)(void), unsigned letters, unsigned others) {
    only_in_checked_builds();
    struct child child = run_child(body);
    assert_int_equal(child.status, 0);
    char expected[128] = "";
    if (letters != 0)
        (void)snprintf(expected, sizeof expected,
                       "warning: %u of the messages of type letter were given up but never sent: "
                       "send them, or do not make them\n",
                       letters);
    assert_said(&child, expected);
    unsigned lines = 0;
    for (const char *c = child.said; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, others + (letters != 0));
}

static void send_all(void) {
    start();
    letter *deleted = actorbench_message_new(letter, ACTORBENCH_DELETE),
           *destroyed = actorbench_message_new(letter, ACTORBENCH_DESTROY);
    actorbench_send(clerk, &receiver, deleted, &mail, destroyed, &mail, &actorbench_finished_message);
    actorbench_stop();
    free(destroyed);
    end_program();
}

static void test_what_is_sent_is_not_told(void **state) {
    (void)state;
    assert_tells_of_letters(send_all, 0, 0);
}

__attribute__((noinline)) static void make_on_the_stack(void) {
    letter brief;
    actorbench_message_init(letter, &brief, ACTORBENCH_NODELETE);
}

static void give_up_storage(void) {
    static letter lasting;
    actorbench_message_init(letter, &lasting, ACTORBENCH_NODELETE);
    make_on_the_stack();
    free(actorbench_message_new(letter, ACTORBENCH_NODELETE));
    end_program();
}

static void test_storage_that_goes_without_a_word(void **state) {
    (void)state;
    assert_tells_of_letters(give_up_storage, 3, 0);
}

/* The second message's storage was the first one's, and only the second is sent. */
static void make_twice(void) {
    start();
    actorbench_message_init(letter, &mail, ACTORBENCH_NODELETE);
    actorbench_send(clerk, &receiver, &mail, &actorbench_finished_message);
    actorbench_stop();
    end_program();
}

static void test_storage_that_another_message_takes(void **state) {
    (void)state;
    assert_tells_of_letters(make_twice, 1, 0);
}

/* An allocation asks for the end of a message that runs, and this one never does. */
static void change_allocation(void) {
    letter *unread = actorbench_message_new(letter, ACTORBENCH_NODELETE);
    actorbench_message_set_allocation(&unread->message, ACTORBENCH_DELETE);
    free(unread);
    end_program();
}

static void test_a_message_whose_allocation_changed(void **state) {
    (void)state;
    assert_tells_of_letters(change_allocation, 1, 0);
}

typedef struct {
    struct actorbench_actor actor;
    letter reply;
} keeper;
#define BEHAVIOURS_keeper(ON) ON(keeper, letter, keeper_makes)
ACTORBENCH_ACTOR_TYPE(keeper)

static enum actorbench_allocation keeper_makes(keeper *self, letter *message) {
    (void)message;
    actorbench_message_init(letter, &self->reply, ACTORBENCH_NODELETE);
    return ACTORBENCH_NODELETE;
}

/* By each of the pills: its storage goes, is the program's, and is not touched. */
static void end_actors_with_messages(void) {
    static keeper kept, finished;
    start();
    actorbench_actor_init(keeper, &kept);
    actorbench_actor_init(keeper, &finished);
    actorbench_send(keeper, actorbench_actor_new(keeper), &mail, &actorbench_delete_message);
    actorbench_send(keeper, &kept, &mail, &actorbench_destroy_message);
    actorbench_send(keeper, &finished, &mail, &actorbench_finished_message);
    actorbench_send(clerk, &receiver, &actorbench_finished_message);
    actorbench_stop();
    end_program();
}

static void test_messages_that_end_with_their_actor(void **state) {
    (void)state;
    assert_tells_of_letters(end_actors_with_messages, 3, 0);
}

static void give_up_and_end(void) {
    give_up_unsent();
    actorbench_message_init(letter, &mail, ACTORBENCH_NODELETE);
    end_program();
}

static void test_a_message_is_told_of_once(void **state) {
    (void)state;
    assert_tells_of_letters(give_up_and_end, 1, 2);
}

/* A worker's last act, when it has seen that nothing is left, is to make an actor that nobody will run. */
static void send_too_late(void *late) {
    actorbench_actor_init(clerk, (clerk *)late);
    actorbench_send(clerk, (clerk *)late, &mail);
}

static pthread_key_t at_thread_end;
static clerk late_actor;

typedef struct {
    struct actorbench_actor actor;
} saboteur;
#define BEHAVIOURS_saboteur(ON) ON(saboteur, letter, saboteur_prepares)
ACTORBENCH_ACTOR_TYPE(saboteur)

static enum actorbench_allocation saboteur_prepares(saboteur *self, letter *received) {
    (void)self, (void)received;
    if (pthread_setspecific(at_thread_end, &late_actor) != 0)
        _exit(101);
    return ACTORBENCH_FINISHED;
}

static void stop_with_a_message_left(void) {
    static saboteur first;
    if (pthread_key_create(&at_thread_end, send_too_late) != 0)
        _exit(102);
    start_workers(1);
    actorbench_message_init(letter, &mail, ACTORBENCH_NODELETE);
    actorbench_actor_init(saboteur, &first);
    actorbench_send(saboteur, &first, &mail);
    actorbench_stop();
}

static void test_message_never_received(void **state) {
    (void)state;
    only_in_checked_builds();
    assert_stops(stop_with_a_message_left, "of type letter) was sent to an actor at ", "but never received",
                 "let the message that ends an actor be the last one sent to it", NULL);
}

/* ---- Order of calls ------------------------------------------------------------------------------------------------ */

static void stop_twice(void) {
    right_program();
    actorbench_stop();
}

static void test_calls_without_start(void **state) {
    (void)state;
    only_in_checked_builds();
    assert_stops(actorbench_stop, "actorbench_stop: no executor runs: call actorbench_start first", NULL);
    assert_stops(actorbench_wait, "actorbench_wait: no executor runs: call actorbench_start first", NULL);
    assert_stops(stop_twice, "actorbench_stop: no executor runs", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_program),
        cmocka_unit_test(test_actor_without_executor),
        cmocka_unit_test(test_send_to_a_terminated_actor),
        cmocka_unit_test(test_message_queued_at_the_end),
        cmocka_unit_test(test_message_to_oneself_at_the_end),
        cmocka_unit_test(test_unsent_message),
        cmocka_unit_test(test_what_is_sent_is_not_told),
        cmocka_unit_test(test_storage_that_goes_without_a_word),
        cmocka_unit_test(test_storage_that_another_message_takes),
        cmocka_unit_test(test_a_message_whose_allocation_changed),
        cmocka_unit_test(test_messages_that_end_with_their_actor),
        cmocka_unit_test(test_a_message_is_told_of_once),
        cmocka_unit_test(test_message_never_received),
        cmocka_unit_test(test_calls_without_start),
    };
    return cmocka_run_group_tests_name("checks", tests, NULL, NULL);
}
