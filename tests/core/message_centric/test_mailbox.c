/* A mailbox: who may gulp, who is woken, and that the hand-over from one worker to the next orders what they wrote. */
#include <pthread.h>

#include "message_centric/mailbox.h"
#include "numbered.h"
#include "platform/memory.h"

static struct mailbox box;
static union queue local;
static size_t gulped; /* by the last gulp */

static void init(enum queue_kind kind) {
    mailbox_init(&box, kind, ANY_NODE);
    queue_init(&local, kind, ANY_NODE);
    next_number = 1;
}

static void destroy(enum queue_kind kind) {
    queue_destroy(&box.queue, kind);
    queue_destroy(&local, kind);
}

static enum gulp_result gulp(enum queue_kind kind, union queue *into) {
    gulped = 0;
    return mailbox_gulp(&box, kind, into, &gulped);
}

static void gulp_and_release(enum queue_kind kind) {
    init(kind);
    assert_int_equal(gulp(kind, &local), EMPTY);
    assert_false(mailbox_is_processed(&box));
    for (uintptr_t number = 1; number <= 15; number++)
        assert_int_equal(mailbox_append(&box, kind, numbered(number)), NO_SLEEPER);
    assert_int_equal(mailbox_count(&box), 15);
    assert_int_equal(gulp(kind, &local), GULPED);
    assert_true(mailbox_is_processed(&box));
    assert_int_equal(mailbox_count(&box), 0);
    queue_drain(&local, kind, gulped, expect_next);
    assert_int_equal(next_number, 16);
    mailbox_release(&box);
    assert_false(mailbox_is_processed(&box));
    assert_int_equal(gulp(kind, &local), EMPTY);
    destroy(kind);
}

static void test_gulp_and_release(void **state) {
    (void)state;
    gulp_and_release(QUEUE_COPY);
    gulp_and_release(QUEUE_LIST);
}

/* While a mailbox is being processed no second gulp succeeds, whether there are messages or not, and none is lost. */
static void missed_gulp(enum queue_kind kind) {
    init(kind);
    union queue second;
    queue_init(&second, kind, ANY_NODE);
    (void)mailbox_append(&box, kind, numbered(1));
    assert_int_equal(gulp(kind, &local), GULPED);
    assert_int_equal(gulp(kind, &second), MISSED);
    (void)mailbox_append(&box, kind, numbered(2));
    assert_int_equal(gulp(kind, &second), MISSED);
    assert_int_equal(gulped, 0);
    assert_int_equal(mailbox_count(&box), 1);
    queue_drain(&local, kind, 1, expect_next);
    mailbox_release(&box);
    assert_int_equal(gulp(kind, &second), GULPED);
    queue_drain(&second, kind, gulped, expect_next);
    assert_int_equal(next_number, 3);
    mailbox_release(&box);
    queue_destroy(&second, kind);
    destroy(kind);
}

static void test_missed_gulp(void **state) {
    (void)state;
    missed_gulp(QUEUE_COPY);
    missed_gulp(QUEUE_LIST);
}

/* The first append after a worker went to sleep is told whom to wake; the next one is not. */
static void test_append_takes_the_sleeper_out(void **state) {
    (void)state;
    init(QUEUE_COPY);
    mailbox_set_sleeper(&box, 7);
    assert_int_equal(mailbox_append(&box, QUEUE_COPY, numbered(1)), 7);
    assert_int_equal(mailbox_append(&box, QUEUE_COPY, numbered(2)), NO_SLEEPER);
    mailbox_set_sleeper(&box, 0);
    assert_int_equal(mailbox_append(&box, QUEUE_COPY, numbered(3)), 0);
    destroy(QUEUE_COPY);
}

