/* Measures the machine that it runs on, for a description of it: prints a line a number, "key value", in ns where the key says
 * nothing else. Each is the least of TRIALS, since whatever disturbs a trial makes it longer.
 *
 *     probe [CPU CPU]      the two CPUs between which a line goes to and fro (the first two that may be used)
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TRIALS = 100, LINE = 64, BAD_USAGE = 2 };

static int cpus[2];

_Noreturn static void fail(const char *what) {
    (void)fprintf(stderr, "probe: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now_ns(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        fail("the clock cannot be read");
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void bind_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        fail("a thread cannot be bound to its CPU");
}

static double least(double left, double right) {
    return left < right ? left : right;
}

static uint64_t chance = 88172645463325252u;
static uint64_t draw(void) {
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return chance;
}

/* ---- Pointers that are chased through so many bytes, in an order that no prefetcher foresees ---------------------- */

static volatile uintptr_t sink;

static double chase(size_t bytes) {
    size_t lines = bytes / LINE;
    char *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    uint32_t *order = malloc(lines * sizeof *order);
    if (room == MAP_FAILED || order == NULL)
        fail("memory to chase pointers through cannot be had");
    for (size_t i = 0; i < lines; i++)
        order[i] = (uint32_t)i;
    for (size_t i = lines - 1; i > 0; i--) {
        size_t other = draw() % (i + 1);
        uint32_t kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (size_t i = 0; i < lines; i++)
        *(void **)(room + (size_t)order[i] * LINE) = room + (size_t)order[(i + 1) % lines] * LINE;
    enum { STEPS = 20000, CHASES = 200 };
    double best = 1e9;
    void **at = (void **)room;
    for (int trial = 0; trial < CHASES; trial++) {
        double start = now_ns();
        for (int i = 0; i < STEPS; i++)
            at = *at;
        best = least(best, (now_ns() - start) / STEPS);
    }
    sink = (uintptr_t)at;
    free(order);
    (void)munmap(room, bytes);
    return best;
}

/* ---- A line that goes to and fro ---------------------------------------------------------------------------------- */

static struct {
    _Alignas(256) _Atomic(uint32_t) ball;
    _Alignas(256) _Atomic(uint32_t) word; /* for parking */
} shared;

/* Short trials: the shortest is one in which nothing else ran on either CPU. */
enum { BOUNCES = 400000, BOUNCES_A_TRIAL = 500 };

static void *answer(void *unused) {
    bind_to(cpus[1]);
    for (uint32_t i = 0; i < BOUNCES; i++) {
        while (atomic_load_explicit(&shared.ball, memory_order_acquire) != 2 * i + 1) {
        }
        atomic_store_explicit(&shared.ball, 2 * i + 2, memory_order_release);
    }
    return unused;
}

/* Half of the way to and fro. */
static double bounce(void) {
    double best = 1e9;
    pthread_t other;
    atomic_store(&shared.ball, 0);
    if ((errno = pthread_create(&other, NULL, answer, NULL)) != 0)
        fail("a thread cannot be had");
    for (uint32_t i = 0; i < BOUNCES;) {
        double start = now_ns();
        for (uint32_t last = i + BOUNCES_A_TRIAL; i < last; i++) {
            atomic_store_explicit(&shared.ball, 2 * i + 1, memory_order_release);
            while (atomic_load_explicit(&shared.ball, memory_order_acquire) != 2 * i + 2) {
            }
        }
        best = least(best, (now_ns() - start) / BOUNCES_A_TRIAL / 2);
    }
    if ((errno = pthread_join(other, NULL)) != 0)
        fail("a thread cannot be joined");
    return best;
}

/* ---- Parking ------------------------------------------------------------------------------------------------------ */

enum { NAPS = 300, NAP_US = 200 };
static _Atomic(uint64_t) woken_at;

static void *nap(void *unused) {
    bind_to(cpus[1]);
    for (uint32_t i = 0; i < NAPS; i++) {
        while (atomic_load(&shared.word) == i)
            (void)syscall(SYS_futex, &shared.word, FUTEX_WAIT_PRIVATE, i, NULL, NULL, 0);
        atomic_store(&woken_at, (uint64_t)now_ns());
        atomic_store(&shared.ball, i + 1);
    }
    return unused;
}

static int compare(const void *left, const void *right) {
    double one = *(const double *)left, other = *(const double *)right;
    return (one > other) - (one < other);
}

/* The medians of what a wake takes the waker, and how long after its start the sleeper runs. */
static void wake(double *waker, double *latency) {
    static double wakers[NAPS], latencies[NAPS];
    pthread_t other;
    atomic_store(&shared.word, 0);
    atomic_store(&shared.ball, 0);
    if ((errno = pthread_create(&other, NULL, nap, NULL)) != 0)
        fail("a thread cannot be had");
    for (uint32_t i = 0; i < NAPS; i++) {
        (void)usleep(NAP_US);
        double start = now_ns();
        atomic_store(&shared.word, i + 1);
        if (syscall(SYS_futex, &shared.word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == -1)
            fail("futex(FUTEX_WAKE)");
        wakers[i] = now_ns() - start;
        while (atomic_load(&shared.ball) != i + 1) {
        }
        latencies[i] = (double)atomic_load(&woken_at) - start;
    }
    if ((errno = pthread_join(other, NULL)) != 0)
        fail("a thread cannot be joined");
    qsort(wakers, NAPS, sizeof *wakers, compare);
    qsort(latencies, NAPS, sizeof *latencies, compare);
    *waker = wakers[NAPS / 2];
    *latency = latencies[NAPS / 2];
}

/* ---- What a thread does alone ------------------------------------------------------------------------------------- */

#define TIMED(name, count, statement)                         \
    static double name(void) {                                \
        double best = 1e9;                                    \
        for (int trial = 0; trial < TRIALS; trial++) {        \
            double start = now_ns();                          \
            for (uint32_t i = 0; i < (count); i++)            \
                statement;                                    \
            best = least(best, (now_ns() - start) / (count)); \
        }                                                     \
        return best;                                          \
    }

TIMED(locked, 10000, atomic_exchange_explicit(&shared.ball, i, memory_order_acq_rel))
#if defined(__x86_64__)
TIMED(pausing, 1000, __builtin_ia32_pause())
#else
TIMED(pausing, 1000, __asm__ volatile("yield"))
#endif
TIMED(yielding, 100, (void)sched_yield())
TIMED(reading_clock, 1000, sink = (uintptr_t)now_ns())
/* A chain of multiplications, each of which takes three cycles. */
static double cycle(void) {
    enum { STEPS = 10000, CYCLES = 3 };
    double best = 1e9;
    for (int trial = 0; trial < TRIALS; trial++) {
        uint64_t value = 3;
        double start = now_ns();
        for (int i = 0; i < STEPS; i++) {
            value *= value;
            __asm__ volatile("" : "+r"(value));
        }
        best = least(best, (now_ns() - start) / STEPS / CYCLES);
        sink = value;
    }
    return best;
}

/* The first touch of a page. */
static double fault(void) {
    enum { PAGES = 256, PAGE = 4096 };
    double best = 1e9;
    for (int trial = 0; trial < TRIALS; trial++) {
        volatile char *room =
            mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED)
            fail("memory to touch cannot be had");
        double start = now_ns();
        for (size_t i = 0; i < PAGES; i++)
            room[i * PAGE] = 1;
        best = least(best, (now_ns() - start) / PAGES);
        (void)munmap((void *)(uintptr_t)room, (size_t)PAGES * PAGE);
    }
    return best;
}

/* Lines that are read one after the other, from memory. */
static double stream(void) {
    size_t words = (size_t)256 << 20 >> 3;
    uint64_t *room = mmap(NULL, words << 3, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (room == MAP_FAILED)
        fail("memory to read cannot be had");
    double best = 1e18;
    for (int trial = 0; trial < 3; trial++) {
        uint64_t sum = 0;
        double start = now_ns();
        for (size_t i = 0; i < words; i += LINE / sizeof *room)
            sum += room[i];
        best = least(best, now_ns() - start);
        sink = sum;
    }
    (void)munmap(room, words << 3);
    return (double)(words << 3) / best;
}

/* ---- Everything --------------------------------------------------------------------------------------------------- */

static void choose_cpus(int argc, char **argv) {
    if (argc == 3) {
        cpus[0] = atoi(argv[1]);
        cpus[1] = atoi(argv[2]);
        return;
    }
    cpu_set_t set;
    if (argc != 1 || sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 2) {
        (void)fputs("usage: probe [CPU CPU]; two CPUs are needed\n", stderr);
        exit(BAD_USAGE);
    }
    for (int cpu = 0, found = 0; found < 2; cpu++)
        if (CPU_ISSET(cpu, &set))
            cpus[found++] = cpu;
}

int main(int argc, char **argv) {
    choose_cpus(argc, argv);
    bind_to(cpus[0]);
    long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE), l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    double first = chase(16384);
    double wakes, latency;
    printf("cycle_ns %.4f\n", cycle());
    printf("l1_ns %.3f\n", first);
    printf("l2_ns %.3f\n", chase(l2 > 0 ? (size_t)l2 / 2 : 262144) - first);
    printf("l3_ns %.3f\n", chase(l3 > 0 && l3 < 64 << 20 ? (size_t)l3 / 2 : (size_t)16 << 20) - first);
    printf("dram_local_ns %.3f\n", chase((size_t)512 << 20) - first);
    printf("transfer_ns %.3f\n", bounce());
    printf("atomic_ns %.3f\n", locked());
    printf("pause_ns %.3f\n", pausing());
    printf("yield_ns %.3f\n", yielding());
    printf("clock_ns %.3f\n", reading_clock());
    printf("fault_ns %.3f\n", fault());
    printf("stream_gb_per_s %.3f\n", stream());
    wake(&wakes, &latency);
    printf("wake_ns %.3f\n", wakes);
    printf("wake_latency_ns %.3f\n", latency);
    return 0;
}
