/* Dealing: which worker gets which actor, while main alone makes them; and what a behaviour makes. */
#include "harness.h"

#include "worker_centric/deal.h"

enum { WORKERS = 2, SHARE = 4, MAILBOXES = WORKERS * SHARE };

static void start_with(const char *option, const char *mailboxes, const char *without, const char *steal) {
    struct actorbench_config config = actorbench_defaults();
    config.workers = WORKERS;
    set_option(&config, option, mailboxes);
    set_option(&config, "without", without);
    set_option(&config, "steal", steal);
    start_executor(&config);
}

static void start(const char *without, const char *steal) {
    start_with("mailboxes-per-worker", "4", without, steal);
}

static void test_in_turn(void **state) {
    (void)state;
    start("near", "longest");
    for (unsigned number = 0; number < 1000; number++)
        assert_int_equal(actorbench_place(number), number / SHARE % WORKERS);
    actorbench_stop();
}

/* Who takes a row: each worker `together` in turn, there and back. */
static unsigned taker(unsigned row, unsigned together) {
    unsigned place = row / together % WORKERS;
    return row / together / WORKERS % 2 == 0 ? place : WORKERS - 1 - place;
}

/* A round of single ones, as above; then rows of 4, 16, ..., of which workers take `together` in turn. */
static void expect_rows(unsigned share, unsigned together) {
    unsigned mailboxes = WORKERS * share;
    uint64_t number = 0;
    for (; number < mailboxes; number++)
        assert_int_equal(actorbench_place(number), number / share);
    for (unsigned row = 4; row <= 1024; row *= 4)
        for (unsigned turn = 0; turn < mailboxes; turn++)
            for (unsigned i = 0; i < row; i++)
                assert_int_equal(actorbench_place(number++), taker(turn, together));
    for (unsigned i = 0; i < 3 * together * 1024; i++)
        assert_int_equal(actorbench_place(number++), taker(i / 1024, together));
}

static void test_near(void **state) {
    (void)state;
    start("nothing", "longest");
    expect_rows(SHARE, 1);
    actorbench_stop();
    start_with("mailboxes-per-worker", "16", "nothing", "longest");
    expect_rows(16, 2);
    actorbench_stop();
}

/* Which row a number is in does not depend on which was asked for before. */
static void test_in_any_order(void **state) {
    (void)state;
    enum { NUMBERS = 20000 };
    unsigned *upwards = malloc(NUMBERS * sizeof *upwards);
    assert_non_null(upwards);
    start("nothing", "longest");
    for (unsigned number = 0; number < NUMBERS; number++)
        upwards[number] = deal_number(number);
    for (unsigned number = NUMBERS; number-- > 0;)
        assert_int_equal(deal_number(number), upwards[number]);
    for (unsigned i = 0, number = 0; i < NUMBERS; i++, number = (number + 7919) % NUMBERS)
        assert_int_equal(deal_number(number), upwards[number]);
    actorbench_stop();
    free(upwards);
}

/* However many mailboxes there are, each has one row in a round. */
static void test_each_mailbox_has_a_row(void **state) {
    (void)state;
    static const char *const counts[] = {"4", "7", "16", "17", "33", "47", "50"};
    for (size_t i = 0; i < LENGTH(counts); i++) {
        bool has_row[64] = {false};
        unsigned mailboxes = (unsigned)atoi(counts[i]);
        start_with("mailboxes", counts[i], "nothing", "longest");
        for (uint64_t row = 0; row < mailboxes; row++) {
            unsigned mailbox = deal_number(mailboxes + 4 * row);
            for (unsigned j = 1; j < 4; j++)
                assert_int_equal(deal_number(mailboxes + 4 * row + j), mailbox);
            assert_in_range(mailbox, 0, mailboxes - 1);
            assert_false(has_row[mailbox]);
            has_row[mailbox] = true;
        }
        actorbench_stop();
    }
}

/* However many actors there are, once each mailbox has one, no worker has more than 3/2 of another's. */
static void expect_even(uint64_t mailboxes) {
    uint64_t dealt[WORKERS] = {0};
    for (uint64_t number = 0; number < 100000; number++) {
        dealt[actorbench_place(number)]++;
        if (number >= mailboxes - 1) {
            assert_true(2 * dealt[0] <= 3 * dealt[1]);
            assert_true(2 * dealt[1] <= 3 * dealt[0]);
        }
    }
}

static void test_near_is_even(void **state) {
    (void)state;
    static const char *const counts[] = {"8", "16", "50"};
    for (size_t i = 0; i < LENGTH(counts); i++) {
        start_with("mailboxes-per-worker", counts[i], "nothing", "longest");
        expect_even(WORKERS * (uint64_t)atoi(counts[i]));
        actorbench_stop();
    }
}

/* ---- What a behaviour makes ---------------------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_message message;
} word;
ACTORBENCH_MESSAGE_TYPE(word)

typedef struct {
    struct actorbench_actor actor;
    unsigned made_on;
} child;
#define BEHAVIOURS_child(ON) ON(child, word, child_runs)
ACTORBENCH_ACTOR_TYPE(child)

typedef struct {
    struct actorbench_actor actor;
} parent;
#define BEHAVIOURS_parent(ON) ON(parent, word, parent_makes)
ACTORBENCH_ACTOR_TYPE(parent)

static word a_word;
static child children[2 * SHARE];
static unsigned distinct;
static uintptr_t parents_ticket;

static enum actorbench_allocation child_runs(child *self, word *message) {
    (void)self, (void)message;
    return ACTORBENCH_FINISHED;
}

/* The tickets of as many children as the worker has mailboxes are all different, and those of its own mailboxes. */
static enum actorbench_allocation parent_makes(parent *self, word *message) {
    (void)self, (void)message;
    for (unsigned i = 0; i < LENGTH(children); i++) {
        actorbench_actor_init(child, &children[i]);
        bool is_new = true;
        for (unsigned j = 0; j < i; j++)
            is_new = is_new &&
                     atomic_load_relaxed(&children[i].actor.ticket) != atomic_load_relaxed(&children[j].actor.ticket);
        distinct += is_new;
        actorbench_send(child, &children[i], &a_word);
    }
    return ACTORBENCH_FINISHED;
}

static unsigned different_mailboxes(const char *without, const char *steal) {
    distinct = 0;
    actorbench_message_init(word, &a_word, ACTORBENCH_NODELETE);
    start(without, steal);
    parent first;
    actorbench_actor_init(parent, &first);
    parents_ticket = atomic_load_relaxed(&first.actor.ticket);
    actorbench_send(parent, &first, &a_word);
    actorbench_stop();
    return distinct;
}

static void test_children(void **state) {
    (void)state;
    assert_int_equal(different_mailboxes("nothing", "longest"), SHARE);
    assert_int_equal(different_mailboxes("near", "longest"), 2 * SHARE);
    assert_int_equal(different_mailboxes("nothing", "none"), 2 * SHARE); /* what a behaviour makes would stay with it */
}

/* Few children share no mailbox with few actors of main's. */
static void test_children_beside_mains(void **state) {
    (void)state;
    assert_int_equal(different_mailboxes("nothing", "longest"), SHARE);
    for (unsigned i = 0; i < SHARE - 1; i++)
        assert_int_not_equal(atomic_load_relaxed(&children[i].actor.ticket), parents_ticket);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_in_any_order),
        cmocka_unit_test(test_each_mailbox_has_a_row),
        cmocka_unit_test(test_near_is_even),
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_children_beside_mains),
    };
    return cmocka_run_group_tests_name("deal", tests, NULL, NULL);
}
