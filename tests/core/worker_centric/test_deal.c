/* Dealing: which worker gets which actor, while main alone makes them; and what a behaviour makes. */
#include "harness.h"

#include <pthread.h>

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

/* A round of single ones, as above; then two of rows of 4, two of 16, ..., of which workers take `together` in turn. */
static void expect_rows(unsigned share, unsigned together) {
    unsigned mailboxes = WORKERS * share;
    uint64_t number = 0;
    for (; number < mailboxes; number++)
        assert_int_equal(actorbench_place(number), number / share);
    for (unsigned row = 4; row <= 1024; row *= 4)
        for (unsigned turn = 0; turn < 2 * mailboxes; turn++)
            for (unsigned i = 0; i < row; i++)
                assert_int_equal(actorbench_place(number++), taker(turn % mailboxes, together));
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

/* Nor has a mailbox many times as many as another, of which a thief can take no part. */
static void test_mailboxes_are_even(void **state) {
    (void)state;
    uint64_t dealt[MAILBOXES] = {0}, number = 0;
    start("nothing", "longest");
    while (number < 100000) {
        for (unsigned i = 0; i < MAILBOXES; i++)
            dealt[deal_number(number++)]++;
        uint64_t most = 0, fewest = UINT64_MAX;
        for (unsigned i = 0; i < MAILBOXES; i++) {
            most = dealt[i] > most ? dealt[i] : most;
            fewest = dealt[i] < fewest ? dealt[i] : fewest;
        }
        assert_in_range(2 * most, 0, 5 * fewest + 5);
    }
    actorbench_stop();
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

/* ---- Many at once -------------------------------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_actor actor;
    unsigned ran_on;
    unsigned runs;
} settler;
#define BEHAVIOURS_settler(ON) ON(settler, actorbench_finished_pill, settler_ends)
ACTORBENCH_ACTOR_TYPE(settler)

static enum actorbench_allocation settler_ends(settler *self, actorbench_finished_pill *pill) {
    (void)pill;
    self->ran_on = actorbench_worker();
    self->runs++;
    return ACTORBENCH_FINISHED;
}

/* Makes so many actors, and sends to them, `at_once` at a time; without stealing they run where they are dealt to. */
static settler *settle(unsigned actors, unsigned at_once) {
    settler *settlers = calloc(actors, sizeof *settlers);
    if (settlers == NULL)
        abort();
    for (unsigned begun = 0; begun < actors; begun += at_once) {
        unsigned end = begun + at_once < actors ? begun + at_once : actors;
        for (unsigned i = begun; i < end; i++)
            actorbench_actor_init(settler, &settlers[i]);
        for (unsigned i = end; i-- > begun;)
            actorbench_send(settler, &settlers[i], &actorbench_finished_message);
    }
    return settlers;
}

/* Each worker has one stretch of those that are made at once, and half of them, but for a row. */
static void test_stretches(void **state) {
    (void)state;
    static const unsigned counts[] = {MAILBOXES + 1, 100, 1000, 20000};
    for (size_t i = 0; i < LENGTH(counts); i++) {
        start("nothing", "none");
        settler *settlers = settle(counts[i], counts[i]);
        actorbench_stop();
        unsigned firsts = 0;
        while (firsts < counts[i] && settlers[firsts].ran_on == 0)
            firsts++;
        for (unsigned j = firsts; j < counts[i]; j++)
            assert_int_equal(settlers[j].ran_on, 1);
        assert_in_range(10 * firsts, 4 * counts[i], 6 * counts[i]);
        free(settlers);
    }
}

/* Where few are made at a time they go in turn, and so they do where somebody has asked. */
static void expect_turns(unsigned actors, unsigned at_once) {
    settler *settlers = settle(actors, at_once);
    actorbench_wait();
    for (unsigned i = 0; i < actors; i++)
        assert_int_equal(settlers[i].ran_on, sharding_owner(deal_number(i)));
    actorbench_stop();
    free(settlers);
}

static void test_few_go_in_turn(void **state) {
    (void)state;
    start("nothing", "none");
    expect_turns(5000, 1);
    start("nothing", "none");
    expect_turns(MAILBOXES, MAILBOXES);
    start("nothing", "none");
    expect_turns(1000, MAILBOXES);
    start("near", "none");
    expect_turns(1000, 1000);
}

static void test_who_asks_gets_the_turn(void **state) {
    (void)state;
    start("nothing", "none");
    (void)actorbench_place(0);
    expect_turns(1000, 1000);
}

/* Sends to `count` actors that main has made and not sent to, once it may. */
typedef struct {
    struct actorbench_actor actor;
    settler *receivers;
    unsigned count;
} starter;
#define BEHAVIOURS_starter(ON) ON(starter, actorbench_finished_pill, starter_starts)
ACTORBENCH_ACTOR_TYPE(starter)

static ATOMIC(bool) are_made;

static void send_to_all(const starter *self) {
    for (unsigned i = 0; i < self->count; i++)
        actorbench_send(settler, &self->receivers[i], &actorbench_finished_message);
}

static enum actorbench_allocation starter_starts(starter *self, actorbench_finished_pill *pill) {
    (void)pill;
    while (!atomic_load_acquire(&are_made)) /* pairs with the store in test_others_may_be_first */
        cpu_yield();
    send_to_all(self);
    return ACTORBENCH_FINISHED;
}

static void *start_outside(void *self) {
    send_to_all(self);
    return NULL;
}

/* A behaviour, a thread and main send at once to a third each of the actors that main has made: each runs once. */
static void test_others_may_be_first(void **state) {
    (void)state;
    enum { EACH = 500 };
    static settler settlers[3 * EACH];
    starter behaviour = {.receivers = settlers, .count = EACH}, thread = {.receivers = settlers + EACH, .count = EACH};
    pthread_t outside;
    start("nothing", "longest");
    atomic_initialise(&are_made, false);
    actorbench_actor_init(starter, &behaviour);
    actorbench_send(starter, &behaviour, &actorbench_finished_message);
    for (unsigned i = 0; i < LENGTH(settlers); i++)
        actorbench_actor_init(settler, &settlers[i]);
    atomic_store_release(&are_made, true);
    assert_int_equal(pthread_create(&outside, NULL, start_outside, &thread), 0);
    send_to_all(&(starter){.receivers = settlers + 2 * EACH, .count = EACH});
    assert_int_equal(pthread_join(outside, NULL), 0);
    actorbench_stop();
    for (unsigned i = 0; i < LENGTH(settlers); i++)
        assert_int_equal(settlers[i].runs, 1);
}

/* Makes actors, and sends to them, without regard to who else does. */
static void *deal_outside(void *actors) {
    return settle(*(unsigned *)actors, 300);
}

static void test_threads_deal_side_by_side(void **state) {
    (void)state;
    pthread_t thread;
    unsigned actors = 2000;
    void *theirs;
    start("nothing", "longest");
    assert_int_equal(pthread_create(&thread, NULL, deal_outside, &actors), 0);
    settler *ours = settle(actors, 300);
    assert_int_equal(pthread_join(thread, &theirs), 0);
    actorbench_stop();
    for (unsigned i = 0; i < actors; i++) {
        assert_int_equal(ours[i].runs, 1);
        assert_int_equal(((settler *)theirs)[i].runs, 1);
    }
    free(ours);
    free(theirs);
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
static child children[(1 + 2 + 4) * SHARE];
static unsigned child_count, distinct;
static uintptr_t tickets[LENGTH(children)], parents_ticket;

static enum actorbench_allocation child_runs(child *self, word *message) {
    (void)self, (void)message;
    return ACTORBENCH_FINISHED;
}

/* Counts the children's different tickets. Sends only then: a thief may exchange mailboxes in the worker's slots at a send. */
static enum actorbench_allocation parent_makes(parent *self, word *message) {
    (void)message;
    parents_ticket = atomic_load_relaxed(&self->actor.ticket);
    for (unsigned i = 0; i < child_count; i++) {
        actorbench_actor_init(child, &children[i]);
        tickets[i] = atomic_load_relaxed(&children[i].actor.ticket);
        bool is_new = true;
        for (unsigned j = 0; j < i; j++)
            is_new = is_new && tickets[i] != tickets[j];
        distinct += is_new;
    }
    for (unsigned i = 0; i < child_count; i++)
        actorbench_send(child, &children[i], &a_word);
    return ACTORBENCH_FINISHED;
}

static unsigned different_mailboxes(unsigned made, const char *without, const char *steal) {
    distinct = 0;
    child_count = made;
    actorbench_message_init(word, &a_word, ACTORBENCH_NODELETE);
    start(without, steal);
    parent first;
    actorbench_actor_init(parent, &first);
    actorbench_send(parent, &first, &a_word);
    actorbench_stop();
    return distinct;
}

static void test_children(void **state) {
    (void)state;
    assert_int_equal(different_mailboxes(2 * SHARE, "nothing", "longest"), SHARE);
    assert_int_equal(different_mailboxes(2 * SHARE, "near", "longest"), 2 * SHARE);
    assert_int_equal(different_mailboxes(2 * SHARE, "nothing", "none"),
                     2 * SHARE); /* what a behaviour makes would stay with it */
}

/* Few children share no mailbox with few actors of main's. */
static void test_children_beside_mains(void **state) {
    (void)state;
    assert_int_equal(different_mailboxes(2 * SHARE, "nothing", "longest"), SHARE);
    for (unsigned i = 0; i < SHARE - 1; i++)
        assert_int_not_equal(tickets[i], parents_ticket);
}

/* Each of the worker's mailboxes gets one, then two in a row, then four. */
static void test_children_in_stretches(void **state) {
    (void)state;
    assert_int_equal(different_mailboxes(LENGTH(children), "nothing", "longest"), SHARE);
    const uintptr_t *next = tickets + SHARE;
    for (unsigned stretch = 2; stretch <= 4; stretch *= 2)
        for (unsigned i = 0; i < SHARE; i++)
            for (unsigned j = 0; j < stretch; j++)
                assert_int_equal(*next++, tickets[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_each_mailbox_has_a_row),
        cmocka_unit_test(test_near_is_even),
        cmocka_unit_test(test_mailboxes_are_even),
        cmocka_unit_test(test_stretches),
        cmocka_unit_test(test_few_go_in_turn),
        cmocka_unit_test(test_who_asks_gets_the_turn),
        cmocka_unit_test(test_others_may_be_first),
        cmocka_unit_test(test_threads_deal_side_by_side),
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_children_beside_mains),
        cmocka_unit_test(test_children_in_stretches),
    };
    return cmocka_run_group_tests_name("deal", tests, NULL, NULL);
}
