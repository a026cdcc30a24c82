/* The main function of an explored program: runs the program's own main, wrapped by the linker, under one schedule
 * after another, each in a child process, which starts from the same state.
 *
 *     PROGRAM [--schedules N] [--seed S] [--policy random|pct|even] [--depth D] [-- the program's arguments]
 *     PROGRAM --replay SEED [--length L] [--trace] [--count] [...]
 *
 * Schedule i has the seed S + i. The first that fails ends the search, with status 1 and the line that replays it; what
 * the program says is shown of that one only. The last line is `schedules N`: how many different ones were run. With
 * --count the line before it is JSON: what the threads did to lines of memory (lines.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "explorer.h"
#include "freed.h"
#include "platform/fatal.h"
#include "platform/memory.h"
#include "platform/small.h"
#include "seen.h"

enum { BAD_USAGE = 2, LONGEST_S = TESTED(600, 10), FIRST_LENGTH = 500 };

static struct {
    uint64_t schedules;
    struct policy policy; /* its seed is the first one */
    bool replays, traced, counted;
    int argc;
    char **argv; /* of the program */
} options = {.schedules = 1, .policy = {.kind = POLICY_RANDOM, .seed = 1, .depth = 4}};

static struct tracks *tracks; /* of the last schedule */
static int said;              /* the file that holds what the program said in it */

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

/* ---- The command line -------------------------------------------------------------------------------------------- */

_Noreturn static void refuse(const char *why, const char *what) {
    (void)fprintf(stderr, "explorer: %s: %s; see tests/explorer/README.md\n", what, why);
    exit(BAD_USAGE);
}

static uint64_t number(const char *name, const char *text, uint64_t minimum, uint64_t maximum) {
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < minimum || value > maximum)
        refuse("this number cannot be", name);
    return value;
}

static void set_option(const char *name, const char *value) {
    if (strcmp(name, "--schedules") == 0)
        options.schedules = number(name, value, 1, UINT32_MAX);
    else if (strcmp(name, "--seed") == 0 || strcmp(name, "--replay") == 0)
        options.policy.seed = number(name, value, 0, UINT64_MAX);
    else if (strcmp(name, "--depth") == 0)
        options.policy.depth = (unsigned)number(name, value, 1, MOST_DEPTH);
    else if (strcmp(name, "--length") == 0)
        options.policy.length = number(name, value, 1, UINT32_MAX);
    else if (strcmp(name, "--policy") == 0 && strcmp(value, "pct") == 0)
        options.policy.kind = POLICY_PCT;
    else if (strcmp(name, "--policy") == 0 && strcmp(value, "even") == 0)
        options.policy.kind = POLICY_EVEN;
    else if (strcmp(name, "--policy") != 0 || strcmp(value, "random") != 0)
        refuse("there is no such option", name);
    options.replays |= strcmp(name, "--replay") == 0;
}

static void read_options(int argc, char **argv) {
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--trace") == 0)
            options.traced = true;
        else if (strcmp(argv[i], "--count") == 0)
            options.counted = true;
        else if (i + 1 == argc)
            refuse("this option needs a value", argv[i]);
        else
            set_option(argv[i], argv[i + 1]), i++;
    }
    /* The program's own arguments follow its name. */
    options.argc = i < argc ? argc - i : 1;
    options.argv = i < argc ? &argv[i] : &argv[argc - 1];
    options.argv[0] = argv[0];
}

/* ---- Schedules --------------------------------------------------------------------------------------------------- */

/* The child: what the program says goes to `said`, or, of a replay, to whoever reads us. */
_Noreturn static void run_program(const struct policy *policy) {
    if (!options.replays && (dup2(said, STDOUT_FILENO) == -1 || dup2(said, STDERR_FILENO) == -1))
        fatal("a schedule's output cannot be kept");
    const struct itimerval longest = {.it_value = {.tv_sec = LONGEST_S}};
    (void)setitimer(ITIMER_PROF, &longest, NULL); /* CPU time, for loops that make no access */
    explorer_begin(policy, tracks, options.traced, options.counted);
    freed_begin(!options.counted && policy->seed % 2 != 0);
    int status = __real_main(options.argc, options.argv);
    freed_end();
    (void)fflush(NULL);
    _exit(status);
}

/* Runs one schedule; how the child ended. */
static int run_schedule(const struct policy *policy) {
    if (ftruncate(said, 0) != 0 || lseek(said, 0, SEEK_SET) != 0)
        fatal("what a schedule said cannot be forgotten");
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == -1)
        fatal("a schedule needs a process, which cannot be had");
    if (child == 0)
        run_program(policy);
    int ended;
    if (waitpid(child, &ended, 0) != child)
        fatal("a schedule's process is lost");
    return ended;
}

static void show_what_was_said(void) {
    char text[4096];
    ssize_t length;
    for (off_t at = 0; (length = pread(said, text, sizeof text, at)) > 0; at += length)
        (void)fwrite(text, 1, (size_t)length, stdout);
}

static void show_failure(const struct policy *policy, int ended) {
    show_what_was_said();
    if (WIFSIGNALED(ended))
        printf("explorer: the program was ended by signal %d (%s)\n", WTERMSIG(ended), strsignal(WTERMSIG(ended)));
    else
        printf("explorer: the program ended with status %d\n", WEXITSTATUS(ended));
    printf("replay: %s --replay %llu", options.argv[0], (unsigned long long)policy->seed);
    if (policy->kind == POLICY_EVEN)
        printf(" --policy even");
    if (policy->kind == POLICY_PCT)
        printf(" --policy pct --depth %u --length %llu", policy->depth, (unsigned long long)policy->length);
    printf(" --trace --");
    for (int i = 1; i < options.argc; i++)
        printf(strchr(options.argv[i], ' ') != NULL ? " '%s'" : " %s", options.argv[i]);
    printf("\n");
}

static void show_counts(const struct line_counts *counts) {
    printf("{\"atomic_loads\":%llu,\"atomic_stores\":%llu,\"locked_operations\":%llu,\"line_transfers\":%llu}\n",
           (unsigned long long)counts->loads, (unsigned long long)counts->stores, (unsigned long long)counts->locked,
           (unsigned long long)counts->transfers);
}

/* Runs them all, or up to the first that fails. */
static int explore(void) {
    struct seen seen = seen_new(options.schedules);
    struct policy policy = options.policy;
    if (policy.length == 0)
        policy.length = FIRST_LENGTH;
    int ended = 0;
    for (uint64_t i = 0; i < options.schedules && ended == 0; i++) {
        policy.seed = options.policy.seed + i;
        ended = run_schedule(&policy);
        seen_add(&seen, tracks->hash);
        if (options.policy.length == 0 && i == 0 && ended == 0)
            policy.length = tracks->accesses;
    }
    bool refused = WIFEXITED(ended) && WEXITSTATUS(ended) == BAD_USAGE;
    if (refused)
        show_what_was_said();
    else if (ended != 0)
        show_failure(&policy, ended);
    else if (options.counted)
        show_counts(&tracks->counts);
    printf("schedules %llu\n", (unsigned long long)seen.count);
    seen_release(&seen);
    return refused ? BAD_USAGE : ended != 0;
}

int __wrap_main(int argc, char **argv) {
    read_options(argc, argv);
    tracks = mmap(NULL, sizeof *tracks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    said = memfd_create("said", MFD_CLOEXEC);
    if (tracks == MAP_FAILED || said == -1)
        fatal("the explorer cannot have what its processes share");
    return explore();
}
