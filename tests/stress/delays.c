/* How long the delays are, and where their random numbers come from. */
#include "delays.h"

#include "platform/random.h"

enum {
    YIELDS_OF_64 = 10,
    SLEEPS_OF_64 = 1,
    LONGEST_SPIN = 400, /* rounds of an empty loop: about a microsecond */
    LONGEST_SLEEP_NS = 50 * 1000,
};

_Thread_local uint64_t delay_state;

static _Atomic(uint64_t) all_seed = 1, seeded_threads;

void delay_seed(uint64_t seed) {
    atomic_store(&all_seed, seed);
}

void delay_now(uint64_t bits) {
    if (delay_state == 0) {
        delay_state = random_seed(atomic_load(&all_seed), atomic_fetch_add(&seeded_threads, 1)).state;
        return;
    }
    uint64_t kind = bits % 64, length = bits / 64;
    if (kind < SLEEPS_OF_64) {
        const struct timespec sleep = {.tv_nsec = (long)(length % LONGEST_SLEEP_NS)};
        (void)nanosleep(&sleep, NULL);
    } else if (kind < SLEEPS_OF_64 + YIELDS_OF_64) {
        (void)sched_yield();
    } else {
        for (volatile uint64_t spins = length % LONGEST_SPIN; spins > 0;)
            spins = spins - 1;
    }
}
