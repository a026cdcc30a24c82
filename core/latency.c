/* Adding up the workers' latencies. */
#include "latency.h"

#include "executor.h"

const double actorbench_percentiles[ACTORBENCH_PERCENTILES] = {50.0, 90.0, 99.0, 99.9, 99.99, 100.0};

#if defined(ACTORBENCH_LATENCY)

#include <pthread.h>
#include <string.h>

#include "platform/fatal.h"

_Thread_local struct histogram this_latency;

static struct {
    pthread_mutex_t lock; /* workers end at the same time */
    struct histogram all; /* in cycles */
    uint64_t cycles, ns;  /* at the round's begin; then how long it was */
} round_latency = {.lock = PTHREAD_MUTEX_INITIALIZER};

void latency_begin(void) {
    memset(&round_latency.all, 0, sizeof round_latency.all);
    round_latency.ns = clock_monotonic_ns();
    round_latency.cycles = clock_cycles();
}

void latency_collect(void) {
    int error = pthread_mutex_lock(&round_latency.lock);
    if (error != 0)
        fatal("the latencies cannot be locked: %s", strerror(error));
    histogram_merge(&round_latency.all, &this_latency);
    (void)pthread_mutex_unlock(&round_latency.lock);
}

void latency_end(void) {
    round_latency.ns = clock_monotonic_ns() - round_latency.ns;
    round_latency.cycles = clock_cycles() - round_latency.cycles;
}

bool actorbench_last_latency(struct actorbench_latency *latency) {
    double ns_a_cycle = (double)round_latency.ns / (double)round_latency.cycles;
    latency->messages = round_latency.all.count;
    for (unsigned i = 0; i < ACTORBENCH_PERCENTILES; i++)
        latency->ns[i] = ns_a_cycle * (double)histogram_percentile(&round_latency.all, actorbench_percentiles[i]);
    return true;
}

#else

bool actorbench_last_latency(struct actorbench_latency *latency) {
    (void)latency;
    return false;
}

#endif
