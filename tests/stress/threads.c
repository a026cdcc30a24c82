/* The register of threads, and who pauses them. */
#include "threads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "platform/random.h"

enum {
    MOST_THREADS = 256,
    LONGEST_INTERVAL_NS = 1000 * 1000,
    LONGEST_PAUSE_NS = 1000 * 1000,
    LONG_PAUSE_NS = 15 * 1000 * 1000, /* longer than a thief sleeps */
    LONG_PAUSE_ONE_IN = 64,
};

typedef void *thread_body(void *);

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_body *body, void *argument);
int __real_pthread_join(pthread_t thread, void **value);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_body *body, void *argument);
int __wrap_pthread_join(pthread_t thread, void **value);

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_t created[MOST_THREADS]; /* under the guard, as is the next */
static unsigned created_count;
static unsigned creations, failing_creation; /* the starting thread's */

static pthread_t first_thread;
static _Atomic(long) pause_length;

void threads_fail_at(unsigned nth) {
    creations = 0;
    failing_creation = nth;
}

unsigned threads_running(void) {
    (void)pthread_mutex_lock(&guard);
    unsigned count = created_count;
    (void)pthread_mutex_unlock(&guard);
    return count;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_body *body, void *argument) {
    if (++creations == failing_creation)
        return EAGAIN;
    (void)pthread_mutex_lock(&guard);
    if (created_count == MOST_THREADS)
        abort();
    int error = __real_pthread_create(thread, attributes, body, argument);
    if (error == 0)
        created[created_count++] = *thread;
    (void)pthread_mutex_unlock(&guard);
    return error;
}

/* A thread that was joined must get no signal: it leaves the register first. */
int __wrap_pthread_join(pthread_t thread, void **value) {
    (void)pthread_mutex_lock(&guard);
    unsigned found = 0;
    while (found < created_count && !pthread_equal(created[found], thread))
        found++;
    if (found == created_count)
        abort(); /* joined twice, or never created */
    created[found] = created[--created_count];
    (void)pthread_mutex_unlock(&guard);
    return __real_pthread_join(thread, value);
}

static void sleep_ns(long nanoseconds) {
    const struct timespec length = {.tv_nsec = nanoseconds};
    (void)nanosleep(&length, NULL);
}

static void pause_here(int signal_number) {
    (void)signal_number;
    int error = errno;
    sleep_ns(atomic_load(&pause_length));
    errno = error;
}

static void *pause_others(void *argument) {
    struct random random = *(const struct random *)argument;
    for (;;) {
        sleep_ns((long)random_below(&random, LONGEST_INTERVAL_NS));
        bool is_long = random_below(&random, LONG_PAUSE_ONE_IN) == 0;
        atomic_store(&pause_length, is_long ? LONG_PAUSE_NS : (long)random_below(&random, LONGEST_PAUSE_NS));
        (void)pthread_mutex_lock(&guard);
        unsigned chosen = random_below(&random, created_count + 1);
        (void)pthread_kill(chosen == created_count ? first_thread : created[chosen], SIGUSR1);
        (void)pthread_mutex_unlock(&guard);
    }
    return NULL;
}

void threads_pause(uint64_t seed) {
    static struct random random;
    static pthread_t pauser;
    struct sigaction action = {.sa_handler = pause_here};
    random = random_seed(seed, UINT32_MAX);
    first_thread = pthread_self();
    if (sigaction(SIGUSR1, &action, NULL) != 0 || __real_pthread_create(&pauser, NULL, pause_others, &random) != 0)
        abort();
}
