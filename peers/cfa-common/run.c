/* The timed span, the verdict and the record. */
#define _GNU_SOURCE
#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gnu/libc-version.h>

#include "options.h"

static const char *system_name, *title, *gcc;
static int version[3];

static uint64_t started_ns, stopped_ns, cpu_started_ns, cpu_stopped_ns;
static int wrong;

void run_system(const char *name, const char *name_for_people, const char *compiler, int major, int minor, int patch) {
    system_name = name;
    title = name_for_people;
    gcc = compiler;
    version[0] = major;
    version[1] = minor;
    version[2] = patch;
}

const char *run_title(void) {
    return title;
}

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void run_start_clock(void) {
    cpu_started_ns = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    started_ns = nanoseconds(CLOCK_MONOTONIC);
}

void run_stop_clock(void) {
    stopped_ns = nanoseconds(CLOCK_MONOTONIC);
    cpu_stopped_ns = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- The verdict ------------------------------------------------------------------------------------------------- */

void run_wrong(const char *why) {
    fprintf(stderr, "%s: wrong result: %s\n", options.workload, why);
    wrong = 1;
}

int run_expect(uint64_t count, uint64_t expected, const char *what) {
    char why[160];
    expected += options.falsified;
    if (count == expected)
        return 1;
    snprintf(why, sizeof why, "%" PRIu64 " %s in place of %" PRIu64, count, what, expected);
    run_wrong(why);
    return 0;
}

/* ---- The record -------------------------------------------------------------------------------------------------- */

/* The peak of the process' own resident memory, or 0 if the kernel does not tell. */
static uint64_t peak_rss_bytes(void) {
    FILE *status = fopen("/proc/self/status", "r");
    if (status == NULL)
        return 0;
    char line[256];
    uint64_t kib = 0;
    while (fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmHWM: %" SCNu64, &kib) == 1)
            break;
    fclose(status);
    return kib * 1024;
}

/* Nothing needs escaping: names and texts are the programs' own, or were checked against a list of choices. */
static void print_json(uint64_t operations) {
    printf("{\"schema\":1,\"system\":\"%s\",\"version\":\"%d.%d.%d\",\"design\":\"native\",\"build\":\"release\",",
           system_name, version[0], version[1], version[2]);
    printf("\"options\":{\"mailboxes-per-worker\":%" PRIu64 ",\"runtime\":\"GCC %s, glibc %s\"},", options.mailboxes,
           gcc, gnu_get_libc_version());
    printf("\"workload\":\"%s\",\"parameters\":{", options.workload);
    for (const struct parameter *each = options.parameters; each->name != NULL; each++) {
        char word[32];
        const char *quote = each->choices != NULL ? "\"" : "";
        printf("\"%s\":%s%s%s,", each->name, quote, shown(each, word, sizeof word), quote);
    }
    printf("\"scale\":%.10g,\"seed\":%" PRIu64 "},\"workers\":%u,", options.scale, options.seed, run_workers());
    printf("\"elapsed_ns\":%" PRIu64 ",\"cpu_ns\":%" PRIu64 ",", stopped_ns > started_ns ? stopped_ns - started_ns : 1,
           cpu_stopped_ns - cpu_started_ns);
    printf("\"operations\":%" PRIu64 ",\"unit\":\"%s\",\"peak_rss_bytes\":%" PRIu64 ",\"verified\":%s,", operations,
           options.unit, peak_rss_bytes(), wrong ? "false" : "true");
    printf("\"notes\":[\"workers are the executor's processors, in a cluster of its own\",\"%u mailboxes\"%s]}\n",
           run_mailboxes(), oversubscribed() ? ",\"oversubscribed: more workers than CPUs at hand\"" : "");
}

static void print_text(uint64_t operations) {
    double elapsed = (double)(stopped_ns - started_ns);
    printf("%s, %s %d.%d.%d, %u worker%s, %u mailbox%s\n", options.workload, title, version[0], version[1], version[2],
           run_workers(), run_workers() == 1 ? "" : "s", run_mailboxes(), run_mailboxes() == 1 ? "" : "es");
    printf("  work         %" PRIu64 " %ss\n", operations, options.unit);
    printf("  time         %.3f s (%.2f ns a %s)\n", elapsed / 1e9, elapsed / (double)operations, options.unit);
    printf("  CPU time     %.3f s\n", (double)(cpu_stopped_ns - cpu_started_ns) / 1e9);
    printf("  peak memory  %.1f MiB\n", (double)peak_rss_bytes() / (1024.0 * 1024.0));
    printf("  result       %s\n", wrong ? "WRONG" : "verified");
    if (oversubscribed())
        printf("  note         oversubscribed: more workers than CPUs at hand\n");
}

int run_end(uint64_t operations) {
    if (options.json)
        print_json(operations);
    else
        print_text(operations);
    if (fflush(stdout) != 0) {
        fprintf(stderr, "%s: the record cannot be written: %s\n", options.workload, strerror(errno));
        return 1;
    }
    return wrong;
}
