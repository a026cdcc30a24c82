/* The run queue: what is appended runs once, in order, over the ends of blocks, and in the midst of a run. */
#include "envelopes.h"
#include "message_centric/run_queue.h"

static struct block_pool pool;
static struct run_queue queue;
static uintptr_t last_sent;

static int start(void **state) {
    (void)state;
    pool = (struct block_pool){.first = NULL};
    run_queue_init(&queue, &pool);
    next_number = 1;
    last_sent = 0;
    return 0;
}

static int end(void **state) {
    (void)state;
    block_free_chain(queue.first);
    block_pool_release(&pool);
    return 0;
}

static void send(size_t count) {
    while (count-- > 0)
        run_queue_append(&queue, &pool, numbered(++last_sent));
}

static void test_over_blocks(void **state) {
    (void)state;
    const size_t counts[] = {1, BLOCK_ENVELOPES - 1, BLOCK_ENVELOPES, BLOCK_ENVELOPES + 1, 5 * BLOCK_ENVELOPES + 3};
    for (size_t i = 0; i < LENGTH(counts); i++)
        for (unsigned ahead = 0; ahead < 4; ahead++) {
            send(counts[i]);
            assert_false(run_queue_is_empty(&queue));
            assert_int_equal(run_queue_is_longer(&queue, 3), counts[i] > 3 * BLOCK_ENVELOPES);
            assert_int_equal(run_queue_run(&queue, &pool, ahead, expect_next), counts[i]);
            assert_int_equal(next_number, last_sent + 1);
            assert_true(run_queue_is_empty(&queue));
        }
}

static void expect_and_send_one(struct envelope envelope) {
    expect_next(envelope);
    if (last_sent < 10 * BLOCK_ENVELOPES)
        send(1);
}

/* A behaviour that sends one on: runs go on in the block that was the last, and end after it. */
static void test_sends_in_a_run(void **state) {
    (void)state;
    send(1);
    assert_int_equal(run_queue_run(&queue, &pool, 8, expect_and_send_one), BLOCK_ENVELOPES);
    assert_false(run_queue_is_empty(&queue));
    while (!run_queue_is_empty(&queue))
        (void)run_queue_run(&queue, &pool, 8, expect_and_send_one);
    assert_int_equal(next_number, 10 * BLOCK_ENVELOPES + 1);
}

/* Blocks from a mailbox come behind what is there, and what is sent next behind them. */
static void test_blocks_from_a_mailbox(void **state) {
    (void)state;
    send(2);
    struct block *first = block_take(&pool), *second = block_take(&pool);
    first->next = second;
    block_put(first, numbered(++last_sent));
    block_put(second, numbered(++last_sent));
    run_queue_append_blocks(&queue, first, second);
    send(1);
    assert_int_equal(run_queue_run(&queue, &pool, 0, expect_next), 5);
    assert_int_equal(next_number, 6);
}

/* A shut queue has no room, so that a send looks further. */
static void test_shut(void **state) {
    (void)state;
    run_queue_shut(&queue);
    assert_false(run_queue_has_room(&queue));
    assert_true(run_queue_is_empty(&queue));
    run_queue_open(&queue);
    assert_true(run_queue_has_room(&queue));
    send(3);
    assert_int_equal(run_queue_run(&queue, &pool, 0, expect_next), 3);
}

/* Emptied blocks are used again, and no more than SPARE_BLOCKS are kept. */
static void test_spare_blocks(void **state) {
    (void)state;
    send((SPARE_BLOCKS + 10) * BLOCK_ENVELOPES);
    (void)run_queue_run(&queue, &pool, 0, expect_next);
    assert_int_equal(pool.count, SPARE_BLOCKS);
    send(10 * BLOCK_ENVELOPES);
    assert_in_range(pool.count, SPARE_BLOCKS - 10, SPARE_BLOCKS - 9);
    (void)run_queue_run(&queue, &pool, 0, expect_next);
}

#define ON_A_QUEUE(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_QUEUE(test_over_blocks), ON_A_QUEUE(test_sends_in_a_run), ON_A_QUEUE(test_blocks_from_a_mailbox),
        ON_A_QUEUE(test_shut),        ON_A_QUEUE(test_spare_blocks),
    };
    return cmocka_run_group_tests_name("run queue", tests, NULL, NULL);
}
