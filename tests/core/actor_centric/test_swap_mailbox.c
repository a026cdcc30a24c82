/* The swap mailbox's gap: a sender has exchanged `last`, and not yet linked its letter. */
#include <pthread.h>

#include "letters.h"

static struct swap_mailbox box;
static ATOMIC(uint32_t) rested;
static bool found_idle;

/* The first half of a send, and what is left to do: before.next = node. */
struct half_sent {
    struct letter_node *before, *node;
};

static struct half_sent send_half(uintptr_t number) {
    struct half_sent half = {.node = memory_block(sizeof *half.node, "a letter")};
    half.node->letter = numbered(number);
    atomic_initialise(&half.node->next, NULL);
    half.before = atomic_exchange_acq_rel(&box.last, half.node);
    return half;
}

static void send_the_rest(struct half_sent half) {
    atomic_store_release(&half.before->next, half.node);
}

static void expect(uintptr_t number) {
    struct letter letter = {0};
    assert_true(swap_mailbox_next(&box, &letter));
    assert_int_equal(number_of(letter), number);
}

static void expect_nothing(void) {
    struct letter letter = {0};
    assert_false(swap_mailbox_next(&box, &letter));
}

static void *rest(void *unused) {
    found_idle = swap_mailbox_rest(&box);
    atomic_store_release(&rested, 1);
    return unused;
}

/* The reader waits for the link, however long it takes, and does not take the gap for the end. */
static void test_gap(void **state) {
    (void)state;
    pthread_t reader;
    watchdog_start(20, "the gap of a swap mailbox");
    swap_mailbox_init(&box);
    atomic_initialise(&rested, 0);
    assert_true(swap_mailbox_push(&box, LINK_RELEASE, numbered(1)));
    expect(1);
    struct half_sent second = send_half(2);
    expect_nothing();
    assert_int_equal(pthread_create(&reader, NULL, rest, NULL), 0);
    pause_ns(5000000);
    assert_int_equal(atomic_load_acquire(&rested), 0);
    send_the_rest(second);
    assert_int_equal(pthread_join(reader, NULL), 0);
    watchdog_stop();
    assert_false(found_idle);
    expect(2);
    expect_nothing();
    assert_true(swap_mailbox_rest(&box));
    assert_null(atomic_load_relaxed(&box.last));
}

/* Later senders complete their sends behind the gap: their letters stay out of sight, in order, until it is closed. */
static void test_sends_behind_a_gap(void **state) {
    (void)state;
    swap_mailbox_init(&box);
    assert_true(swap_mailbox_push(&box, LINK_ORDERED, numbered(1)));
    struct half_sent second = send_half(2);
    assert_false(swap_mailbox_push(&box, LINK_ORDERED, numbered(3)));
    struct half_sent fourth = send_half(4);
    assert_false(swap_mailbox_push(&box, LINK_RELEASE, numbered(5)));
    expect(1);
    expect_nothing();
    send_the_rest(second);
    expect(2);
    expect(3);
    expect_nothing();
    send_the_rest(fourth);
    expect(4);
    assert_false(swap_mailbox_rest(&box));
    expect(5);
    assert_true(swap_mailbox_rest(&box));
}

/* Only the sender that finds an idle actor writes its first letter. */
static void test_woken_anew(void **state) {
    (void)state;
    swap_mailbox_init(&box);
    for (uintptr_t round = 1; round <= 10; round++) {
        assert_true(swap_mailbox_push(&box, LINK_RELEASE, numbered(round)));
        expect(round);
        expect_nothing();
        assert_true(swap_mailbox_rest(&box));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gap),
        cmocka_unit_test(test_sends_behind_a_gap),
        cmocka_unit_test(test_woken_anew),
    };
    return cmocka_run_group_tests_name("swap mailbox", tests, NULL, NULL);
}
