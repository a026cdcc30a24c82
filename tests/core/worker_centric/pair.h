/* Two workers made by hand, with four mailboxes each, for tests of what they hold, pass on and give to each other. */
#ifndef ACTORBENCH_TESTS_WORKER_CENTRIC_PAIR_H
#define ACTORBENCH_TESTS_WORKER_CENTRIC_PAIR_H

#include "sharded/workers.h"

enum { SHARE = 4, SECOND = SHARE }; /* the mailboxes of the second begin there */

static struct worker *first, *second;
static struct worker elsewhere; /* none of the two */

static inline int make_pair(void **state) {
    (void)state;
    executor.options = (struct options){.steal = STEAL_LONGEST};
    make_workers(2, SHARE);
    first = &executor.workers[0];
    second = &executor.workers[1];
    return 0;
}

/* From elsewhere, to a mailbox's queue: `count` messages with numbers from `number` on. */
static inline void queue_up(unsigned mailbox, uintptr_t number, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(box_append(&boxes[mailbox], to(mailbox, number + i)), NO_SLEEPER);
}

/* From a behaviour of the worker. */
static inline void send(struct worker *worker, unsigned mailbox, uintptr_t number) {
    run_queue_append(&worker->runs, &worker->pool, to(mailbox, number));
}

/* The same by a lane of this thread's, made for the first. */
static inline void send_by_lane(unsigned mailbox, uintptr_t number, unsigned count) {
    if (lane_at(&boxes[mailbox].lanes) == NULL)
        atomic_store_relaxed(&boxes[mailbox].lanes, lane_make(producer_claim()));
    for (unsigned i = 0; i < count; i++)
        lane_send(lane_at(&boxes[mailbox].lanes), to(mailbox, number + i));
}

/* ---- What came out ------------------------------------------------------------------------------------------------ */

static uintptr_t seen[2048];
static size_t seen_count;

static inline bool see(const struct envelope *place) {
    assert_in_range(seen_count, 0, LENGTH(seen) - 1);
    seen[seen_count++] = number_of(*place);
    return true;
}

static inline void expect_seen(size_t count, ...) {
    va_list numbers;
    va_start(numbers, count);
    assert_int_equal(seen_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(seen[i], va_arg(numbers, int));
    va_end(numbers);
    seen_count = 0;
}

/* The same of so many numbers in a row. */
static inline void expect_seen_from(uintptr_t number, size_t count) {
    assert_int_equal(seen_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(seen[i], number + i);
    seen_count = 0;
}

/* Sees what is in a worker's run queue. */
static inline void run_all(struct worker *worker) {
    (void)run_queue_run(&worker->runs, &worker->pool, SIZE_MAX, see);
    assert_true(run_queue_is_empty(&worker->runs));
}

/* Sees what is in a mailbox's queue, as another worker that takes it; false if it is held. */
static inline bool take(unsigned mailbox) {
    struct mailbox *box = &boxes[mailbox];
    if (!mailbox_hold(box, &elsewhere))
        return false;
    for (const struct block *block = box->queue.first; block != NULL; block = block->next)
        for (uint32_t i = 0; i < block->count; i++)
            (void)see(&block->envelopes[i]);
    box_empty(box);
    mailbox_release(box);
    return true;
}

#define WITH_A_PAIR(test) cmocka_unit_test_setup_teardown(test, make_pair, release_workers)

#endif
