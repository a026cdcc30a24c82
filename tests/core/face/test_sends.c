/* Sends: cascades, poison pills and their overriding, which worker runs a behaviour, waits and rounds. */
#include "rows.h"

typedef struct {
    struct actorbench_message message;
    unsigned number;
} note;
ACTORBENCH_MESSAGE_TYPE(note)

typedef struct {
    struct actorbench_actor actor;
    unsigned expected, out_of_order, outside_workers;
} reader;
#define BEHAVIOURS_reader(ON) ON(reader, note, reader_reads)
ACTORBENCH_ACTOR_TYPE(reader)

static enum actorbench_allocation reader_reads(reader *self, note *message) {
    self->out_of_order += message->number != self->expected++;
    self->outside_workers += actorbench_worker() >= actorbench_workers();
    return ACTORBENCH_NODELETE;
}

enum { NOTES = 8 };

static note notes[NOTES];

static void init_notes(void) {
    for (unsigned i = 0; i < NOTES; i++) {
        actorbench_message_init(note, &notes[i], ACTORBENCH_NODELETE);
        notes[i].number = i;
    }
}

/* Cascades of every length, the last message a pill. */
static void test_cascades_keep_their_order(void **state) {
    (void)state;
    reader readers[NOTES];
    memset((void *)readers, 0, sizeof readers);
    start_workers(2);
    init_notes();
    for (unsigned i = 0; i < NOTES; i++)
        actorbench_actor_init(reader, &readers[i]);
    note *n = notes;
    actorbench_finished_pill *end = &actorbench_finished_message;
    actorbench_send(reader, &readers[0], end);
    actorbench_send(reader, &readers[1], &n[0], end);
    actorbench_send(reader, &readers[2], &n[0], &n[1], end);
    actorbench_send(reader, &readers[3], &n[0], &n[1], &n[2], end);
    actorbench_send(reader, &readers[4], &n[0], &n[1], &n[2], &n[3], end);
    actorbench_send(reader, &readers[5], &n[0], &n[1], &n[2], &n[3], &n[4], end);
    actorbench_send(reader, &readers[6], &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], end);
    actorbench_send(reader, &readers[7], &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], end);
    actorbench_stop();
    for (unsigned i = 0; i < NOTES; i++) {
        assert_int_equal(readers[i].expected, i);
        assert_int_equal(readers[i].out_of_order, 0);
        assert_int_equal(readers[i].outside_workers, 0);
    }
}

static void test_send_returns_the_receiver(void **state) {
    (void)state;
    reader actor;
    start_workers(1);
    init_notes();
    actorbench_actor_init(reader, &actor);
    actor.expected = 0;
    assert_ptr_equal(actorbench_send(reader, &actor, &notes[0], &notes[1]), &actor.actor);
    actorbench_send(reader, &actor, &actorbench_finished_message);
    actorbench_stop();
    assert_int_equal(actor.expected, 2);
}

static void test_arguments_are_evaluated_once(void **state) {
    (void)state;
    reader actors[2];
    memset((void *)actors, 0, sizeof actors);
    start_workers(1);
    init_notes();
    actorbench_actor_init(reader, &actors[0]);
    actorbench_actor_init(reader, &actors[1]);
    reader *receiver = actors;
    note *next = notes;
    actorbench_send(reader, receiver++, next++);
    assert_ptr_equal(receiver, &actors[1]);
    assert_ptr_equal(next, &notes[1]);
    actorbench_send(reader, &actors[0], &actorbench_finished_message);
    actorbench_send(reader, &actors[1], &actorbench_finished_message);
    actorbench_stop();
    assert_int_equal(actors[0].expected, 1);
}

static void test_main_is_no_worker(void **state) {
    (void)state;
    start_workers(3);
    assert_int_equal(actorbench_workers(), 3);
    assert_int_equal(actorbench_worker(), 3);
    actorbench_stop();
}

/* ---- Poison pills -------------------------------------------------------------------------------------------------- */

static ATOMIC(unsigned) ended;

typedef struct {
    struct actorbench_actor actor;
} plain;
#define BEHAVIOURS_plain(ON) ON(plain, note, plain_reads)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(plain, plain_ends)

static void plain_ends(plain *self) {
    (void)self;
    (void)atomic_fetch_add_relaxed(&ended, 1);
}

static enum actorbench_allocation plain_reads(plain *self, note *message) {
    (void)self, (void)message;
    return ACTORBENCH_NODELETE;
}

