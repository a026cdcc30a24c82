/* Threads for tests of what they share. */
#ifndef ACTORBENCH_TESTS_THREADS_H
#define ACTORBENCH_TESTS_THREADS_H

#include <pthread.h>

#include "harness.h"

enum { THREADS = 4 };

/* Runs a function on THREADS threads at once, each with its number, and asserts that none finds anything wrong: each returns how
 * often it did, as a pointer. */
static inline void assert_threads_agree(void *(*function)(void *)) {
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, function, (void *)(uintptr_t)i), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
}

#endif
