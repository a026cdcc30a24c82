/* Atomics that take their time: those of core/platform/atomic.h, with a random delay before and after each, now and then.
 *
 * What two threads must do at the same moment for a protocol to fail is a window of a few instructions. A thread that is
 * delayed inside it, sometimes for longer than another thread needs for a whole message, leaves it open. The operations and
 * their orders are C11's own, and so is the machine: what a weaker one would reorder is not shown here.
 *
 * Builds with -DACTORBENCH_CHECKER='"delays.h"' have it; the including file says what the names mean.
 */
#ifndef ACTORBENCH_TESTS_STRESS_DELAYS_H
#define ACTORBENCH_TESTS_STRESS_DELAYS_H

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

/* The calling thread's random numbers (xorshift64); 0 until its first delay. */
extern _Thread_local uint64_t delay_state;

/* Lets the delays of all threads that start from now on follow from the seed. */
void delay_seed(uint64_t seed);

/* One delay: most spin, some yield, few sleep. */
void delay_now(uint64_t bits);

enum { DELAY_ONE_IN = 128 };

static inline void delay_sometimes(void) {
    uint64_t state = delay_state;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    delay_state = state;
    if (__builtin_expect(state % DELAY_ONE_IN == 0, 0))
        delay_now(state / DELAY_ONE_IN);
}

#define DELAYED_STORE(operation) (delay_sometimes(), (operation), delay_sometimes())
#define DELAYED(operation)                  \
    __extension__({                         \
        delay_sometimes();                  \
        __auto_type delayed_ = (operation); \
        delay_sometimes();                  \
        delayed_;                           \
    })

#define ATOMIC(type) _Atomic(type)
#define PLAIN(type)  type

#define atomic_initialise(object, value) atomic_init(object, value)

#define atomic_load_relaxed(object) DELAYED(atomic_load_explicit(object, memory_order_relaxed))
#define atomic_load_acquire(object) DELAYED(atomic_load_explicit(object, memory_order_acquire))
#define atomic_load_seq_cst(object) DELAYED(atomic_load_explicit(object, memory_order_seq_cst))

#define atomic_store_relaxed(object, value) DELAYED_STORE(atomic_store_explicit(object, value, memory_order_relaxed))
#define atomic_store_release(object, value) DELAYED_STORE(atomic_store_explicit(object, value, memory_order_release))
#define atomic_store_seq_cst(object, value) DELAYED_STORE(atomic_store_explicit(object, value, memory_order_seq_cst))

#define atomic_exchange_acquire(object, value)  DELAYED(atomic_exchange_explicit(object, value, memory_order_acquire))
#define atomic_exchange_acq_rel(object, value)  DELAYED(atomic_exchange_explicit(object, value, memory_order_acq_rel))
#define atomic_exchange_seq_cst(object, value)  DELAYED(atomic_exchange_explicit(object, value, memory_order_seq_cst))
#define atomic_fetch_add_relaxed(object, value) DELAYED(atomic_fetch_add_explicit(object, value, memory_order_relaxed))
#define atomic_fetch_add_acq_rel(object, value) DELAYED(atomic_fetch_add_explicit(object, value, memory_order_acq_rel))
#define atomic_fetch_sub_relaxed(object, value) DELAYED(atomic_fetch_sub_explicit(object, value, memory_order_relaxed))

#define DELAYED_CAS(object, expected, desired, order) \
    DELAYED(atomic_compare_exchange_strong_explicit(object, expected, desired, order, memory_order_relaxed))
#define atomic_cas_acq_rel(object, expected, desired) DELAYED_CAS(object, expected, desired, memory_order_acq_rel)
#define atomic_cas_seq_cst(object, expected, desired) DELAYED_CAS(object, expected, desired, memory_order_seq_cst)

static inline void cpu_yield(void) {
    (void)sched_yield();
}

/* There are more workers than CPUs here: who spins is often waited for. */
static inline void cpu_relax(void) {
    delay_sometimes();
}

static inline uint64_t clock_read_ns(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t clock_cycles(void) {
    return clock_read_ns(CLOCK_MONOTONIC);
}

#endif
