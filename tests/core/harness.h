/* What the tests of the core share: cmocka, a watchdog, seeds that can be replayed, configurations by name.
 *
 * cmocka's assertions jump out of the function that they stand in, so they are for the main thread only. What a
 * behaviour finds wrong it notes, and the main thread looks at the notes after actorbench_stop.
 */
#ifndef ACTORBENCH_TESTS_HARNESS_H
#define ACTORBENCH_TESTS_HARNESS_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "actor.h"
#include "executor.h"
#include "platform/atomic.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED_BUILD = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { SANITIZED_BUILD = 1 };
#else
enum { SANITIZED_BUILD = 0 };
#endif
#else
enum { SANITIZED_BUILD = 0 };
#endif

#if defined(ACTORBENCH_SIMULATED)
enum { SLOWNESS = 20 }; /* of a machine that is simulated, as the watchdog sees it */
#else
enum { SLOWNESS = 1 };
#endif

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* ---- The watchdog: a test that hangs ends the program, with a line that says which one and how to replay it -------- */

/* It looks four times a second. CPU time counts as it is, but for no more than the time between two looks: the clock of a
 * machine that was stopped for a while leaps. A look that finds next to none since the last one counts as that much time. So who
 * spins and who waits for ever come to their end, and who is kept from the CPU by others does not. */
enum { WATCHDOG_LOOKS = 250 * 1000 * 1000, WATCHDOG_IDLE = WATCHDOG_LOOKS / 50 }; /* nanoseconds */

static struct {
    timer_t timer;
    pid_t process; /* whose timer it is: a child has none */
    uint64_t left_ns, cpu_ns;
    char line[256];
    size_t length;
} watched;

/* ThreadSanitizer keeps a signal back until the thread comes by a call that it knows. One that hangs may never: so the
 * signal's handler is set, and looks and bites, behind its back; even the call that clang's no_sanitize leaves at the entry of
 * a function may fall into one of the sanitizer's own. */
#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#define UNSEEN __attribute__((disable_sanitizer_instrumentation, unused)) static
#endif
#endif
#if !defined(UNSEEN) && defined(__has_attribute)
#if __has_attribute(no_sanitize_coverage)
#define UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage, unused)) static
#endif
#endif
#ifndef UNSEEN
#define UNSEEN __attribute__((no_sanitize("thread"), unused)) static
#endif
int __sigaction(int, const struct sigaction *, struct sigaction *);

UNSEEN uint64_t watchdog_cpu_ns(void) {
    struct timespec used;
    (void)syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

UNSEEN void watchdog_looks(int signal_number) {
    (void)signal_number;
    uint64_t now_ns = watchdog_cpu_ns(), used_ns = now_ns - watched.cpu_ns;
    uint64_t counted_ns = used_ns < WATCHDOG_IDLE || used_ns > WATCHDOG_LOOKS ? WATCHDOG_LOOKS : used_ns;
    if (counted_ns >= watched.left_ns) {
        (void)syscall(SYS_write, STDERR_FILENO, watched.line, watched.length);
        (void)syscall(SYS_exit_group, 3);
    }
    watched.left_ns -= counted_ns;
    watched.cpu_ns = now_ns;
}

static inline void watchdog_look_every(long ns) {
    const struct itimerspec times = {{.tv_nsec = ns}, {.tv_nsec = ns}};
    if (timer_settime(watched.timer, 0, &times, NULL) != 0)
        abort();
}

/* The signals go to the calling thread alone: two looks at once, by two threads, would count wrong, and a thread that has hardly
 * begun does not survive one under a sanitizer. */
static inline void watchdog_make_timer(void) {
    struct sigevent look = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};
    look._sigev_un._tid = gettid();
    if (timer_create(CLOCK_MONOTONIC, &look, &watched.timer) != 0)
        abort();
    watched.process = getpid();
}

/* Ends the program after so many seconds, counted as above, unless watchdog_stop comes first. `what` is for people. For one
 * thread of a process. */
__attribute__((format(printf, 2, 3), unused)) static void watchdog_start(unsigned seconds, const char *what, ...) {
    if (watched.process != getpid())
        watchdog_make_timer();
    watchdog_look_every(0);
    size_t length = (size_t)snprintf(watched.line, sizeof watched.line, "\nhangs: ");
    va_list arguments;
    va_start(arguments, what);
    (void)vsnprintf(watched.line + length, sizeof watched.line - length - 1, what, arguments);
    va_end(arguments);
    watched.length = strlen(watched.line);
    watched.line[watched.length++] = '\n';
    watched.left_ns = seconds * UINT64_C(1000000000) * SLOWNESS;
    watched.cpu_ns = watchdog_cpu_ns();
    const struct sigaction looks = {.sa_handler = watchdog_looks, .sa_flags = SA_RESTART};
    (void)__sigaction(SIGALRM, &looks, NULL);
    watchdog_look_every(WATCHDOG_LOOKS);
}

/* For one that was started or not. */
static inline void watchdog_stop(void) {
    if (watched.process == getpid())
        watchdog_look_every(0);
}

/* ---- Seeds -------------------------------------------------------------------------------------------------------- */

/* The seed of a test's random numbers: another one each run, or ACTORBENCH_TEST_SEED. Tests print it when they fail. */
static inline uint64_t test_seed(void) {
    static uint64_t seed;
    const char *given = getenv("ACTORBENCH_TEST_SEED");
    if (given != NULL)
        seed = strtoull(given, NULL, 10);
    if (seed == 0)
        seed = (uint64_t)time(NULL) * 1000 + (uint64_t)getpid() % 1000;
    return seed;
}