/* The short way takes the usual case only, and leaves everything else as it was to the long way. */
static void test_append_quickly(void **state) {
    (void)state;
    init(QUEUE_COPY);
    for (uintptr_t number = 1; number <= COPY_QUEUE_SIZE; number++)
        assert_true(mailbox_append_quickly(&box, numbered(number)));
    assert_false(mailbox_append_quickly(&box, numbered(99)));
    assert_int_equal(gulp(QUEUE_COPY, &local), GULPED);
    queue_drain(&local, QUEUE_COPY, gulped, expect_next);
    assert_int_equal(next_number, COPY_QUEUE_SIZE + 1);
    mailbox_release(&box);
    mailbox_set_sleeper(&box, 3);
    assert_false(mailbox_append_quickly(&box, numbered(99)));
    assert_int_equal(box.sleeper, 3);
    mailbox_set_sleeper(&box, NO_SLEEPER);
    spinlock_acquire(&box.lock);
    assert_false(mailbox_append_quickly(&box, numbered(99)));
    spinlock_release(&box.lock);
    assert_int_equal(mailbox_count(&box), 0);
    destroy(QUEUE_COPY);
}

/* ---- Senders and workers at once --------------------------------------------------------------------------------- */

enum { SENDERS = 2, WORKERS = 3, SENDS = 20000 };

static enum queue_kind shared_kind;
/* What the gulped messages find and change. Plain: only the hand-over orders it, and ThreadSanitizer sees if it does not. */
static uint64_t received;
static uintptr_t last_from[SENDERS];
static bool in_order;
static ATOMIC(uint64_t) received_in_all;

static void receive(struct envelope envelope) {
    uintptr_t number = number_of(envelope), sender = number % SENDERS;
    in_order = in_order && number > last_from[sender];
    last_from[sender] = number;
    received++;
}

static void *send_all(void *argument) {
    uintptr_t sender = *(unsigned *)argument;
    for (uintptr_t i = 1; i <= SENDS; i++)
        if (shared_kind == QUEUE_LIST || !mailbox_append_quickly(&box, numbered(i * SENDERS + sender)))
            (void)mailbox_append(&box, shared_kind, numbered(i * SENDERS + sender));
    return NULL;
}

static void *work(void *unused) {
    (void)unused;
    union queue own;
    size_t messages = 0;
    queue_init(&own, shared_kind, ANY_NODE);
    while (atomic_load_relaxed(&received_in_all) < SENDERS * SENDS) {
        if (mailbox_gulp(&box, shared_kind, &own, &messages) != GULPED) {
            cpu_yield();
            continue;
        }
        uint64_t before = received;
        queue_drain(&own, shared_kind, messages, receive);
        (void)atomic_fetch_add_relaxed(&received_in_all, received - before);
        mailbox_release(&box);
    }
    queue_destroy(&own, shared_kind);
    return NULL;
}

static void concurrently(enum queue_kind kind) {
    pthread_t threads[SENDERS + WORKERS];
    unsigned numbers[SENDERS];
    init(kind);
    shared_kind = kind;
    received = 0;
    in_order = true;
    memset(last_from, 0, sizeof last_from);
    atomic_initialise(&received_in_all, 0);
    watchdog_start(60, "senders and workers on one mailbox");
    for (unsigned i = 0; i < SENDERS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, send_all, &numbers[i]), 0);
    }
    for (unsigned i = SENDERS; i < LENGTH(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, NULL), 0);
    for (unsigned i = 0; i < LENGTH(threads); i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    watchdog_stop();
    assert_int_equal(received, SENDERS * SENDS);
    assert_true(in_order);
    assert_int_equal(mailbox_count(&box), 0);
    destroy(kind);
}

static void test_concurrent_gulps(void **state) {
    (void)state;
    concurrently(QUEUE_COPY);
    concurrently(QUEUE_LIST);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gulp_and_release),
        cmocka_unit_test(test_missed_gulp),
        cmocka_unit_test(test_append_takes_the_sleeper_out),
        cmocka_unit_test(test_append_quickly),
        cmocka_unit_test(test_concurrent_gulps),
    };
    return cmocka_run_group_tests_name("mailbox", tests, NULL, NULL);
}
