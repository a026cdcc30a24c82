/* What the stress programs share: the command line, and rounds that run in children, so that a crash or a hang is a
 * finding like any other. The last line says how much was done, a line before it how to repeat what failed.
 *
 *     conserve [pauses] [reuse] [many] [--seed N] [--rounds N | --seconds S]
 *
 * Each round has a seed of its own, one more than the last. It decides all that is drawn; not what the kernel does.
 */
#ifndef ACTORBENCH_TESTS_STRESS_STRESS_H
#define ACTORBENCH_TESTS_STRESS_STRESS_H

#include "allocator.h"
#include "children.h"
#include "platform/random.h"
#include "threads.h"

struct stress {
    uint64_t seed; /* of the round */
    uint64_t rounds;
    time_t until;  /* 0: there is no limit of time */
    uint64_t done; /* in the program's unit */
};

static struct stress stress = {.seed = 1, .rounds = UINT64_MAX};

/* What else may be asked for: trouble, or more of what the program does. */
enum { PAUSES, REUSE, MANY, STRESS_WORDS };
static const char *const stress_words[STRESS_WORDS] = {"pauses", "reuse", "many"};
static bool stress_asks_for[STRESS_WORDS];

static inline bool stress_read_word(const char *word) {
    for (size_t i = 0; i < STRESS_WORDS; i++)
        if (strcmp(word, stress_words[i]) == 0) {
            stress_asks_for[i] = true;
            return true;
        }
    return false;
}

static inline void stress_read(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if (stress_read_word(argv[i]))
            continue;
        if (strcmp(argv[i], "--seed") == 0) {
            stress.seed = strtoull(value, NULL, 10);
        } else if (strcmp(argv[i], "--rounds") == 0) {
            stress.rounds = strtoull(value, NULL, 10);
        } else if (strcmp(argv[i], "--seconds") == 0) {
            stress.until = time(NULL) + (time_t)strtoull(value, NULL, 10);
        } else {
            (void)fprintf(stderr, "%s: there is no %s: see stress.h\n", argv[0], argv[i]);
            exit(2);
        }
        i++;
    }
    if (stress.rounds == UINT64_MAX && stress.until == 0)
        stress.rounds = 1;
}

/* ---- In a child ----------------------------------------------------------------------------------------------------- */

static void (*stress_body)(void);

/* Makes the trouble that is asked for, and runs the body under it. A crash ends the child: cmocka would go on after it. */
static inline void stress_test(void **state) {
    (void)state;
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    for (size_t i = 0; i < LENGTH(crashes); i++)
        (void)signal(crashes[i], SIG_DFL);
    delay_seed(stress.seed);
    if (stress_asks_for[REUSE])
        allocator_reuse_at_once();
    if (stress_asks_for[PAUSES])
        threads_pause(stress.seed);
    stress_body();
}

static inline void stress_run_body(void) {
    static const struct CMUnitTest tests[] = {{"round", stress_test, NULL, NULL, NULL}};
    if (freopen("/dev/null", "w", stdout) == NULL) /* what cmocka says of tests that pass */
        _exit(102);
    if (_cmocka_run_group_tests("stress", tests, 1, NULL, NULL) != 0)
        _exit(1);
}

/* Runs the body, in which cmocka's assertions may stand, in a child; false, and says what the child said, if one fails,
 * or if it crashes or hangs. */
static inline bool stress_holds(void (*body)(void)) {
    stress_body = body;
    struct child child = run_child(stress_run_body);
    if (child.status == 0)
        return true;
    printf("%s\nended with status %#x\n", child.said, (unsigned)child.status);
    return false;
}

/* ---- The whole ------------------------------------------------------------------------------------------------------ */

/* Runs rounds until one fails or there were as many, or for as long, as asked for; the exit status. A round adds what it
 * did to stress.done. */
static inline int stress_rounds(const char *program, bool (*round)(void), const char *unit) {
    bool holds = true;
    for (uint64_t i = 0; i < stress.rounds && (stress.until == 0 || time(NULL) < stress.until); i++) {
        holds = round();
        if (!holds)
            break;
        stress.seed++;
    }
    if (!holds) {
        printf("replay with: %s", program);
        for (size_t i = 0; i < STRESS_WORDS; i++)
            printf("%s%s", stress_asks_for[i] ? " " : "", stress_asks_for[i] ? stress_words[i] : "");
        printf(" --seed %llu --rounds 1\n", (unsigned long long)stress.seed);
    }
    printf("%s %llu\n", unit, (unsigned long long)stress.done);
    return holds ? 0 : 1;
}

/* A line of a table of configurations (rows.h), which the round's seed goes through in turn. */
static inline struct actorbench_config stress_configuration(const char *const *table, size_t lines) {
    struct actorbench_config config = configuration(table[0], table[1 + stress.seed % (lines - 1)]);
    config.seed = stress.seed;
    return config;
}

#endif
