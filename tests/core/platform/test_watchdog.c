/* The watchdog of the tests: who sleeps or spins for ever is ended, with its line; who takes long for other reasons is not. */
#include <pthread.h>

#include "children.h"

enum { LIMIT_S = 1 };

static void begin(void) {
    watchdog_start(LIMIT_S, "round %d", 7);
}

static void sleep_for_ever(void) {
    begin();
    for (;;)
        (void)pause();
}

static void await_in_vain(void) {
    begin();
    AWAIT(false);
}

static void spin_for_ever(void) {
    begin();
    for (volatile unsigned spins = 0;; spins++)
        ;
}

/* As if others had the CPU most of the time: it works and sleeps by turns, for longer than the limit. */
static void work_slowly(void) {
    begin();
    for (unsigned i = 0; i < 28; i++) {
        uint64_t start = watchdog_cpu_ns();
        while (watchdog_cpu_ns() - start < 5000000)
            ;
        pause_ns(40000000);
    }
    watchdog_stop();
}

/* As if the machine had been stopped, and its clock had leapt. */
static void work_through_a_leap(void) {
    begin();
    watched.cpu_ns -= 60 * UINT64_C(1000000000);
    uint64_t start = watchdog_cpu_ns();
    while (watchdog_cpu_ns() - start < 400000000)
        ;
    watchdog_stop();
}

static void stop_in_time(void) {
    begin();
    watchdog_stop();
    for (unsigned i = 0; i < 25; i++)
        pause_ns(50000000);
}

static void *do_nothing(void *nothing) {
    return nothing;
}

/* None of them is met by a look, in the midst of a sanitizer's beginning with it. */
static void start_threads(void) {
    watchdog_start(1000000, "new threads");
    watchdog_look_every(20000);
    for (unsigned i = 0; i < 2000; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, do_nothing, NULL) != 0 || pthread_join(thread, NULL) != 0)
            abort();
    }
    watchdog_stop();
}

static void test_who_hangs_is_ended(void **state) {
    static void (*const hangs[])(void) = {sleep_for_ever, await_in_vain, spin_for_ever};
    (void)state;
    for (unsigned i = 0; i < LENGTH(hangs); i++) {
        struct child child = run_child(hangs[i]);
        assert_true(WIFEXITED(child.status));
        assert_int_equal(WEXITSTATUS(child.status), 3);
        assert_string_equal(child.said, "\nhangs: round 7\n");
    }
}

static void test_who_is_slow_is_not(void **state) {
    (void)state;
    assert_passes(work_slowly);
}

static void test_a_leap_counts_as_one_look(void **state) {
    (void)state;
    assert_passes(work_through_a_leap);
}

static void test_it_can_be_stopped(void **state) {
    (void)state;
    assert_passes(stop_in_time);
}

static void test_it_may_look_at_new_threads(void **state) {
    (void)state;
    assert_passes(start_threads);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_hangs_is_ended),         cmocka_unit_test(test_who_is_slow_is_not),
        cmocka_unit_test(test_a_leap_counts_as_one_look),  cmocka_unit_test(test_it_can_be_stopped),
        cmocka_unit_test(test_it_may_look_at_new_threads),
    };
    return cmocka_run_group_tests_name("watchdog", tests, NULL, NULL);
}
