/* What a spinning thread tells the processor and the kernel. */
#ifndef ACTORBENCH_PLATFORM_CPU_H
#define ACTORBENCH_PLATFORM_CPU_H

#include <sched.h>

/* The distance that keeps two objects from sharing a line: two lines of 64 bytes, since x86 fetches them in pairs. */
#define CACHE_LINE 128

/* For a type or a member that must not share a line with what stands before it. A structure whose first member is such a one begins and ends
 * at a line: so is what all threads read, often, and nobody writes then, or else it would lie beside whatever a program writes. */
#define CACHE_ALIGNED __attribute__((aligned(CACHE_LINE)))

#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* For a function that other files call for each message: link-time optimisation, which only gcc's builds have, inlines it whatever the
 * compiler thinks. */
#if defined(__clang__)
#define LINK_INLINE
#else
#define LINK_INLINE __attribute__((always_inline)) inline
#endif

#if defined(ACTORBENCH_CHECKER)
#include ACTORBENCH_CHECKER /* has its own cpu_relax and cpu_yield: a spinning thread lets others run */
#else

/* A hint inside a spin loop: cheaper for the sibling hyper-thread and for the line that is polled. */
static inline void cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Gives the CPU to another thread: what a spin that lasts must do where workers outnumber CPUs. It cannot fail on
 * Linux, and nothing would be lost if it did. */
static inline void cpu_yield(void) {
    (void)sched_yield();
}

#endif

#endif