/* ---- Configurations ----------------------------------------------------------------------------------------------- */

/* Sets an option that must exist. */
static inline void set_option(struct actorbench_config *config, const char *name, const char *value) {
    const char *complaint = actorbench_set_option(config, name, value);
    if (complaint != NULL)
        fail_msg("%s", complaint);
}

/* Starts an executor that must start. */
static inline void start_executor(const struct actorbench_config *config) {
    const char *complaint = actorbench_start(config);
    if (complaint != NULL)
        fail_msg("%s", complaint);
}

/* Asserts that an executor does not start, and says one line with these words in it. */
static inline void assert_not_started(const struct actorbench_config *config, const char *words) {
    const char *complaint = actorbench_start(config);
    if (complaint == NULL) {
        actorbench_stop();
        fail_msg("was started in place of refused with \"%s\"", words);
    }
    if (strstr(complaint, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", complaint, words);
    assert_null(strchr(complaint, '\n'));
}

/* Starts an executor with the defaults and so many workers. */
static inline void start_workers(unsigned workers) {
    struct actorbench_config config = actorbench_defaults();
    config.workers = workers;
    start_executor(&config);
}

/* ---- Tables of configurations: lines of values, under a first line that names them --------------------------------- */

/* The machine that the workers are taken to run on, so that some are near to each other and others far. */
#define TABLE_MACHINE "numa:2 core:2 pu:1"
enum { MOST_IN_TABLES = 16 }; /* workers */

/* With how many workers a line is run: as many as it says, unless ACTORBENCH_TEST_WORKERS says it, for machines that are
 * simulated. */
static inline unsigned workers_to_test(unsigned workers) {
    const char *given = getenv("ACTORBENCH_TEST_WORKERS");
    return given == NULL ? workers : (unsigned)strtoul(given, NULL, 10);
}

/* A line's mailboxes are more in proportion, where it is run with more workers than the tables are for. */
static inline void scale_mailboxes(char *value, size_t size) {
    unsigned workers = workers_to_test(0);
    if (workers > MOST_IN_TABLES)
        (void)snprintf(value, size, "%lu", strtoul(value, NULL, 10) * workers / MOST_IN_TABLES);
}

/* The configuration of a line. "workers" is a column as any option is. */
static inline struct actorbench_config configuration(const char *names, const char *values) {
    struct actorbench_config config = actorbench_defaults();
    char name[64], value[64];
    int name_length, value_length;
    config.seed = test_seed();
    config.topology = getenv("ACTORBENCH_TEST_WORKERS") == NULL ? TABLE_MACHINE : NULL;
    while (sscanf(names, " %63s%n", name, &name_length) == 1 && sscanf(values, " %63s%n", value, &value_length) == 1) {
        if (strncmp(name, "mailboxes", strlen("mailboxes")) == 0)
            scale_mailboxes(value, sizeof value);
        if (strcmp(name, "workers") == 0)
            config.workers = (unsigned)strtoul(value, NULL, 10);
        else
            set_option(&config, name, value);
        names += name_length;
        values += value_length;
    }
    config.workers = workers_to_test(config.workers);
    return config;
}

/* The state of a test that runs under a line of a table. */
struct table_line {
    const char *names, *values;
};

/* Starts the watchdog over a test under a line, for people to see which. */
static inline void watch_line(const char *what, const struct table_line *line) {
    watchdog_start(60, "%s under %s; ACTORBENCH_TEST_SEED=%llu", what, line->values, (unsigned long long)test_seed());
}

/* Says how to replay a table's run, should a line have failed. */
static inline int say_seed(void **state) {
    (void)state;
    (void)fprintf(stderr, "replay with ACTORBENCH_TEST_SEED=%llu\n", (unsigned long long)test_seed());
    return 0;
}

enum { MOST_LINES = 320 };

static struct CMUnitTest table_tests[MOST_LINES];
static size_t table_lines;

/* Adds a test under each line of a table to what run_tables runs. */
#define ADD_TABLE(table, test) add_table(table, LENGTH(table), test)
static inline void add_table(const char *const *table, size_t lines, CMUnitTestFunction test) {
    static struct table_line states[MOST_LINES];
    for (size_t i = 1; i < lines; i++, table_lines++) {
        if (table_lines == MOST_LINES) {
            (void)fprintf(stderr, "there is no room for \"%s\": raise MOST_LINES\n", table[i]);
            exit(1);
        }
        states[table_lines] = (struct table_line){table[0], table[i]};
        table_tests[table_lines] = (struct CMUnitTest){table[i], test, NULL, NULL, &states[table_lines]};
    }
}

static inline int run_tables(const char *group) {
    return _cmocka_run_group_tests(group, table_tests, table_lines, say_seed, NULL);
}

/* ---- Waiting ------------------------------------------------------------------------------------------------------ */

static inline void pause_ns(long nanoseconds) {
    const struct timespec pause = {.tv_nsec = nanoseconds};
    (void)nanosleep(&pause, NULL);
}

/* Waits until `condition` holds; the watchdog ends a wait in vain. */
#define AWAIT(condition)      \
    do {                      \
        while (!(condition))  \
            pause_ns(500000); \
    } while (0)

#endif
