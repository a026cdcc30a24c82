/* Holding, out-boxes and letting go, on two workers made by hand: what runs where, what goes back, and in which order. */
#include "envelopes.h"
#include "message_centric/hold.h"
#include "message_centric/sleep.h"
#include "platform/memory.h"

enum { WORKERS = 2, SHARE = 2, MAILBOXES = WORKERS * SHARE };

static struct mailbox *boxes;
static struct actor actors[MAILBOXES]; /* actor i is mailbox i's */
static struct worker *first, *second;

static int make_workers(void **state) {
    (void)state;
    executor.options = (struct message_centric_options){.queue = QUEUE_BLOCK, .local = true, .outboxes = true};
    executor.worker_count = WORKERS;
    executor.mailbox_count = MAILBOXES;
    executor.workers = memory_on_node(WORKERS * sizeof *executor.workers, CACHE_LINE, ANY_NODE, "workers");
    executor.slots = memory_zeroed(MAILBOXES, sizeof *executor.slots, "slots");
    boxes = memory_on_node(MAILBOXES * sizeof *boxes, CACHE_LINE, ANY_NODE, "mailboxes");
    for (unsigned i = 0; i < MAILBOXES; i++) {
        mailbox_init(&boxes[i], i, QUEUE_BLOCK, ANY_NODE);
        atomic_initialise(&executor.slots[i], &boxes[i]);
        atomic_initialise(&actors[i].ticket, (uintptr_t)&boxes[i]);
    }
    for (unsigned i = 0; i < WORKERS; i++) {
        executor.workers[i].index = i;
        executor.workers[i].first_slot = i * SHARE;
        executor.workers[i].slot_count = SHARE;
        run_queue_init(&executor.workers[i].runs, &executor.workers[i].pool);
        atomic_initialise(&executor.workers[i].sleeping, AWAKE);
    }
    first = &executor.workers[0];
    second = &executor.workers[1];
    return 0;
}

static int release_workers(void **state) {
    (void)state;
    for (unsigned i = 0; i < MAILBOXES; i++)
        mailbox_destroy(&boxes[i], QUEUE_BLOCK);
    for (unsigned i = 0; i < WORKERS; i++) {
        block_free_chain(executor.workers[i].runs.first);
        block_pool_release(&executor.workers[i].pool);
    }
    free(boxes);
    free(executor.slots);
    free(executor.workers);
    memset((void *)&executor, 0, sizeof executor);
    return 0;
}

static struct envelope to(unsigned mailbox, uintptr_t number) {
    struct envelope envelope = {&actors[mailbox], (struct message *)number, NULL};
    return envelope;
}

/* From elsewhere, to a mailbox's queue. */
static void queue_up(unsigned mailbox, uintptr_t number) {
    assert_int_equal(mailbox_append(&boxes[mailbox], QUEUE_BLOCK, NULL, to(mailbox, number)), NO_SLEEPER);
}

/* From a behaviour of the worker. */
static void send(struct worker *worker, unsigned mailbox, uintptr_t number) {
    run_queue_append(&worker->runs, &worker->pool, to(mailbox, number));
}

/* ---- What came out ------------------------------------------------------------------------------------------------ */

static uintptr_t seen[64];
static size_t seen_count;

static void see(struct envelope envelope) {
    seen[seen_count++] = number_of(envelope);
}

