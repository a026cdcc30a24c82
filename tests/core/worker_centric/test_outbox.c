/* Out-boxes: what a worker passes on, in blocks or, without them, one by one. */
#include "pair.h"

#include "worker_centric/hold.h"

static void pass_on(unsigned mailbox, uintptr_t number) {
    hold_pass_on(first, &boxes[mailbox], &actors[mailbox], (struct actorbench_message *)number, NULL);
}

/* A full out-box is appended when the next comes; the rest when it is flushed. */
static void test_full_boxes(void **state) {
    (void)state;
    for (uintptr_t number = 1; number <= BLOCK_ENVELOPES; number++)
        pass_on(SECOND, number);
    assert_int_equal(mailbox_count(&boxes[SECOND]), 0);
    pass_on(SECOND, BLOCK_ENVELOPES + 1);
    assert_int_equal(mailbox_count(&boxes[SECOND]), BLOCK_ENVELOPES);
    outbox_flush(first);
    assert_int_equal(first->outboxes.used_count, 0);
    assert_true(take(SECOND));
    expect_seen_from(1, BLOCK_ENVELOPES + 1);
    outbox_flush(first); /* nothing is left */
    assert_int_equal(mailbox_count(&boxes[SECOND]), 0);
}

/* Mailboxes that share an out-box do not mix: the newcomer has the other's block appended. */
static void test_shared_boxes(void **state) {
    (void)state;
    boxes[SECOND + 1].number = boxes[SECOND].number + OUTBOXES;
    for (uintptr_t number = 1; number <= 6; number += 2) {
        pass_on(SECOND, number);
        pass_on(SECOND + 1, number + 1);
    }
    assert_int_equal(mailbox_count(&boxes[SECOND]), 3);
    assert_int_equal(mailbox_count(&boxes[SECOND + 1]), 2);
    outbox_flush(first);
    assert_true(take(SECOND));
    expect_seen(3, 1, 3, 5);
    assert_true(take(SECOND + 1));
    expect_seen(3, 2, 4, 6);
}

static void test_many_boxes(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3 * SHARE; i++)
        pass_on(SECOND + i % SHARE, i);
    assert_int_equal(first->outboxes.used_count, SHARE);
    outbox_flush(first);
    for (unsigned i = 0; i < SHARE; i++) {
        assert_true(take(SECOND + i));
        expect_seen(3, i, i + SHARE, i + 2 * SHARE);
    }
}

static void test_flushing_wakes(void **state) {
    (void)state;
    pass_on(SECOND, 1);
    mailbox_set_sleeper(&boxes[SECOND], second->index);
    atomic_store_relaxed(&second->sleeping, ASLEEP);
    outbox_flush(first);
    assert_int_equal(atomic_load_relaxed(&second->sleeping), AWAKE);
}

static void test_without(void **state) {
    (void)state;
    executor.options.without = MECHANISM_OUTBOXES;
    pass_on(SECOND, 1);
    assert_int_equal(mailbox_count(&boxes[SECOND]), 1);
    assert_int_equal(first->outboxes.used_count, 0);
    mailbox_set_sleeper(&boxes[SECOND], second->index);
    atomic_store_relaxed(&second->sleeping, ASLEEP);
    pass_on(SECOND, 2);
    assert_int_equal(atomic_load_relaxed(&second->sleeping), AWAKE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_A_PAIR(test_full_boxes),     WITH_A_PAIR(test_shared_boxes), WITH_A_PAIR(test_many_boxes),
        WITH_A_PAIR(test_flushing_wakes), WITH_A_PAIR(test_without),
    };
    return cmocka_run_group_tests_name("out-boxes", tests, NULL, NULL);
}
