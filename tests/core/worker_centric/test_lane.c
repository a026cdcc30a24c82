/* A lane: one sender, one consumer at a time; in order, once, whatever the sizes. */
#include <pthread.h>

#include "numbered.h"
#include "worker_centric/lane.h"

enum { SENDS = 200000 };

static struct lane *lane;
static struct block_pool pool;
static struct run_queue runs;

static int start(void **state) {
    (void)state;
    pool = (struct block_pool){.first = NULL};
    run_queue_init(&runs, &pool);
    lane = lane_make(producer_claim());
    next_number = 1;
    return 0;
}

static int end(void **state) {
    (void)state;
    lane_free(lane);
    producers_release();
    block_free_chain(runs.first);
    block_pool_release(&pool);
    block_depot_release();
    return 0;
}

/* Takes what is taken at a time, and sees that these are the next. */
static void take(void) {
    uintptr_t first = next_number;
    uint64_t waiting = lane_count(lane), taken = lane_take(lane, waiting, &runs, &pool);
    assert_in_range(taken, 1, waiting);
    assert_in_range(lane_count(lane), waiting - taken, UINT64_MAX); /* a sender may go on */
    assert_int_equal(run_queue_length(&runs), taken);
    (void)run_queue_run(&runs, &pool, SIZE_MAX, run_next);
    assert_int_equal(next_number, first + taken);
}

/* Every count up to many blocks, in steps of every size. */
static void test_in_order(void **state) {
    (void)state;
    uintptr_t sent = 0;
    for (size_t step = 1; step <= (LANE_BLOCKS + 2) * BLOCK_ENVELOPES; step += 13)
        for (unsigned round = 0; round < 8; round++) {
            for (size_t i = 0; i < step; i++)
                lane_send(lane, numbered(++sent));
            assert_int_equal(lane_count(lane), step);
            assert_int_equal(lane_count_before_sleep(lane), step);
            while (lane_count(lane) != 0)
                take();
        }
}

/* More comes before all has been taken, wherever in a block it begins and ends. */
static void test_in_parts(void **state) {
    (void)state;
    uintptr_t sent = 0;
    for (size_t part = 1; part <= 2 * BLOCK_ENVELOPES; part += 7)
        for (unsigned round = 0; round < 8; round++) {
            for (size_t i = 0; i < part; i++)
                lane_send(lane, numbered(++sent));
            take();
        }
    while (lane_count(lane) != 0)
        take();
    assert_int_equal(next_number, sent + 1);
}

/* Where whole blocks wait, these are taken, and no envelope is copied; then the rest. */
static void test_whole_blocks(void **state) {
    (void)state;
    for (uintptr_t number = 1; number <= 2 * BLOCK_ENVELOPES + 1; number++)
        lane_send(lane, numbered(number));
    const struct block *first = lane->first;
    assert_int_equal(lane_take(lane, lane_count(lane), &runs, &pool), 2 * BLOCK_ENVELOPES);
    assert_ptr_equal(runs.first->next, first);
    assert_ptr_equal(runs.last, first->next);
    assert_int_equal(lane_take(lane, lane_count(lane), &runs, &pool), 1);
    assert_int_equal(lane_count(lane), 0);
}

/* Blocks that have been emptied are filled again: what goes round is what the consumer's pool keeps, and a list of the depot. */
static void test_blocks_come_back(void **state) {
    (void)state;
    enum { BLOCKS = 5 * SPARE_BLOCKS };
    static const struct block *filled[2 * BLOCKS];
    uintptr_t sent = 0;
    size_t different = 0;
    for (size_t i = 0; i < LENGTH(filled); i++) {
        const struct block *block = lane->last;
        size_t seen = 0;
        while (seen < different && filled[seen] != block)
            seen++;
        if (seen == different)
            filled[different++] = block;
        while (lane->last == block)
            lane_send(lane, numbered(++sent));
        while (lane_count(lane) != 0)
            take();
    }
    assert_in_range(different, 1, BLOCKS);
}

/* Behind what is in the run queue. */
static void test_taken_to_the_end(void **state) {
    (void)state;
    for (uintptr_t number = 1; number < BLOCK_ENVELOPES; number++)
        run_queue_append(&runs, &pool, numbered(number));
    for (uintptr_t number = BLOCK_ENVELOPES; number <= 3 * BLOCK_ENVELOPES; number++)
        lane_send(lane, numbered(number));
    while (lane_count(lane) != 0)
        (void)lane_take(lane, lane_count(lane), &runs, &pool);
    run_queue_append(&runs, &pool, numbered(3 * BLOCK_ENVELOPES + 1));
    assert_int_equal(run_queue_run(&runs, &pool, SIZE_MAX, run_next), 3 * BLOCK_ENVELOPES + 1);
}

/* What nobody took is given back; the leak sanitizer looks on. */
static void test_freed_with_messages(void **state) {
    (void)state;
    for (uintptr_t number = 1; number <= 3 * BLOCK_ENVELOPES; number++)
        lane_send(lane, numbered(number));
    take();
    lane_free(NULL);
}

