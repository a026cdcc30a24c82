/* The run queue: what is appended runs once, in order, over the ends of blocks, in the midst of a run, up to one that is left. */
#include "numbered.h"
#include "worker_centric/run_queue.h"

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
    block_depot_release();
    return 0;
}

static void send(size_t count) {
    while (count-- > 0)
        run_queue_append(&queue, &pool, numbered(++last_sent));
}

static size_t run(size_t most) {
    return run_queue_run(&queue, &pool, most, run_next);
}

static void test_over_blocks(void **state) {
    (void)state;
    const size_t counts[] = {1, BLOCK_ENVELOPES - 1, BLOCK_ENVELOPES, BLOCK_ENVELOPES + 1, 5 * BLOCK_ENVELOPES + 3};
    for (size_t i = 0; i < 4 * LENGTH(counts); i++) {
        size_t count = counts[i % LENGTH(counts)];
        send(count);
        assert_false(run_queue_is_empty(&queue));
        assert_int_equal(run_queue_length(&queue), count);
        assert_int_equal(run(SIZE_MAX), count);
        assert_int_equal(next_number, last_sent + 1);
        assert_true(run_queue_is_empty(&queue));
        assert_int_equal(run_queue_length(&queue), 0);
    }
}

/* No more than are asked for, wherever that ends; the length says what is left. */
static void test_bounded_runs(void **state) {
    (void)state;
    const size_t bounds[] = {1, 2, BLOCK_ENVELOPES - 1, BLOCK_ENVELOPES, BLOCK_ENVELOPES + 1, 1000};
    for (size_t i = 0; i < LENGTH(bounds); i++) {
        size_t left = 3 * BLOCK_ENVELOPES + 5, more = 100;
        send(left);
        while (left != 0) {
            size_t expected = left < bounds[i] ? left : bounds[i];
            assert_int_equal(run(bounds[i]), expected);
            left -= expected;
            assert_int_equal(run_queue_length(&queue), left);
            if (more != 0) {
                more--;
                left += 2;
                send(2);
                assert_int_equal(run_queue_length(&queue), left);
            }
        }
        assert_int_equal(run(bounds[i]), 0);
    }
}

static bool run_and_send_one(const struct envelope *place) {
    if (last_sent < 10 * BLOCK_ENVELOPES)
        send(1);
    return run_next(place);
}

/* A behaviour that sends one on: a run goes on with it, up to its bound. */
static void test_sends_in_a_run(void **state) {
    (void)state;
    send(1);
    assert_int_equal(run_queue_run(&queue, &pool, 3 * BLOCK_ENVELOPES, run_and_send_one), 3 * BLOCK_ENVELOPES);
    assert_int_equal(run_queue_length(&queue), 1);
    assert_int_equal(run_queue_run(&queue, &pool, SIZE_MAX, run_and_send_one), 7 * BLOCK_ENVELOPES);
    assert_int_equal(next_number, 10 * BLOCK_ENVELOPES + 1);
}

static bool leave_each_sixth(const struct envelope *place) {
    static bool has_left;
    has_left = number_of(*place) % 6 == 0 && !has_left;
    return !has_left && run_next(place);
}

/* A run ends before the envelope that is left, wherever in a block it stands; the next run begins with it. */
static void test_leaving(void **state) {
    (void)state;
    enum { COUNT = 6 * BLOCK_ENVELOPES };
    send(COUNT);
    assert_int_equal(run_queue_run(&queue, &pool, SIZE_MAX, leave_each_sixth), 5);
    for (size_t ran = 5; ran + 1 < COUNT; ran += 6) {
        assert_int_equal(run_queue_length(&queue), COUNT - ran);
        assert_int_equal(run_queue_run(&queue, &pool, SIZE_MAX, leave_each_sixth), 6);
    }
    assert_int_equal(run(SIZE_MAX), 1);
}

/* Blocks from a mailbox come behind what is there, and what is sent next behind them. */
static void test_blocks_from_a_mailbox(void **state) {
    (void)state;
    send(2);
    struct block *first = block_take(&pool), *empty = block_take(&pool), *last = block_take(&pool);
    first->next = empty;
    empty->next = last;
    block_put(first, numbered(++last_sent));
    block_put(last, numbered(++last_sent));
    run_queue_append_chain(&queue, (struct block_chain){first, last, 2});
    assert_int_equal(run_queue_length(&queue), 4);
    send(1);
    assert_int_equal(run_queue_length(&queue), 5);
    assert_int_equal(run(SIZE_MAX), 5);
    assert_int_equal(next_number, 6);
}

