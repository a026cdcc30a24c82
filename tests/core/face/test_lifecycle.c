/* The lives of actors and messages: what each allocation does, and that destructors run once, through the base type. */
#include "harness.h"

/* What the destructors saw, since the last set_up. */
static ATOMIC(unsigned) probes_ended, pulses_ended, wrong_objects;

enum { PROBE_MARK = 4711, PULSE_MARK = 815 };

typedef struct {
    struct actorbench_message message;
    int mark;
} pulse;
ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(pulse, pulse_ends)

typedef struct {
    struct actorbench_actor actor;
    unsigned left; /* pulses until it ends as `fate` says */
    enum actorbench_allocation fate;
    int mark;
    pulse own;
} probe;
#define BEHAVIOURS_probe(ON) ON(probe, pulse, probe_takes)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(probe, probe_ends)

static void pulse_ends(pulse *self) {
    (void)atomic_fetch_add_relaxed(&pulses_ended, 1);
    if (self->mark != PULSE_MARK)
        (void)atomic_fetch_add_relaxed(&wrong_objects, 1);
}

static void probe_ends(probe *self) {
    (void)atomic_fetch_add_relaxed(&probes_ended, 1);
    if (self->mark != PROBE_MARK)
        (void)atomic_fetch_add_relaxed(&wrong_objects, 1);
}

static enum actorbench_allocation probe_takes(probe *self, pulse *message) {
    (void)message;
    return --self->left == 0 ? self->fate : ACTORBENCH_NODELETE;
}

static int set_up(void **state) {
    (void)state;
    watchdog_start(20, "lifecycle");
    atomic_initialise(&probes_ended, 0);
    atomic_initialise(&pulses_ended, 0);
    atomic_initialise(&wrong_objects, 0);
    start_workers(2);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    watchdog_stop();
    return 0;
}

static void init_probe(probe *self, unsigned pulses, enum actorbench_allocation fate) {
    self->left = pulses;
    self->fate = fate;
    self->mark = PROBE_MARK;
}

static pulse *new_pulse(enum actorbench_allocation fate) {
    pulse *made = actorbench_message_new(pulse, fate);
    made->mark = PULSE_MARK;
    return made;
}

static void check_ends(unsigned probes, unsigned pulses) {
    assert_int_equal(atomic_load_relaxed(&probes_ended), probes);
    assert_int_equal(atomic_load_relaxed(&pulses_ended), pulses);
    assert_int_equal(atomic_load_relaxed(&wrong_objects), 0);
}

/* On the heap, on the stack and static; a sanitizer sees storage that is freed wrongly, twice or not at all. */
static void test_actor_allocations(void **state) {
    (void)state;
    static probe of_program;
    probe on_stack, *on_heap = actorbench_actor_new(probe);
    pulse message;
    actorbench_message_init(pulse, &message, ACTORBENCH_NODELETE);
    actorbench_actor_init(probe, &of_program);
    actorbench_actor_init(probe, &on_stack);
    init_probe(on_heap, 1, ACTORBENCH_DELETE);
    init_probe(&on_stack, 2, ACTORBENCH_DESTROY);
    init_probe(&of_program, 3, ACTORBENCH_FINISHED);
    actorbench_send(probe, on_heap, &message);
    actorbench_send(probe, &on_stack, &message, &message);
    actorbench_send(probe, &of_program, &message, &message, &message);
    actorbench_stop();
    check_ends(2, 0);
    assert_int_equal(on_stack.left, 0);
    assert_int_equal(of_program.left, 0);
}

static void test_finished_actor_on_the_heap(void **state) {
    (void)state;
    probe *actor = actorbench_actor_new(probe);
    actorbench_send(probe, actor, &actorbench_finished_message);
    actorbench_stop();
    check_ends(0, 0);
    free(actor);
}

static void test_message_allocations(void **state) {
    (void)state;
    probe actor;
    pulse kept, destroyed, finished;
    actorbench_message_init(pulse, &kept, ACTORBENCH_NODELETE);
    actorbench_message_init(pulse, &destroyed, ACTORBENCH_DESTROY);
    actorbench_message_init(pulse, &finished, ACTORBENCH_FINISHED);
    destroyed.mark = PULSE_MARK;
    actorbench_actor_init(probe, &actor);
    init_probe(&actor, 6, ACTORBENCH_FINISHED);
    actorbench_send(probe, &actor, &kept, new_pulse(ACTORBENCH_DELETE), &destroyed, &finished, &kept,
                    new_pulse(ACTORBENCH_DELETE));
    actorbench_stop();
    check_ends(0, 3);
}

static void test_program_gives_messages_up(void **state) {
    (void)state;
    probe actor;
    pulse *first = new_pulse(ACTORBENCH_NODELETE), second;
    actorbench_message_init(pulse, &second, ACTORBENCH_NODELETE);
    second.mark = PULSE_MARK;
    actorbench_actor_init(probe, &actor);
    init_probe(&actor, 2, ACTORBENCH_FINISHED);
    actorbench_send(probe, &actor, first, &second);
    actorbench_stop();
    check_ends(0, 0);
    actorbench_message_delete(&first->message);
    actorbench_message_destroy(&second.message);
    check_ends(0, 2);
}