/* Nor is a block of a slab that comes back from a worker freed apart, once the producer has it. */
static void test_blocks_of_a_slab(void **state) {
    (void)state;
    struct block *kept[KEPT_BLOCKS + SPARE_BLOCKS]; /* a list of them goes to the depot */
    for (size_t i = 0; i < LENGTH(kept); i++)
        kept[i] = block_take_kept(&pool);
    for (size_t i = 0; i < LENGTH(kept); i++)
        block_give(&pool, kept[i]);
    uintptr_t sent = 0;
    while (!lane->last->is_in_slab) {
        lane_send(lane, numbered(++sent));
        take();
    }
}

/* ---- Backpressure -------------------------------------------------------------------------------------------------- */

static void send_blocks(unsigned blocks) {
    for (uintptr_t number = 0; number < blocks * (uintptr_t)BLOCK_ENVELOPES; number++)
        lane_send(lane, numbered(1));
}

/* Waits in vain come ever more rarely: before the first block that is allocated too far ahead, the third, the seventh. */
static void test_waits_in_vain_are_rare(void **state) {
    (void)state;
    send_blocks(MOST_AHEAD + 1);
    assert_int_equal(lane->vain, 0);
    const uint32_t after[] = {1, 1, 3, 3, 3, 3, 7, 7};
    for (size_t i = 0; i < LENGTH(after); i++) {
        send_blocks(1);
        assert_int_equal(lane->vain, after[i]);
    }
    assert_int_equal(lane_count(lane), (MOST_AHEAD + 1 + LENGTH(after)) * BLOCK_ENVELOPES);
}

/* All lanes of a producer share what may wait, but as much as is taken at a time may wait in each. */
static void test_lanes_share_what_may_wait(void **state) {
    (void)state;
    lane->producer->lanes = 2;
    send_blocks(MOST_AHEAD / 2 + 1);
    assert_int_equal(lane->vain, 0);
    send_blocks(1);
    assert_int_equal(lane->vain, 1);
    lane->producer->lanes = MOST_AHEAD;
    (void)lane_take(lane, lane_count(lane), &runs, &pool);
    while (lane_count(lane) > LANE_BLOCKS * BLOCK_ENVELOPES)
        (void)lane_take(lane, lane_count(lane), &runs, &pool);
    lane_let_catch_up(lane);
    assert_int_equal(lane->vain, 0);
}

static void *take_all(void *unused) {
    (void)unused;
    while (lane_count(lane) != 0)
        (void)lane_take(lane, lane_count(lane), &runs, &pool);
    return NULL;
}

/* Who is waited for and comes closer is waited for again; the watchdog ends it, should that not be seen. */
static void test_a_wait_that_pays(void **state) {
    (void)state;
    send_blocks(MOST_AHEAD + 2);
    assert_int_equal(lane->vain, 1);
    pthread_t taker;
    watchdog_start(60, "a lane's producer");
    assert_int_equal(pthread_create(&taker, NULL, take_all, NULL), 0);
    while (lane->vain != 0)
        lane_let_catch_up(lane);
    assert_int_equal(pthread_join(taker, NULL), 0);
    watchdog_stop();
    assert_int_equal(lane->skip, 0);
}

/* ---- Two threads --------------------------------------------------------------------------------------------------- */

static void *send_all(void *unused) {
    (void)unused;
    for (uintptr_t number = 1; number <= SENDS; number++)
        lane_send(lane, numbered(number));
    return NULL;
}

static void concurrently(bool light) {
    bool before = asymmetric.is_light;
    asymmetric.is_light = light;
    next_number = 1;
    pthread_t sender;
    watchdog_start(60, "a lane's two ends");
    assert_int_equal(pthread_create(&sender, NULL, send_all, NULL), 0);
    while (next_number <= SENDS) {
        if (lane_count(lane) == 0)
            cpu_yield();
        else
            take();
    }
    assert_int_equal(pthread_join(sender, NULL), 0);
    watchdog_stop();
    assert_int_equal(lane_count(lane), 0);
    asymmetric.is_light = before;
}

static void test_two_threads(void **state) {
    (void)state;
    concurrently(true);
    concurrently(false);
}

#define ON_A_LANE(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_LANE(test_in_order),
        ON_A_LANE(test_in_parts),
        ON_A_LANE(test_whole_blocks),
        ON_A_LANE(test_blocks_come_back),
        ON_A_LANE(test_taken_to_the_end),
        ON_A_LANE(test_freed_with_messages),
        ON_A_LANE(test_blocks_of_a_slab),
        ON_A_LANE(test_waits_in_vain_are_rare),
        ON_A_LANE(test_lanes_share_what_may_wait),
        ON_A_LANE(test_a_wait_that_pays),
        ON_A_LANE(test_two_threads),
    };
    return cmocka_run_group_tests_name("lane", tests, NULL, NULL);
}
