/* What a thread waits for a lock is counted, in a build that counts. */
#include <pthread.h>

#include "harness.h"
#include "platform/clock.h"
#include "platform/spinlock.h"
#include "stats.h"

enum { HELD_NS = 5 * 1000 * 1000, ATTEMPTS = 1000 };

static struct spinlock lock;
static ATOMIC(uint32_t) about_to;

static void *wait_for_it(void *argument) {
    struct lock_waits *waits = argument;
    atomic_store_release(&about_to, 1); /* pairs with the acquire below */
    spinlock_acquire(&lock);
    spinlock_release(&lock);
    *waits = this_lock_waits;
    return NULL;
}

/* What a thread waits that asks for the lock while it is held. The kernel may keep it from asking until it is free again. */
static struct lock_waits wait_once(void) {
    struct lock_waits waits;
    pthread_t thread;
    atomic_initialise(&about_to, 0);
    spinlock_init(&lock);
    spinlock_acquire(&lock);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_it, &waits), 0);
    for (unsigned spins = 1; atomic_load_acquire(&about_to) == 0; spins++)
        spin(spins);
    for (uint64_t start = clock_monotonic_ns(); clock_monotonic_ns() - start < HELD_NS;)
        spin(SPINS_BEFORE_YIELD);
    spinlock_release(&lock);
    assert_int_equal(pthread_join(thread, NULL), 0);
    return waits;
}

static void test_a_wait_is_counted_and_timed(void **state) {
    (void)state;
    struct lock_waits waits = {0, 0};
    for (unsigned attempt = 0; attempt < ATTEMPTS && waits.ns < HELD_NS / 2; attempt++) {
        waits = wait_once();
        if (!STATISTICS_BUILD) {
            assert_int_equal(waits.count, 0);
            assert_int_equal(waits.ns, 0);
            return;
        }
    }
    assert_true(waits.count >= 1);
    assert_true(waits.ns >= HELD_NS / 2);
}

static void test_a_free_lock_is_no_wait(void **state) {
    (void)state;
    struct lock_waits before = this_lock_waits;
    spinlock_init(&lock);
    for (unsigned i = 0; i < 1000; i++) {
        spinlock_acquire(&lock);
        spinlock_release(&lock);
    }
    assert_int_equal(this_lock_waits.count, before.count);
    assert_int_equal(this_lock_waits.ns, before.ns);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wait_is_counted_and_timed),
        cmocka_unit_test(test_a_free_lock_is_no_wait),
    };
    return cmocka_run_group_tests_name("spinlock", tests, NULL, NULL);
}
