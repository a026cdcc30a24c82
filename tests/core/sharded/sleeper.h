/* A worker made by hand that sleeps in a thread of its own. */
#ifndef ACTORBENCH_TESTS_SHARDED_SLEEPER_H
#define ACTORBENCH_TESTS_SHARDED_SLEEPER_H

#include <pthread.h>

#include "sharded/workers.h"

static struct worker *sleeper; /* the test's to set */

static void *sleep_once(void *worker) {
    sleep_worker(worker);
    return NULL;
}

/* A thread in which the sleeper has parked, or is about to. */
static pthread_t put_to_sleep(void) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, sleep_once, sleeper), 0);
    AWAIT(atomic_load_relaxed(&crew.sleepers) == 1);
    return thread;
}

static void await_waking(pthread_t thread) {
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(atomic_load_relaxed(&sleeper->sleeping), AWAKE);
    assert_int_equal(atomic_load_relaxed(&crew.sleepers), 0);
}

#endif