static void test_new_objects_are_zeroed(void **state) {
    (void)state;
    probe *actor = actorbench_actor_new(probe);
    pulse *message = actorbench_message_new(pulse, ACTORBENCH_DESTROY);
    assert_int_equal(actor->left, 0);
    assert_int_equal(actor->mark, 0);
    assert_int_equal(message->mark, 0);
    assert_int_equal(message->message.allocation, ACTORBENCH_DESTROY);
    message->mark = PULSE_MARK;
    init_probe(actor, 1, ACTORBENCH_DELETE);
    actorbench_send(probe, actor, message);
    actorbench_stop();
    check_ends(1, 1);
    free(message);
}

/* The message is a part of the actor that it ends: it is seen to first. */
static void test_message_inside_its_actor(void **state) {
    (void)state;
    probe *actor = actorbench_actor_new(probe);
    init_probe(actor, 1, ACTORBENCH_DELETE);
    actorbench_message_init(pulse, &actor->own, ACTORBENCH_DESTROY);
    actor->own.mark = PULSE_MARK;
    actorbench_send(probe, actor, &actor->own);
    actorbench_stop();
    check_ends(1, 1);
}

static void test_one_message_to_many_actors(void **state) {
    (void)state;
    enum { MANY = 300 };
    static probe actors[MANY];
    pulse message;
    actorbench_message_init(pulse, &message, ACTORBENCH_NODELETE);
    for (unsigned i = 0; i < MANY; i++) {
        actorbench_actor_init(probe, &actors[i]);
        init_probe(&actors[i], 3, ACTORBENCH_DESTROY);
    }
    for (unsigned round = 0; round < 3; round++)
        for (unsigned i = 0; i < MANY; i++)
            actorbench_send(probe, &actors[i], &message);
    actorbench_stop();
    check_ends(MANY, 0);
}

/* ---- A message whose fate its last receiver decides ---------------------------------------------------------------- */

typedef struct {
    struct actorbench_actor actor;
    unsigned hops;
} relay;
#define BEHAVIOURS_relay(ON) ON(relay, pulse, relay_passes)
ACTORBENCH_ACTOR_TYPE(relay)

static enum actorbench_allocation relay_passes(relay *self, pulse *message) {
    if (--self->hops > 0) {
        actorbench_send(relay, self, message);
        return ACTORBENCH_NODELETE;
    }
    actorbench_message_set_allocation(&message->message, ACTORBENCH_DELETE);
    return ACTORBENCH_FINISHED;
}

static void test_fate_changed_by_a_behaviour(void **state) {
    (void)state;
    relay actor;
    actorbench_actor_init(relay, &actor);
    actor.hops = 1000;
    actorbench_send(relay, &actor, new_pulse(ACTORBENCH_NODELETE));
    actorbench_stop();
    check_ends(0, 1);
}

/* ---- Actors made by behaviours ------------------------------------------------------------------------------------- */

enum { DEPTH = 10 };

typedef struct {
    struct actorbench_message message;
    unsigned depth;
} order;
ACTORBENCH_MESSAGE_TYPE(order)

typedef struct {
    struct actorbench_actor actor;
    int mark;
} planter;
#define BEHAVIOURS_planter(ON) ON(planter, order, planter_plants)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(planter, planter_ends)

static void planter_ends(planter *self) {
    (void)self;
    (void)atomic_fetch_add_relaxed(&probes_ended, 1);
}

static void plant(unsigned depth) {
    order *next = actorbench_message_new(order, ACTORBENCH_DELETE);
    next->depth = depth;
    actorbench_send(planter, actorbench_actor_new(planter), next);
}

static enum actorbench_allocation planter_plants(planter *self, order *message) {
    (void)self;
    for (unsigned i = 0; i < 2 && message->depth > 0; i++)
        plant(message->depth - 1);
    return ACTORBENCH_DELETE;
}

static void test_actors_made_by_behaviours(void **state) {
    (void)state;
    plant(DEPTH);
    actorbench_wait();
    check_ends((2u << DEPTH) - 1, 0);
    plant(DEPTH);
    actorbench_stop();
    check_ends(2 * ((2u << DEPTH) - 1), 0);
}

#define LIFECYCLE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        LIFECYCLE(test_actor_allocations),          LIFECYCLE(test_finished_actor_on_the_heap),
        LIFECYCLE(test_message_allocations),        LIFECYCLE(test_program_gives_messages_up),
        LIFECYCLE(test_new_objects_are_zeroed),     LIFECYCLE(test_message_inside_its_actor),
        LIFECYCLE(test_one_message_to_many_actors), LIFECYCLE(test_fate_changed_by_a_behaviour),
        LIFECYCLE(test_actors_made_by_behaviours),
    };
    return cmocka_run_group_tests_name("lifecycle", tests, NULL, NULL);
}
