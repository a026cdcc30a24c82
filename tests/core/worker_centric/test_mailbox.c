/* A mailbox: who may hold it, who is woken, and that the hand-over from one worker to the next orders what they wrote. */
#include <pthread.h>

#include "numbered.h"
#include "worker_centric/state.h"

static struct mailbox box;
static struct worker workers[3];

static int start(void **state) {
    (void)state;
    mailbox_init(&box, 7);
    next_number = 1;
    return 0;
}

static int end(void **state) {
    (void)state;
    mailbox_destroy(&box);
    return 0;
}

/* What is in the queue, oldest first, as its holder takes it. */
static size_t take(struct mailbox *mailbox, void (*see)(struct envelope)) {
    struct block *empty = block_take(NULL);
    spinlock_acquire(&mailbox->lock);
    struct block_chain chain = block_queue_take(&mailbox->queue, empty);
    spinlock_release(&mailbox->lock);
    for (const struct block *block = chain.first; block != NULL; block = block->next)
        for (uint32_t i = 0; i < block->count; i++)
            see(block->envelopes[i]);
    block_free_chain(chain.first);
    return chain.count;
}

static void test_hold_and_release(void **state) {
    (void)state;
    assert_null(mailbox_holder(&box));
    for (unsigned i = 0; i < LENGTH(workers); i++) {
        assert_true(mailbox_hold(&box, &workers[i]));
        assert_ptr_equal(mailbox_holder(&box), &workers[i]);
        for (unsigned j = 0; j < LENGTH(workers); j++)
            assert_false(mailbox_hold(&box, &workers[j]));
        assert_ptr_equal(mailbox_holder(&box), &workers[i]);
        mailbox_release(&box);
        assert_null(mailbox_holder(&box));
    }
}

/* Held or not, messages come to the queue, over the ends of blocks. */
static void test_append(void **state) {
    (void)state;
    struct block_pool pool = {.first = NULL};
    enum { MANY = 2 * BLOCK_ENVELOPES + 3 };
    for (uintptr_t number = 1; number <= MANY; number++)
        assert_int_equal(mailbox_append(&box, number % 2 ? &pool : NULL, numbered(number)), NO_SLEEPER);
    assert_int_equal(mailbox_count(&box), MANY);
    assert_true(mailbox_hold(&box, &workers[0]));
    (void)mailbox_append(&box, NULL, numbered(MANY + 1));
    assert_int_equal(take(&box, expect_next), MANY + 1);
    assert_int_equal(next_number, MANY + 2);
    assert_int_equal(mailbox_count(&box), 0);
    mailbox_release(&box);
    block_pool_release(&pool);
    block_depot_release();
}

static struct block *block_with(uintptr_t first, size_t count) {
    struct block *block = block_take(NULL);
    for (size_t i = 0; i < count; i++)
        block_put(block, numbered(first + i));
    return block;
}

static void test_append_block(void **state) {
    (void)state;
    (void)mailbox_append(&box, NULL, numbered(1));
    assert_int_equal(mailbox_append_block(&box, block_with(2, BLOCK_ENVELOPES)), NO_SLEEPER);
    (void)mailbox_append(&box, NULL, numbered(BLOCK_ENVELOPES + 2));
    assert_int_equal(mailbox_count(&box), BLOCK_ENVELOPES + 2);
    assert_int_equal(take(&box, expect_next), BLOCK_ENVELOPES + 2);
}

/* The first append after a worker went to sleep is told whom to wake; the next one is not. */
static void test_append_takes_the_sleeper_out(void **state) {
    (void)state;
    mailbox_set_sleeper(&box, 7);
    assert_int_equal(mailbox_append(&box, NULL, numbered(1)), 7);
    assert_int_equal(mailbox_append(&box, NULL, numbered(2)), NO_SLEEPER);
    mailbox_set_sleeper(&box, 0);
    assert_int_equal(mailbox_append_block(&box, block_with(3, 1)), 0);
    assert_int_equal(mailbox_append_block(&box, block_with(4, 1)), NO_SLEEPER);
}

/* ---- Senders and workers at once ----------------------------------------------------------------------------------- */

enum { SENDERS = 2, SENDS = 20000, AT_A_TIME = 5 };

/* What the messages find and change. Plain: only the hand-over orders it, and ThreadSanitizer sees if it does not. */
static uint64_t received;
static uintptr_t last_from[SENDERS];
static bool in_order;
static ATOMIC(uint64_t) received_in_all;

static void receive(struct envelope envelope) {
    uintptr_t number = number_of(envelope), sender = number % SENDERS;
    in_order = in_order && number == last_from[sender] + SENDERS;
    last_from[sender] = number;
    received++;
}

/* One sends envelope by envelope, the other block by block. */
static void *send_all(void *argument) {
    uintptr_t sender = *(unsigned *)argument;
    struct block *block = NULL;
    for (uintptr_t i = 1; i <= SENDS; i++) {
        struct envelope envelope = numbered(i * SENDERS + sender);
        if (sender == 0) {
            (void)mailbox_append(&box, NULL, envelope);
            continue;
        }
        if (block == NULL)
            block = block_take(NULL);
        block_put(block, envelope);
        if (i % AT_A_TIME == 0) {
            (void)mailbox_append_block(&box, block);
            block = NULL;
        }
    }
    return NULL;
}

static void *work(void *worker) {
    while (atomic_load_relaxed(&received_in_all) < SENDERS * SENDS) {
        if (mailbox_count(&box) == 0 || !mailbox_hold(&box, worker)) {
            cpu_yield();
            continue;
        }
        if (mailbox_count(&box) != 0)
            (void)atomic_fetch_add_relaxed(&received_in_all, take(&box, receive));
        mailbox_release(&box);
    }
    return NULL;
}

static void test_concurrent_holders(void **state) {
    (void)state;
    pthread_t threads[SENDERS + LENGTH(workers)];
    unsigned numbers[SENDERS];
    received = 0;
    in_order = true;
    atomic_initialise(&received_in_all, 0);
    watchdog_start(60, "senders and workers on one mailbox");
    for (unsigned i = 0; i < SENDERS; i++) {
        numbers[i] = i;
        last_from[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, send_all, &numbers[i]), 0);
    }
    for (unsigned i = 0; i < LENGTH(workers); i++)
        assert_int_equal(pthread_create(&threads[SENDERS + i], NULL, work, &workers[i]), 0);
    for (unsigned i = 0; i < LENGTH(threads); i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    watchdog_stop();
    assert_int_equal(received, SENDERS * SENDS);
    assert_true(in_order);
    assert_int_equal(mailbox_count(&box), 0);
}

#define ON_A_MAILBOX(test) cmocka_unit_test_setup_teardown(test, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_MAILBOX(test_hold_and_release),   ON_A_MAILBOX(test_append),
        ON_A_MAILBOX(test_append_block),       ON_A_MAILBOX(test_append_takes_the_sleeper_out),
        ON_A_MAILBOX(test_concurrent_holders),
    };
    return cmocka_run_group_tests_name("mailbox", tests, NULL, NULL);
}
