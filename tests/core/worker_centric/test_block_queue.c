/* The block queue: envelopes and whole blocks come out once, in order, and what is put back in front comes first. */
#include "numbered.h"
#include "worker_centric/block_queue.h"
#include "worker_centric/pool.h"

static struct block_queue queue;
static uintptr_t last_number;

static int start(void **state) {
    (void)state;
    block_queue_init(&queue);
    next_number = 1;
    last_number = 0;
    return 0;
}

static int end(void **state) {
    (void)state;
    block_queue_destroy(&queue);
    return 0;
}

static struct block *block_of(size_t count) {
    struct block *block = block_take(NULL);
    while (count-- > 0)
        block_put(block, numbered(++last_number));
    return block;
}

static void put(size_t count) {
    while (count-- > 0) {
        if (!block_queue_has_room(&queue))
            block_queue_append(&queue, block_take(NULL));
        block_queue_put(&queue, numbered(++last_number));
    }
}

static size_t count(void) {
    return atomic_load_relaxed(&queue.count);
}

/* Takes all, leaving a block or NULL, and expects so many in the order of their numbers. */
static void take_leaving(struct block *empty, size_t expected) {
    assert_int_equal(count(), expected);
    struct block_chain chain = block_queue_take(&queue, empty);
    assert_int_equal(chain.count, expected);
    assert_ptr_equal(queue.first, empty);
    assert_ptr_equal(queue.last, empty);
    assert_int_equal(count(), 0);
    assert_null(chain.last->next);
    size_t seen = 0;
    for (const struct block *block = chain.first; block != NULL; block = block->next)
        for (uint32_t i = 0; i < block->count; i++, seen++)
            expect_next(block->envelopes[i]);
    assert_int_equal(seen, expected);
    block_free_chain(chain.first);
}

static void take(size_t expected) {
    take_leaving(block_take(NULL), expected);
}

static void test_sizes(void **state) {
    (void)state;
    assert_false(block_queue_has_room(&queue));
    static const size_t sizes[] = {1, BLOCK_ENVELOPES - 1, BLOCK_ENVELOPES, BLOCK_ENVELOPES + 1,
                                   3 * BLOCK_ENVELOPES + 2};
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (size_t j = 0; j < LENGTH(sizes); j++) {
            put(sizes[i]);
            assert_int_equal(count(), sizes[i]);
            put(sizes[j]);
            take(sizes[i] + sizes[j]);
            assert_true(block_queue_has_room(&queue)); /* the empty block that was left there */
        }
}

/* Behind a block that is partly full, or empty, what is put goes on in the last one. */
static void test_whole_blocks(void **state) {
    (void)state;
    put(2);
    block_queue_append(&queue, block_of(3));
    assert_true(block_queue_has_room(&queue));
    put(1);
    block_queue_append(&queue, block_of(BLOCK_ENVELOPES));
    assert_false(block_queue_has_room(&queue));
    block_queue_append(&queue, block_of(0));
    put(1);
    take(2 + 3 + 1 + BLOCK_ENVELOPES + 1);
}

/* A queue that was left without a block is one that has never had any. */
static void test_nothing_left(void **state) {
    (void)state;
    put(BLOCK_ENVELOPES + 1);
    take_leaving(NULL, BLOCK_ENVELOPES + 1);
    assert_false(block_queue_has_room(&queue));
    block_queue_append(&queue, block_of(3));
    take_leaving(NULL, 3);
    put(2);
    take(2);
}

/* What goes back is older than what is there. */
static void test_prepend(void **state) {
    (void)state;
    for (size_t there = 0; there < 3; there++) {
        struct block *first = block_of(BLOCK_ENVELOPES), *last = block_of(2);
        first->next = last;
        put(there);
        block_queue_prepend(&queue, (struct block_chain){first, last, BLOCK_ENVELOPES + 2});
        put(1);
        take(BLOCK_ENVELOPES + 2 + there + 1);
    }
}

static void test_prepend_to_a_queue_without_blocks(void **state) {
    (void)state;
    struct block *block = block_of(2);
    block_queue_prepend(&queue, (struct block_chain){block, block, 2});
    put(1);
    take(3);
}

/* Destroying a queue releases what is still in it; the leak sanitizer looks on. */
static void test_destroy_with_messages(void **state) {
    (void)state;
    put(3 * BLOCK_ENVELOPES);
    block_queue_destroy(&queue);
}

#define ON_A_QUEUE(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_QUEUE(test_sizes),
        ON_A_QUEUE(test_whole_blocks),
        ON_A_QUEUE(test_nothing_left),
        ON_A_QUEUE(test_prepend),
        ON_A_QUEUE(test_prepend_to_a_queue_without_blocks),
        ON_A_QUEUE(test_destroy_with_messages),
    };
    return cmocka_run_group_tests_name("block queue", tests, NULL, NULL);
}
