/* Clocks: nanoseconds for people, cycles for the longest-victim time stamps. */
#ifndef ACTORBENCH_PLATFORM_CLOCK_H
#define ACTORBENCH_PLATFORM_CLOCK_H

#include <stdint.h>
#include <time.h>

#if defined(ACTORBENCH_CHECKER)
#include ACTORBENCH_CHECKER /* has its own clock_read_ns and clock_cycles */
#else

/* Nanoseconds of a clock of clock_gettime(2), which cannot fail for the two clocks used here. */
static inline uint64_t clock_read_ns(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The cheapest clock that the processor has, in ticks of whatever length: of the time-stamp counter where there is one. */
static inline uint64_t clock_cycles(void) {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return clock_read_ns(CLOCK_MONOTONIC);
#endif
}

#endif

/* Time that only goes forward, from an arbitrary start. */
static inline uint64_t clock_monotonic_ns(void) {
    return clock_read_ns(CLOCK_MONOTONIC);
}

/* CPU time that all threads of this process have used. */
static inline uint64_t clock_cpu_ns(void) {
    return clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
