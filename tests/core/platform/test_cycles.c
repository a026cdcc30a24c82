/* The processor's cycles: of all threads of the process where the kernel lets them be counted, and a refusal where it does not. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "platform/clock.h"
#include "platform/cycles.h"

enum { LONG_NS = 20 * 1000 * 1000 };

static void *burn(void *argument) {
    (void)argument;
    for (uint64_t start = clock_cpu_ns(); clock_cpu_ns() - start < LONG_NS;)
        continue;
    return NULL;
}

static uint64_t counted(void) {
    uint64_t cycles = 0;
    assert_true(cycles_read(&cycles));
    return cycles;
}

static void test_threads_made_later_are_counted_and_processes_are_not(void **state) {
    (void)state;
    uint64_t cycles = 7;
    assert_false(cycles_read(&cycles)); /* nothing is, yet */
    if (cycles_open() == CYCLES_OF_CPU_TIME) {
        assert_false(cycles_read(&cycles));
        assert_int_equal(cycles, 7);
        skip(); /* the kernel, or the processor, has no counter for us */
    }
    uint64_t before = counted();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, burn, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(counted() - before > LONG_NS / 10); /* a tenth of a GHz */
    before = counted();
    pid_t process = fork();
    if (process == 0) {
        (void)burn(NULL);
        _exit(0);
    }
    assert_int_equal(waitpid(process, NULL, 0), process);
    assert_true(counted() - before < LONG_NS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_made_later_are_counted_and_processes_are_not),
    };
    return cmocka_run_group_tests_name("cycles", tests, NULL, NULL);
}
