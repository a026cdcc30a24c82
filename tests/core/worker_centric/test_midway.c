/* Giving in the midst of a behaviour that sends much: what leaves, what stays, and when nothing is given. */
#include "pair.h"

#include "worker_centric/worker.c"

/* The first runs MESSAGES that are in one block; the one that floods sends as many as MIDWAY to another actor. */
enum { MESSAGES = 5, FLOODS = 1 };

static struct actorbench_message messages[MESSAGES], drop;
static unsigned ran[MESSAGES], ran_count;
static unsigned flooded; /* which actor */
static bool is_asked;    /* meanwhile */
static bool tells;       /* as well, that mailboxes have moved */
static unsigned times;   /* it floods */
static const struct actorbench_message
    *floods_with; /* kept before, and given to the actor while FLOODS runs; or NULL */

static bool is_given(void) {
    for (unsigned i = 0; i < SHARE; i++)
        if (slot_mailbox(sharding_slots(1) + i) == &boxes[1])
            return true;
    return false;
}

static void flood(void) {
    give_midway(first); /* it has filled its first block */
    for (unsigned i = 0; i < times; i++) {
        if (tells)
            give_tell(first);
        if (is_asked)
            give_ask(first, second);
        else
            give_end_run(first);
        for (unsigned j = 0; j < MIDWAY; j++)
            run_queue_append(&first->runs, &first->pool, (struct envelope){&actors[flooded], &drop, NULL});
        give_midway(first);
    }
}

static enum actorbench_allocation behave(struct actorbench_actor *self, struct actorbench_message *message) {
    (void)self;
    ran[ran_count++] = (unsigned)(message - messages);
    if (message != &messages[FLOODS])
        return ACTORBENCH_NODELETE;
    const struct delivery outer = this_delivery;
    if (floods_with != NULL)
        this_delivery = (struct delivery){floods_with, ACTORBENCH_NODELETE, false, &outer};
    flood();
    if (is_given()) /* and so may have ended */
        atomic_store_relaxed(&actors[1].ticket, 0);
    this_delivery = outer;
    return ACTORBENCH_NODELETE;
}

static int start(void **state) {
    (void)make_pair(state);
    give_init();
    this_worker = first;
    this_delivery.is_in_place = true;
    floods_with = NULL;
    ran_count = 0;
    flooded = 1;
    is_asked = true;
    tells = false;
    times = 1;
    assert_true(mailbox_hold(&boxes[0], first));
    assert_true(mailbox_hold(&boxes[1], first));
    boxes[0].held.next = &boxes[1];
    first->held = &boxes[0];
    for (unsigned i = 0; i < MESSAGES; i++) {
        const unsigned receivers[MESSAGES] = {1, 0, 1, SECOND, 0};
        messages[i] = (struct actorbench_message){.allocation = ACTORBENCH_NODELETE};
        run_queue_append(&first->runs, &first->pool, (struct envelope){&actors[receivers[i]], &messages[i], behave});
    }
    return 0;
}

static int end(void **state) {
    this_worker = NULL;
    this_delivery = (struct delivery){.what = NULL};
    for (unsigned i = 0; i < 2 * SHARE; i++)
        box_empty(&boxes[i]);
    return release_workers(state);
}

/* The run has ended with the flood, so that the thief's mailbox has what was behind it in the block, and then what was sent; what is
 * behind it for the actor that runs is next. */
static void expect_given(unsigned floods) {
    assert_int_equal(run_shared(first, MESSAGES), FLOODS + 1);
    assert_true(is_given());
    assert_null(mailbox_holder(&boxes[1]));
    assert_int_equal(mailbox_count(&boxes[1]), 1 + floods * MIDWAY);
    assert_ptr_equal(boxes[1].queue.first->envelopes[0].message, &messages[2]);
    assert_int_equal(mailbox_count(&boxes[SECOND]), 1);
    assert_ptr_equal(mailbox_holder(&boxes[0]), first);
    assert_int_equal(run_queue_length(&first->runs), 1);
    assert_int_equal(first->statistics.steals, 1);
    assert_int_equal(run_shared(first, MESSAGES), 1);
    assert_int_equal(ran_count, 3);
    assert_memory_equal(ran, ((unsigned[]){0, 1, 4}), sizeof(unsigned[3]));
    assert_true(run_queue_is_empty(&first->runs));
    (void)hold_leave(first, LEAVE_ALL);
}

/* Nothing has left: all is to be run in its turn. */
static void expect_kept(void) {
    assert_int_equal(run_shared(first, FLOODS + 1), FLOODS + 1);
    assert_false(is_given());
    assert_ptr_equal(mailbox_holder(&boxes[1]), first);
    assert_int_equal(run_queue_length(&first->runs), MESSAGES - FLOODS - 1 + times * MIDWAY);
    (void)hold_leave(first, LEAVE_ALL);
}

/* All that is for one mailbox, while a behaviour runs that keeps its worker busy; what else is called for is done afterwards. */
static void test_one_mailbox_is_given(void **state) {
    (void)state;
    tells = true;
    expect_given(1);
    assert_int_equal(atomic_load_relaxed(&first->call), CALL_MOVED + CALL_AWAITED);
    assert_in_range(first->flood.kept, 1, MESSAGES);
}