static void test_pills(void **state) {
    (void)state;
    plain destroyed, finished;
    atomic_initialise(&ended, 0);
    start_workers(2);
    actorbench_actor_init(plain, &destroyed);
    actorbench_actor_init(plain, &finished);
    actorbench_send(plain, actorbench_actor_new(plain), &actorbench_delete_message);
    actorbench_send(plain, &destroyed, &actorbench_destroy_message);
    actorbench_send(plain, &finished, &actorbench_finished_message);
    actorbench_stop();
    assert_int_equal(atomic_load_relaxed(&ended), 2);
}

/* Takes two pills to end, and each pill in its own way. */
typedef struct {
    struct actorbench_actor actor;
    unsigned finished_pills, destroy_pills, delete_pills;
} stubborn;
#define BEHAVIOURS_stubborn(ON)                                     \
    ON(stubborn, actorbench_finished_pill, stubborn_takes_finished) \
    ON(stubborn, actorbench_destroy_pill, stubborn_takes_destroy)   \
    ON(stubborn, actorbench_delete_pill, stubborn_takes_delete)
ACTORBENCH_ACTOR_TYPE(stubborn)

static enum actorbench_allocation stubborn_takes_finished(stubborn *self, actorbench_finished_pill *pill) {
    (void)pill;
    return ++self->finished_pills == 2 ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static enum actorbench_allocation stubborn_takes_destroy(stubborn *self, actorbench_destroy_pill *pill) {
    (void)pill;
    self->destroy_pills++;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation stubborn_takes_delete(stubborn *self, actorbench_delete_pill *pill) {
    (void)pill;
    self->delete_pills++;
    return ACTORBENCH_NODELETE;
}

static void test_overridden_pills(void **state) {
    (void)state;
    stubborn actor;
    memset((void *)&actor, 0, sizeof actor);
    start_workers(2);
    actorbench_actor_init(stubborn, &actor);
    actorbench_send(stubborn, &actor, &actorbench_finished_message, &actorbench_delete_message,
                    &actorbench_destroy_message, &actorbench_delete_message, &actorbench_finished_message);
    actorbench_stop();
    assert_int_equal(actor.finished_pills, 2);
    assert_int_equal(actor.destroy_pills, 1);
    assert_int_equal(actor.delete_pills, 2);
}

/* ---- Waits and rounds ---------------------------------------------------------------------------------------------- */

/* An actor's storage serves again after its end; actorbench_wait sees each end. */
static void test_wait_then_more_work(void **state) {
    (void)state;
    static reader actors[20];
    start_workers(2);
    init_notes();
    for (unsigned round = 1; round <= 50; round++) {
        for (unsigned i = 0; i < LENGTH(actors); i++) {
            memset((void *)&actors[i], 0, sizeof actors[i]);
            actorbench_actor_init(reader, &actors[i]);
            actorbench_send(reader, &actors[i], &notes[0], &notes[1], &actorbench_finished_message);
        }
        actorbench_wait();
        for (unsigned i = 0; i < LENGTH(actors); i++)
            assert_int_equal(actors[i].expected, 2);
    }
    actorbench_wait(); /* with nobody left */
    actorbench_stop();
}

/* An executor leaves nothing behind for the next, whatever its options were. */
static void test_rounds_with_other_configurations(void **state) {
    (void)state;
    for (unsigned round = 1; round < LENGTH(covering); round++) {
        reader actor;
        memset((void *)&actor, 0, sizeof actor);
        struct actorbench_config config = configuration(covering[0], covering[round]);
        start_executor(&config);
        assert_int_equal(actorbench_workers(), config.workers);
        init_notes();
        actorbench_actor_init(reader, &actor);
        actorbench_send(reader, &actor, &notes[0], &notes[1], &notes[2], &actorbench_finished_message);
        actorbench_stop();
        assert_int_equal(actor.expected, 3);
        assert_int_equal(actor.out_of_order, 0);
    }
}

static int watch(void **state) {
    (void)state;
    watchdog_start(40, "sends");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cascades_keep_their_order),
        cmocka_unit_test(test_send_returns_the_receiver),
        cmocka_unit_test(test_arguments_are_evaluated_once),
        cmocka_unit_test(test_main_is_no_worker),
        cmocka_unit_test(test_pills),
        cmocka_unit_test(test_overridden_pills),
        cmocka_unit_test(test_wait_then_more_work),
        cmocka_unit_test(test_rounds_with_other_configurations),
    };
    return cmocka_run_group_tests_name("sends", tests, watch, NULL);
}
