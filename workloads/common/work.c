/* A chain of multiplications, each of which needs the one before. */
#include "work.h"

#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/small.h"

/* Where the result goes when it is the one in 2^64 that is looked for, so that the chain must be computed. */
static ATOMIC(uint64_t) never;

void work_do(uint64_t steps) {
    uint64_t value = steps | 1;
    for (uint64_t i = 0; i < steps; i++)
        value = value * UINT64_C(6364136223846793005) + i;
    if (value == 0)
        atomic_store_relaxed(&never, value + 1);
}

uint64_t work_calibrate(uint64_t nanoseconds) {
    enum { STEPS = TESTED(1000000, 10), TRIALS = TESTED(20, 1) };
    if (nanoseconds == 0)
        return 0;
    uint64_t best = UINT64_MAX; /* the shortest time: the one that was disturbed least */
    for (int trial = 0; trial < TRIALS; trial++) {
        uint64_t start = clock_monotonic_ns();
        work_do(STEPS);
        uint64_t time = clock_monotonic_ns() - start;
        best = time < best ? time : best;
    }
    uint64_t steps = (uint64_t)((double)nanoseconds * STEPS / (double)best + 0.5);
    return steps == 0 ? 1 : steps;
}