/* Again in the same behaviour, once more has come: that mailbox is no longer held. */
static void test_again(void **state) {
    (void)state;
    times = 3;
    expect_given(3);
}

/* By a message that was kept, though it is in the block as well. */
static void test_from_a_kept_message(void **state) {
    (void)state;
    floods_with = &messages[MESSAGES - 1];
    expect_given(1);
}

/* What is for the mailbox of the actor that runs stays, and what there is besides is too little. */
static void test_to_itself(void **state) {
    (void)state;
    flooded = 0;
    expect_kept();
    assert_false(boxes[0].held.leaves || boxes[1].held.leaves);
    assert_in_range(first->flood.kept, MIDWAY, MIDWAY + MESSAGES);
    assert_int_equal(first->statistics.refusals, STATISTICS_BUILD);
}

static void test_nobody_asks(void **state) {
    (void)state;
    is_asked = false;
    expect_kept();
}

/* What is for others is passed on though nobody asks, if it is half of what waits. */
static void test_for_others(void **state) {
    (void)state;
    is_asked = false;
    flooded = SECOND;
    assert_int_equal(run_shared(first, MESSAGES), FLOODS + 1);
    assert_int_equal(mailbox_count(&boxes[SECOND]), 1 + MIDWAY);
    assert_ptr_equal(mailbox_holder(&boxes[1]), first);
    assert_int_equal(run_queue_length(&first->runs), 2);
    assert_int_equal(first->statistics.steals, 0);
    (void)hold_leave(first, LEAVE_ALL);
}

/* Who is alone runs what is for mailboxes that it does not hold as well, and must not pass on what is ahead of that. */
static void test_alone(void **state) {
    (void)state;
    is_asked = false;
    flooded = SECOND;
    crew.count = 1;
    expect_kept();
    crew.count = 2;
}

static void test_without_stealing(void **state) {
    (void)state;
    executor.options.steal = STEAL_NONE;
    is_asked = false;
    flooded = SECOND;
    expect_kept();
}

/* A sender that is no behaviour: a layer's callback. */
static void test_no_behaviour(void **state) {
    (void)state;
    this_delivery.what = NULL;
    flood();
    assert_false(is_given());
    (void)hold_leave(first, LEAVE_ALL);
}

static void test_deaf(void **state) {
    (void)state;
    first->deaf_until = UINT64_MAX;
    expect_kept();
}

/* The thief has found work elsewhere: it is heard, and nothing is given. */
static void test_a_thief_at_work(void **state) {
    (void)state;
    atomic_store_relaxed(&second->waiting, 1);
    expect_kept();
}

static void send_some(unsigned count) {
    for (unsigned i = 0; i < count; i++)
        run_queue_append(&first->runs, &first->pool, (struct envelope){&actors[flooded], &drop, NULL});
}

/* As much as a block holds. */
static void fill(void) {
    send_some(BLOCK_ENVELOPES);
    give_midway(first);
}

/* What the work of its messages is nobody knows yet. */
static void begin_behaviour(unsigned number) {
    atomic_store_relaxed(&first->work_ns, UNKNOWN_NS);
    this_delivery.what = &first->runs.first->envelopes[number + 1];
}

/* Too few wait; and not as many as are waited for. */
static void test_too_few(void **state) {
    (void)state;
    begin_behaviour(FLOODS);
    give_ask(first, second);
    give_midway(first);
    send_some(MIDWAY - MESSAGES - 1);
    give_midway(first);
    assert_false(is_given());
    first->flood.next = MIDWAY + 1;
    send_some(1);
    give_midway(first);
    assert_false(is_given());
    send_some(1);
    give_midway(first);
    assert_true(is_given());
    (void)hold_leave(first, LEAVE_ALL);
}

/* Few wait, but their sends took long. The first block of a behaviour tells nothing, and the second only when it was full. */
static void test_slow_sends(void **state) {
    (void)state;
    begin_behaviour(FLOODS);
    give_ask(first, second);
    fill();
    fill();
    assert_false(is_given());
    assert_int_equal(first->flood.kept, MESSAGES + 2 * BLOCK_ENVELOPES);
    assert_int_equal(first->flood.next, 0);
    first->flood.since -= WAY_NS + BLOCK_ENVELOPES * LINES_NS;
    fill();
    assert_true(is_given());
    (void)hold_leave(first, LEAVE_ALL);
}

/* What a thief takes for its way and for the lines of what was sent is not long; then it is looked again when twice as much waits, but not later
 * than for MIDWAY messages. */
