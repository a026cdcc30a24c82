/* Whom a worker with a deque takes when it is the oldest's turn: the first of its inbox and that of its deque by turns, so that
 * nobody waits for ever behind those who come and go in the other. */
#include "workers.h"

enum { EACH = BOXES / 2 };

static struct worker *worker;

/* The inbox has the first half of the actors, the deque the second, each with its oldest first. */
static void fill(unsigned in_inbox, unsigned in_deque) {
    worker = &executor.workers[0];
    for (unsigned i = 0; i < in_inbox; i++)
        list_actors(&worker->inbox, i, i);
    for (unsigned i = 0; i < in_deque; i++)
        deque_push(&worker->deque, &boxes[EACH + i]);
}

static unsigned next_at(uint64_t activations) {
    worker->activations = activations;
    struct mailbox *mailbox = ready_next(worker);
    assert_non_null(mailbox);
    return (unsigned)(mailbox - boxes);
}

static void test_by_turns(void **state) {
    (void)state;
    fill(EACH, EACH);
    unsigned of_inbox = 0, of_deque = EACH;
    for (unsigned turn = 1; turn <= 2 * (EACH - 1); turn++)
        assert_int_equal(next_at((uint64_t)OLDEST_EACH * turn), turn % 2 != 0 ? of_deque++ : of_inbox++);
}

/* If one of the two is empty, its turn is the other's. */
static void test_one_is_empty(void **state) {
    (void)state;
    fill(EACH, 0);
    for (unsigned turn = 1; turn <= EACH; turn++)
        assert_int_equal(next_at((uint64_t)OLDEST_EACH * turn), turn - 1);
    fill(0, EACH);
    for (unsigned turn = 1; turn <= EACH; turn++)
        assert_int_equal(next_at((uint64_t)OLDEST_EACH * turn), EACH + turn - 1);
}

/* At other times what was made ready last comes first, and what others gave it after that. */
static void test_not_the_oldests_turn(void **state) {
    (void)state;
    fill(2, 3);
    static const unsigned expected[] = {EACH + 2, EACH + 1, EACH, 0, 1};
    for (unsigned i = 0; i < LENGTH(expected); i++)
        assert_int_equal(next_at(1 + i), expected[i]);
    assert_null(ready_next(worker));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_WORKERS(test_by_turns),
        WITH_WORKERS(test_one_is_empty),
        WITH_WORKERS(test_not_the_oldests_turn),
    };
    return cmocka_run_group_tests_name("the oldest", tests, NULL, NULL);
}
