/* The chunk mailbox: letters over several chunks, counts that wrap, and the last sender, who may still hold the lock. */
#include <pthread.h>

#include "letters.h"

static struct chunk_mailbox box;

static void expect(uintptr_t first, uintptr_t last) {
    struct letter letter = {0};
    for (uintptr_t number = first; number <= last; number++) {
        assert_true(chunk_mailbox_next(&box, &letter));
        assert_int_equal(number_of(letter), number);
    }
}

/* Bursts of every size up to three chunks, so that ends of chunks and of bursts meet in every way. */
static void test_many_chunks(void **state) {
    (void)state;
    struct letter letter = {0};
    uintptr_t sent = 0, read = 0;
    chunk_mailbox_init(&box);
    for (unsigned burst = 1; burst <= 3 * LETTERS_A_CHUNK; burst++) {
        for (unsigned i = 0; i < burst; i++)
            assert_int_equal(chunk_mailbox_push(&box, numbered(++sent)), i == 0);
        expect(read + 1, sent);
        read = sent;
        assert_false(chunk_mailbox_next(&box, &letter));
        assert_true(chunk_mailbox_rest(&box));
    }
    assert_int_equal(chunk_mailbox_destroy(&box), 0);
}

/* A chunk that was filled and read to its end is kept until the next is there: it holds the link. */
static void test_a_full_chunk_is_the_last(void **state) {
    (void)state;
    chunk_mailbox_init(&box);
    for (uintptr_t number = 1; number <= LETTERS_A_CHUNK; number++)
        (void)chunk_mailbox_push(&box, numbered(number));
    expect(1, LETTERS_A_CHUNK);
    assert_ptr_equal(box.first, box.last);
    assert_true(chunk_mailbox_rest(&box));
    assert_true(chunk_mailbox_push(&box, numbered(99)));
    assert_ptr_not_equal(box.first, box.last);
    expect(99, 99);
    assert_ptr_equal(box.first, box.last);
    assert_int_equal(chunk_mailbox_destroy(&box), 0);
}

static void test_counts_wrap(void **state) {
    (void)state;
    chunk_mailbox_init(&box);
    box.read = UINT32_MAX - 7;
    atomic_initialise(&box.written, UINT32_MAX - 7);
    for (uintptr_t number = 1; number <= 20; number++)
        (void)chunk_mailbox_push(&box, numbered(number));
    expect(1, 20);
    assert_true(chunk_mailbox_rest(&box));
    assert_int_equal(chunk_mailbox_destroy(&box), 0);
}

/* ---- The end ------------------------------------------------------------------------------------------------------ */

static ATOMIC(uint32_t) destroyed;

static void *destroy(void *unused) {
    (void)chunk_mailbox_destroy(&box);
    atomic_store_release(&destroyed, 1);
    return unused;
}

/* The sender of the last letter has published it, and not yet left the lock. */
static void test_destroy_awaits_the_last_sender(void **state) {
    (void)state;
    pthread_t worker;
    watchdog_start(20, "the end of a chunk mailbox");
    chunk_mailbox_init(&box);
    (void)chunk_mailbox_push(&box, numbered(1));
    expect(1, 1);
    atomic_initialise(&destroyed, 0);
    spinlock_acquire(&box.lock);
    assert_int_equal(pthread_create(&worker, NULL, destroy, NULL), 0);
    pause_ns(5000000);
    assert_int_equal(atomic_load_acquire(&destroyed), 0);
    spinlock_release(&box.lock);
    assert_int_equal(pthread_join(worker, NULL), 0);
    watchdog_stop();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_chunks),
        cmocka_unit_test(test_a_full_chunk_is_the_last),
        cmocka_unit_test(test_counts_wrap),
        cmocka_unit_test(test_destroy_awaits_the_last_sender),
    };
    return cmocka_run_group_tests_name("chunk mailbox", tests, NULL, NULL);
}