static void expect_seen(size_t count, ...) {
    va_list numbers;
    va_start(numbers, count);
    assert_int_equal(seen_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(seen[i], va_arg(numbers, int));
    va_end(numbers);
    seen_count = 0;
}

static void run_all(struct worker *worker) {
    while (!run_queue_is_empty(&worker->runs))
        (void)run_queue_run(&worker->runs, &worker->pool, 0, see);
}

/* Sees what is in a mailbox's queue, as another worker that gulps it. */
static enum gulp_result gulp(unsigned mailbox) {
    union queue local;
    struct block_pool pool = {.first = NULL};
    size_t messages = 0;
    queue_init(&local, QUEUE_BLOCK, ANY_NODE);
    enum gulp_result result = mailbox_gulp(&boxes[mailbox], QUEUE_BLOCK, &local, &messages);
    if (result == GULPED) {
        queue_drain(&local, QUEUE_BLOCK, messages, &pool, 0, see);
        mailbox_release(&boxes[mailbox]);
    }
    queue_destroy(&local, QUEUE_BLOCK);
    block_pool_release(&pool);
    return result;
}

/* ---- Tests --------------------------------------------------------------------------------------------------------- */

static void test_collect(void **state) {
    (void)state;
    assert_int_equal(hold_collect(first), 0);
    queue_up(0, 1);
    queue_up(1, 2);
    queue_up(2, 99);
    assert_int_equal(hold_collect(first), 2);
    assert_ptr_equal(hold_holder(&boxes[0]), first);
    assert_ptr_equal(hold_holder(&boxes[1]), first);
    assert_ptr_equal(hold_holder(&boxes[2]), NO_HOLDER);
    assert_int_equal(gulp(0), MISSED);
    queue_up(0, 3);
    assert_int_equal(hold_collect(first), 1);
    assert_int_equal(mailbox_count(&boxes[0]), 0);
    run_all(first);
    assert_int_equal(seen_count, 3);
    assert_int_equal(seen[2], 3);
    seen_count = 0;
    hold_leave(first, LEAVE_ALL);
}

/* What another worker processes is not taken, and comes when it lets go. */
static void test_collect_what_is_processed(void **state) {
    (void)state;
    queue_up(0, 1);
    size_t messages;
    union queue local;
    queue_init(&local, QUEUE_BLOCK, ANY_NODE);
    assert_int_equal(mailbox_gulp(&boxes[0], QUEUE_BLOCK, &local, &messages), GULPED);
    queue_up(0, 2);
    assert_int_equal(hold_collect(first), 0);
    assert_ptr_equal(hold_holder(&boxes[0]), NO_HOLDER);
    mailbox_release(&boxes[0]);
    assert_int_equal(hold_collect(first), 1);
    run_all(first);
    expect_seen(1, 2);
    hold_leave(first, LEAVE_ALL);
    queue_destroy(&local, QUEUE_BLOCK);
}

/* Before a mailbox is taken, what was sent to it while it was not held is in its queue, and what is there comes first. */
static void test_taken_after_what_was_sent(void **state) {
    (void)state;
    queue_up(0, 1);
    (void)hold_collect(first);
    hold_pass_on(first, &boxes[1], &actors[1], (struct message *)2, NULL); /* lies in an out-box */
    send(first, 1, 3);
    queue_up(1, 4); /* makes it worth taking */
    assert_int_equal(hold_collect(first), 1);
    run_all(first);
    expect_seen(4, 1, 4, 2, 3);
    hold_leave(first, LEAVE_ALL);
}

static void test_leave_all(void **state) {
    (void)state;
    queue_up(0, 1);
    (void)hold_collect(first);
    send(first, 0, 2);
    send(first, 2, 3); /* another worker's */
    queue_up(0, 4);
    hold_leave(first, LEAVE_ALL);
    assert_true(run_queue_is_empty(&first->runs));
    assert_ptr_equal(hold_holder(&boxes[0]), NO_HOLDER);
    assert_null(first->held);
    assert_int_equal(gulp(0), GULPED);
    expect_seen(3, 1, 2, 4); /* what goes back is in front of what came meanwhile */
    assert_int_equal(gulp(2), GULPED);
    expect_seen(1, 3);
}

/* Only what is no longer in the worker's slots leaves. */
static void test_leave_stolen(void **state) {
    (void)state;
    queue_up(0, 1);
    queue_up(1, 2);
    (void)hold_collect(first);
    send(first, 0, 3);
    send(first, 1, 4);
    hold_leave(first, LEAVE_STOLEN);
    assert_ptr_equal(hold_holder(&boxes[0]), first);
    assert_true(slots_swap(&executor.slots[3], &boxes[3], &executor.slots[0], &boxes[0]));
    assert_int_equal(hold_collect(second), 0); /* still the first one's */
    hold_leave(first, LEAVE_STOLEN);
    assert_ptr_equal(hold_holder(&boxes[0]), NO_HOLDER);
    assert_ptr_equal(hold_holder(&boxes[1]), first);
    run_all(first);
    expect_seen(2, 2, 4);
    assert_int_equal(hold_collect(second), 1);
    assert_ptr_equal(hold_holder(&boxes[0]), second);
    run_all(second);
    expect_seen(2, 1, 3);
    hold_leave(first, LEAVE_ALL);
    hold_leave(second, LEAVE_ALL);
}

/* Who sleeps on a mailbox is woken by what goes back to it. */
static void test_leaving_wakes(void **state) {
    (void)state;
    queue_up(0, 1);
    (void)hold_collect(first);
    atomic_store_relaxed(&boxes[0].sleeper, 1);
    atomic_store_relaxed(&second->sleeping, ASLEEP);
    hold_leave(first, LEAVE_ALL);
    assert_int_equal(atomic_load_relaxed(&second->sleeping), AWAKE);
    assert_int_equal(atomic_load_relaxed(&boxes[0].sleeper), NO_SLEEPER);
    assert_int_equal(gulp(0), GULPED);
    expect_seen(1, 1);
}

/* A full out-box is appended; the rest when it is flushed; mailboxes that share an out-box do not mix. */
static void test_outboxes(void **state) {
    (void)state;
    for (uintptr_t number = 1; number <= BLOCK_ENVELOPES + 1; number++)
        hold_pass_on(first, &boxes[2], &actors[2], (struct message *)number, NULL);
    assert_int_equal(mailbox_count(&boxes[2]), BLOCK_ENVELOPES);
    boxes[3].number = boxes[2].number + OUTBOXES;
    hold_pass_on(first, &boxes[3], &actors[3], (struct message *)1, NULL);
    assert_int_equal(mailbox_count(&boxes[2]), BLOCK_ENVELOPES + 1);
    assert_int_equal(mailbox_count(&boxes[3]), 0);
    outbox_flush(first);
    assert_int_equal(mailbox_count(&boxes[3]), 1);
    assert_int_equal(first->outboxes.used_count, 0);
    boxes[3].number = 3;
}

static void test_without_outboxes(void **state) {
    (void)state;
    executor.options.outboxes = false;
    hold_pass_on(first, &boxes[2], &actors[2], (struct message *)1, NULL);
    assert_int_equal(mailbox_count(&boxes[2]), 1);
}

#define WITH_WORKERS(test) cmocka_unit_test_setup_teardown(test, make_workers, release_workers)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_WORKERS(test_collect),
        WITH_WORKERS(test_collect_what_is_processed),
        WITH_WORKERS(test_taken_after_what_was_sent),
        WITH_WORKERS(test_leave_all),
        WITH_WORKERS(test_leave_stolen),
        WITH_WORKERS(test_leaving_wakes),
        WITH_WORKERS(test_outboxes),
        WITH_WORKERS(test_without_outboxes),
    };
    return cmocka_run_group_tests_name("hold", tests, NULL, NULL);
}
