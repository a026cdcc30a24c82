/* The chunk mailbox: letters over several chunks, and the gaps that a sender leaves between its two steps. */
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
    free(box.first); /* of an idle actor, which does not end */
}

/* A chunk that was filled and read to its end is kept until the next is there: it holds the link. */
static void test_a_full_chunk_is_the_last(void **state) {
    (void)state;
    chunk_mailbox_init(&box);
    for (uintptr_t number = 1; number <= LETTERS_A_CHUNK; number++)
        (void)chunk_mailbox_push(&box, numbered(number));
    struct chunk *full = box.first;
    expect(1, LETTERS_A_CHUNK);
    assert_true(chunk_mailbox_rest(&box));
    assert_true(chunk_mailbox_push(&box, numbered(99)));
    assert_ptr_equal(box.first, full);
    expect(99, 99);
    assert_ptr_not_equal(box.first, full);
    assert_int_equal(chunk_mailbox_destroy(&box), 0);
}

/* ---- Gaps --------------------------------------------------------------------------------------------------------- */

/* A sender that has taken a place, and gone no further; the word before. */
static uintptr_t begin_push(void) {
    uintptr_t end = atomic_load_relaxed(&box.end);
    assert_true(atomic_cas_acq_rel(&box.end, &end, end + 1));
    return end;
}

/* What a reader finds at a gap; `looked` when it has done so. */
static ATOMIC(uint32_t) looked;
static bool found_early, rested, found;
static struct letter found_letter;

static void *read_across(void *unused) {
    found_early = chunk_mailbox_next(&box, &found_letter);
    atomic_store_release(&looked, 1);
    rested = chunk_mailbox_rest(&box); /* waits for the sender */
    found = chunk_mailbox_next(&box, &found_letter);
    return unused;
}

/* Has a thread read at a gap, and waits until it does. */
static pthread_t begin_read(void) {
    pthread_t reader;
    atomic_initialise(&looked, 0);
    assert_int_equal(pthread_create(&reader, NULL, read_across, NULL), 0);
    AWAIT(atomic_load_acquire(&looked) == 1);
    pause_ns(1000000);
    return reader;
}

/* The sender has done its second step: the reader finds its letter then, and neither the end nor another letter before. */
static void expect_across(pthread_t reader, uintptr_t number) {
    assert_int_equal(pthread_join(reader, NULL), 0);
    assert_false(found_early);
    assert_false(rested);
    assert_true(found);
    assert_int_equal(number_of(found_letter), number);
}

static void test_a_place_that_is_not_filled(void **state) {
    (void)state;
    watchdog_start(20, "a gap in a chunk");
    chunk_mailbox_init(&box);
    assert_true(chunk_mailbox_push(&box, numbered(1)));
    expect(1, 1);
    uintptr_t end = begin_push();
    assert_false(chunk_mailbox_push(&box, numbered(3)));
    pthread_t reader = begin_read();
    chunk_fill(&box.first->places[end & CHUNK_TAKEN], numbered(2));
    expect_across(reader, 2);
    expect(3, 3);
    assert_int_equal(chunk_mailbox_destroy(&box), 0);
    watchdog_stop();
}

/* The next chunk is there, and not linked yet. */
static void test_a_chunk_that_is_not_linked(void **state) {
    (void)state;
    struct chunk_mailbox other;
    watchdog_start(20, "a gap between chunks");
    chunk_mailbox_init(&box);
    chunk_mailbox_init(&other);
    for (uintptr_t number = 1; number <= LETTERS_A_CHUNK; number++)
        (void)chunk_mailbox_push(&box, numbered(number));
    expect(1, LETTERS_A_CHUNK);
    (void)chunk_mailbox_push(&other, numbered(2)); /* makes a chunk */
    atomic_store_release(&box.end, (uintptr_t)other.first | 1);
    pthread_t reader = begin_read();
    atomic_store_release(&box.first->next, other.first);
    expect_across(reader, 2);
    assert_int_equal(chunk_mailbox_destroy(&box), 0);
    watchdog_stop();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_chunks),
        cmocka_unit_test(test_a_full_chunk_is_the_last),
        cmocka_unit_test(test_a_place_that_is_not_filled),
        cmocka_unit_test(test_a_chunk_that_is_not_linked),
    };
    return cmocka_run_group_tests_name("chunk mailbox", tests, NULL, NULL);
}