/* A block in front, wherever the queue has been run to, comes before what is left. */
static void test_block_in_front(void **state) {
    (void)state;
    const size_t counts[] = {1, 2, BLOCK_ENVELOPES, BLOCK_ENVELOPES + 1, 3 * BLOCK_ENVELOPES};
    for (size_t i = 0; i < LENGTH(counts); i++)
        for (size_t ran = 0; ran <= counts[i]; ran += counts[i] > 2 ? BLOCK_ENVELOPES / 2 : 1) {
            size_t left = counts[i] - ran;
            send(ran);
            last_sent += 2; /* those in front */
            send(left);
            assert_int_equal(ran == 0 ? 0 : run(ran), ran);
            struct block *front = block_take(&pool);
            block_put(front, numbered(last_sent - left - 1));
            block_put(front, numbered(last_sent - left));
            run_queue_prepend(&queue, front);
            assert_int_equal(run_queue_length(&queue), left + 2);
            send(1);
            assert_int_equal(run(SIZE_MAX), left + 3);
            assert_int_equal(next_number, last_sent + 1);
            assert_true(run_queue_is_empty(&queue));
        }
}

static void test_room(void **state) {
    (void)state;
    const struct run_queue none = {0}; /* of a thread that is no worker, whose sends go elsewhere */
    assert_false(run_queue_has_room(&none));
    assert_int_equal(run_queue_make_room(&queue, &pool, 3), 3);
    assert_int_equal(run_queue_make_room(&queue, &pool, SIZE_MAX), BLOCK_ENVELOPES);
    send(BLOCK_ENVELOPES - 2);
    assert_int_equal(run_queue_make_room(&queue, &pool, 3), 2);
    send(2);
    assert_false(run_queue_has_room(&queue));
    assert_int_equal(run_queue_make_room(&queue, &pool, 3), 3);
    assert_int_equal(run_queue_length(&queue), BLOCK_ENVELOPES);
    assert_int_equal(run(SIZE_MAX), BLOCK_ENVELOPES);
}

/* Emptied blocks of its own are used again, and stay. */
static void test_own_blocks(void **state) {
    (void)state;
    enum { BLOCKS = 10 };
    send(BLOCKS * BLOCK_ENVELOPES);
    unsigned fresh = pool.fresh;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(run(SIZE_MAX), BLOCKS * BLOCK_ENVELOPES);
        send(BLOCKS * BLOCK_ENVELOPES);
    }
    assert_in_range(pool.fresh, fresh - 1, fresh);
    assert_int_equal(pool.count, 0);
}

/* What another thread has filled a part of is run, but not filled further, and goes on to other workers. */
static void test_foreign_block(void **state) {
    (void)state;
    struct block *foreign = block_take(NULL);
    send(2);
    block_put(foreign, numbered(++last_sent));
    run_queue_append_foreign(&queue, (struct block_chain){foreign, foreign, 1});
    assert_int_equal(run_queue_length(&queue), 3);
    assert_false(run_queue_has_room(&queue));
    send(2);
    assert_int_equal(foreign->count, 1);
    assert_ptr_not_equal(queue.last, foreign);
    assert_int_equal(run(SIZE_MAX), 5);
    assert_int_equal(next_number, last_sent + 1);
    assert_ptr_equal(block_take(&pool), foreign);
    block_give(&pool, foreign);
}

#define ON_A_QUEUE(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_QUEUE(test_over_blocks), ON_A_QUEUE(test_bounded_runs),          ON_A_QUEUE(test_sends_in_a_run),
        ON_A_QUEUE(test_leaving),     ON_A_QUEUE(test_blocks_from_a_mailbox), ON_A_QUEUE(test_room),
        ON_A_QUEUE(test_own_blocks),  ON_A_QUEUE(test_block_in_front),        ON_A_QUEUE(test_foreign_block),
    };
    return cmocka_run_group_tests_name("run queue", tests, NULL, NULL);
}
