/* Dealing: which worker gets which actor, while main alone makes them; and what a behaviour makes. */
#include "harness.h"

enum { WORKERS = 2, SHARE = 4, MAILBOXES = WORKERS * SHARE };

static void start(const char *without, const char *steal) {
    struct actorbench_config config = actorbench_defaults();
    config.workers = WORKERS;
    set_option(&config, "mailboxes-per-worker", "4");
    set_option(&config, "without", without);
    set_option(&config, "steal", steal);
    start_executor(&config);
}

static void test_in_turn(void **state) {
    (void)state;
    start("near", "longest");
    for (unsigned number = 0; number < 1000; number++)
        assert_int_equal(actorbench_place(number), number / SHARE % WORKERS);
    actorbench_stop();
}

/* A round of single ones, as above; then runs of 4, 16, ..., and workers take turns. */
static void test_near(void **state) {
    (void)state;
    start("nothing", "longest");
    uint64_t number = 0;
    for (; number < MAILBOXES; number++)
        assert_int_equal(actorbench_place(number), number / SHARE);
    for (unsigned run = 4; run <= 1024; run *= 4)
        for (unsigned turn = 0; turn < MAILBOXES; turn++)
            for (unsigned i = 0; i < run; i++)
                assert_int_equal(actorbench_place(number++), turn % WORKERS);
    for (unsigned i = 0; i < 3 * 1024; i++)
        assert_int_equal(actorbench_place(number++), i / 1024 % WORKERS);
    actorbench_stop();
}

/* However many there are, no worker has many more than another. */
static void test_near_is_even(void **state) {
    (void)state;
    start("nothing", "longest");
    uint64_t dealt[WORKERS] = {0};
    for (uint64_t number = 0; number < 100000; number++) {
        dealt[actorbench_place(number)]++;
        if (number >= MAILBOXES)
            assert_in_range(dealt[0] * 2, number - number / 2, number + number / 2 + 2 * MAILBOXES);
    }
    actorbench_stop();
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
        cmocka_unit_test(test_near_is_even),
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_children_beside_mains),
    };
    return cmocka_run_group_tests_name("deal", tests, NULL, NULL);
}
