/* A test-and-test-and-set spinlock: one word, so that it shares a mailbox's first line.
 *
 * It yields after a while, because with more workers than CPUs the holder may be waiting for the CPU that we burn.
 */
#ifndef ACTORBENCH_PLATFORM_SPINLOCK_H
#define ACTORBENCH_PLATFORM_SPINLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "atomic.h"
#include "cpu.h"
#include "small.h"

enum { SPINS_BEFORE_YIELD = TESTED(256, 2) };

/* Waits a little, in round `spins` of a loop, counted from 1. */
static inline void spin(unsigned spins) {
    if (spins % SPINS_BEFORE_YIELD == 0)
        cpu_yield();
    else
        cpu_relax();
}

/* What a thread has waited for locks, in a build that counts (ACTORBENCH_STATISTICS). */
struct lock_waits {
    uint64_t count; /* of locks that were not free */
    uint64_t ns;    /* until they looked free */
};

/* The calling thread's. */
extern _Thread_local struct lock_waits this_lock_waits;

#if defined(ACTORBENCH_STATISTICS)
#include "clock.h"

static inline uint64_t lock_wait_begin(void) {
    return clock_monotonic_ns();
}

static inline void lock_wait_end(uint64_t begun) {
    this_lock_waits.count++;
    this_lock_waits.ns += clock_monotonic_ns() - begun;
}
#else
static inline uint64_t lock_wait_begin(void) {
    return 0;
}

static inline void lock_wait_end(uint64_t begun) {
    (void)begun;
}
#endif

struct spinlock {
    ATOMIC(uint32_t) held;
};

static inline void spinlock_init(struct spinlock *lock) {
    atomic_initialise(&lock->held, 0);
}

/* Waits until the lock looks free: out of line, to keep the usual case short. */
__attribute__((noinline, cold, unused)) static void spinlock_await(struct spinlock *lock) {
    unsigned spins = 0;
    uint64_t begun = lock_wait_begin();
    /* Relaxed: only a hint that the next exchange may succeed; polling with exchanges would steal the line. */
    while (atomic_load_relaxed(&lock->held))
        spin(++spins);
    lock_wait_end(begun);
}

/* Takes the lock if it is free. Acquire: pairs with the release in spinlock_release of whoever held it before. */
static inline bool spinlock_try(struct spinlock *lock) {
    return atomic_exchange_acquire(&lock->held, 1) == 0;
}

static inline void spinlock_acquire(struct spinlock *lock) {
    while (unlikely(!spinlock_try(lock)))
        spinlock_await(lock);
}

static inline void spinlock_release(struct spinlock *lock) {
    /* Release: pairs with the acquire in spinlock_try of whoever takes the lock next. */
    atomic_store_release(&lock->held, 0);
}

#endif