static void test_fast_sends(void **state) {
    (void)state;
    const uint64_t later = 1000 * (uint64_t)1000 * 1000;
    begin_behaviour(FLOODS);
    give_ask(first, second);
    fill();
    fill();
    first->flood.since += later;
    fill();
    assert_false(is_given());
    assert_int_equal(first->flood.next, 2 * (MESSAGES + 3 * BLOCK_ENVELOPES));
    first->flood.since = 1;
    fill();
    fill();
    assert_false(is_given());
    send_some(MESSAGES);
    fill();
    assert_true(is_given());

    send_some(MIDWAY * 2 / 3);
    first->flood = (struct flood){.ran = first->flood.ran, .since = first->flood.since + later, .much = MIDWAY};
    give_midway(first);
    assert_int_equal(first->flood.next, MIDWAY);
    (void)hold_leave(first, LEAVE_ALL);
}

/* What was kept is sorted out again once AGAIN times as much waits, however many out-boxes were emptied some time before, and what has come
 * is given then. */
static void test_kept(void **state) {
    (void)state;
    first->outboxes.flushed = OUTBOXES;
    begin_behaviour(FLOODS);
    give_ask(first, second);
    give_midway(first);
    flooded = 0;
    send_some(MIDWAY);
    give_midway(first);
    unsigned kept = (unsigned)first->flood.kept;
    assert_in_range(kept, MIDWAY, MIDWAY + MESSAGES);
    assert_int_equal(first->flood.much, AGAIN * kept);

    flooded = 1;
    first->flood.since = UINT64_MAX / 2; /* never too slow */
    send_some((AGAIN - 2) * kept);
    give_ask(first, second);
    give_midway(first);
    assert_false(is_given());
    first->flood.since = UINT64_MAX / 2;
    send_some(kept);
    give_midway(first);
    assert_true(is_given());
    assert_in_range(first->flood.kept, MIDWAY, kept);
    (void)hold_leave(first, LEAVE_ALL);
}

/* What was passed on went to so many mailboxes that MIDWAY messages fill no block for each: it is sorted out again once as many wait as would. */
static void test_many_mailboxes(void **state) {
    (void)state;
    enum { OTHERS = MIDWAY / BLOCK_ENVELOPES + 1 };
    static struct mailbox others[OTHERS];
    static struct actorbench_actor theirs[OTHERS];
    for (unsigned i = 0; i < OTHERS; i++) {
        mailbox_init(&others[i], 2 * SHARE + i);
        atomic_initialise(&theirs[i].ticket, (uintptr_t)&others[i]);
    }
    begin_behaviour(FLOODS);
    give_midway(first);
    for (unsigned i = 0; i < MIDWAY; i++)
        run_queue_append(&first->runs, &first->pool, (struct envelope){&theirs[i % OTHERS], &drop, NULL});
    give_midway(first);
    assert_int_equal(mailbox_count(&boxes[SECOND]), 1);
    assert_int_equal(first->flood.much, (OTHERS + 1) * BLOCK_ENVELOPES);

    flooded = SECOND;
    send_some((unsigned)first->flood.much);
    give_midway(first);
    assert_int_equal(first->flood.much, MIDWAY);
    for (unsigned i = 0; i < OTHERS; i++)
        mailbox_destroy(&others[i]);
    (void)hold_leave(first, LEAVE_ALL);
}

/* How long the sends of one behaviour took says nothing of the next. */
static void test_another_behaviour(void **state) {
    (void)state;
    begin_behaviour(FLOODS);
    give_ask(first, second);
    fill();
    fill();
    first->flood.since = 1;
    begin_behaviour(FLOODS + 1);
    fill();
    fill();
    assert_false(is_given());
    (void)hold_leave(first, LEAVE_ALL);
}

/* Nobody asks, as nobody is awake: one is woken. */
static void test_asleep(void **state) {
    (void)state;
    begin_behaviour(FLOODS);
    atomic_store_relaxed(&second->sleeping, ASLEEP);
    atomic_store_relaxed(&crew.sleepers, 1);
    fill();
    fill();
    assert_int_equal(atomic_load_relaxed(&second->sleeping), ASLEEP);
    first->flood.since = 1;
    fill();
    atomic_store_relaxed(&crew.sleepers, 0);
    assert_int_equal(atomic_load_relaxed(&second->sleeping), AWAKE);
    (void)hold_leave(first, LEAVE_ALL);
}

#define MIDWAY_TEST(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        MIDWAY_TEST(test_one_mailbox_is_given),
        MIDWAY_TEST(test_again),
        MIDWAY_TEST(test_from_a_kept_message),
        MIDWAY_TEST(test_to_itself),
        MIDWAY_TEST(test_nobody_asks),
        MIDWAY_TEST(test_for_others),
        MIDWAY_TEST(test_alone),
        MIDWAY_TEST(test_without_stealing),
        MIDWAY_TEST(test_no_behaviour),
        MIDWAY_TEST(test_deaf),
        MIDWAY_TEST(test_a_thief_at_work),
        MIDWAY_TEST(test_too_few),
        MIDWAY_TEST(test_slow_sends),
        MIDWAY_TEST(test_fast_sends),
        MIDWAY_TEST(test_kept),
        MIDWAY_TEST(test_many_mailboxes),
        MIDWAY_TEST(test_another_behaviour),
        MIDWAY_TEST(test_asleep),
    };
    return cmocka_run_group_tests_name("midway", tests, NULL, NULL);
}
