/* The record: one line of JSON for the driver, or a few aligned lines for people. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* The peak of the process' own resident memory, or 0 if the kernel does not tell. Not getrusage(2): its number leaks
 * from parent to child across fork and exec. */
static uint64_t peak_rss_bytes(void) {
    FILE *status = fopen("/proc/self/status", "re");
    if (status == NULL)
        return 0;
    char line[256];
    uint64_t kibibytes = 0;
    while (fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmHWM: %" SCNu64, &kibibytes) == 1)
            break;
    (void)fclose(status);
    return kibibytes * 1024;
}

static uint64_t peak_of(const struct run *run) {
    return run->workload->foreign != NULL ? run->workload->foreign->peak_rss_bytes() : peak_rss_bytes();
}

static double mean(uint64_t sum, uint64_t count) {
    return count == 0 ? 0.0 : (double)sum / (double)count;
}

/* Names and texts are the program's own, or were checked against a list of choices: nothing needs escaping. */
static void print_options(const struct run *run) {
    const struct foreign *foreign = run->workload->foreign;
    const char *separator = "";
    printf("\"options\":{");
    if (foreign != NULL && foreign->runtime != NULL)
        printf("\"runtime\":\"%s\"", foreign->runtime);
    for (unsigned i = 0; !run->workload->bare && actorbench_options[i].name != NULL; i++) {
        const struct actorbench_option *option = &actorbench_options[i];
        char value[ACTORBENCH_TEXT];
        actorbench_get_option(&run->config, option, value, sizeof value);
        printf("%s\"", separator);
        for (const char *letter = option->name; *letter != '\0'; letter++)
            putchar(*letter == '-' ? '_' : *letter);
        bool is_number = option->kind == ACTORBENCH_NUMBER && *value >= '0' && *value <= '9';
        printf(is_number ? "\":%s" : "\":\"%s\"", value);
        separator = ",";
    }
    printf("},");
}

static void print_choice(const char *choices, uint64_t number) {
    while (number-- > 0)
        choices += strcspn(choices, "|") + 1;
    printf("%.*s", (int)strcspn(choices, "|"), choices);
}

static void print_parameters(const struct run *run) {
    printf("\"parameters\":{");
    for (const struct parameter *parameter = run->workload->parameters; parameter->name != NULL; parameter++) {
        printf("\"%s\":", parameter->name);
        if (parameter->choices == NULL) {
            printf("%" PRIu64 ",", *parameter->value);
        } else {
            putchar('"');
            print_choice(parameter->choices, *parameter->value);
            printf("\",");
        }
    }
    printf("\"scale\":%.10g,\"seed\":%" PRIu64 "},", run->scale, run->config.seed);
}

static uint64_t count_at(const struct actorbench_statistics *statistics, size_t offset) {
    uint64_t count;
    memcpy(&count, (const char *)statistics + offset, sizeof count);
    return count;
}

static void print_counter(const struct actorbench_statistics *statistics, const struct actorbench_counter *one) {
    uint64_t value = count_at(statistics, one->counter);
    if (one->per == (size_t)ACTORBENCH_COUNT)
        printf("%" PRIu64, value);
    else
        printf("%.3f", mean(value, count_at(statistics, one->per)));
}

static void print_statistics(void) {
    struct actorbench_statistics statistics;
    bool all = actorbench_last_statistics(&statistics);
    const char *separator = "";
    printf(",\"statistics\":{");
    for (const struct actorbench_counter *one = actorbench_counters; one->name != NULL; one++) {
        if (!all && !one->always)
            continue;
        printf("%s\"%s\":", separator, one->name);
        separator = ",";
        print_counter(&statistics, one);
    }
    printf("}");
}

static void print_text_statistics(void) {
    struct actorbench_statistics statistics;
    bool all = actorbench_last_statistics(&statistics);
    for (const struct actorbench_counter *one = actorbench_counters; one->name != NULL; one++) {
        if (!all && !one->always)
            continue;
        printf("  %-20s ", one->name);
        print_counter(&statistics, one);
        putchar('\n');
    }
}

static void print_measured(const struct run *run) {
    const char *separator = ",\"measured\":{";
    for (const struct measured *one = run->measured; one->name != NULL; one++) {
        printf("%s\"%s\":%.9g", separator, one->name, one->value);
        separator = ",";
    }
    if (run->measured[0].name != NULL)
        printf("}");
}

/* Cycles of the timed span, over all threads; 0 if nothing tells of them. */
static uint64_t cycles_of(const struct run *run) {
    if (run->cycles_source != CYCLES_OF_CPU_TIME)
        return run->cycles_stopped - run->cycles_started;
    double elapsed = (double)(run->stopped_ns - run->started_ns),
           ticks = (double)(run->ticks_stopped - run->ticks_started);
    if (!cycles_have_ticks() || elapsed <= 0.0)
        return 0;
    return (uint64_t)(ticks / elapsed * (double)(run->cpu_stopped_ns - run->cpu_started_ns) + 0.5);
}

static const char *name_of(enum cycles_source source) {
    return source == CYCLES_OF_ALL ? "perf_event" : source == CYCLES_OF_USER_MODE ? "perf_event, user mode" : "ticks";
}

static void print_cycles(const struct run *run) {
    uint64_t cycles = cycles_of(run);
    if (cycles == 0)
        return;
    printf(",\"cycles\":{\"count\":%" PRIu64 ",\"by\":\"%s\"", cycles, name_of(run->cycles_source));
    if (run->cycles_source == CYCLES_OF_CPU_TIME)
        printf(",\"ghz\":%.4g",
               (double)(run->ticks_stopped - run->ticks_started) / (double)(run->stopped_ns - run->started_ns));
    printf("}");
}

/* On which machine, if it is not the one that the program runs on; and what was counted there. */
static void print_machine(void) {
#if defined(ACTORBENCH_SIMULATED)
    printf(",\"machine\":\"simulated: %s\",\"counts\":{", simulated_machine());
    simulated_print_counts();
    printf("}");
#endif
}

void record_print_json(const struct run *run, uint64_t operations) {
    const struct foreign *foreign = run->workload->foreign;
    printf("{\"schema\":1,\"system\":\"%s\",\"version\":\"%s\",\"design\":\"%s\",\"build\":\"" ACTORBENCH_BUILD "\",",
           foreign != NULL ? foreign->system : "actorbench", foreign != NULL ? foreign->version : ACTORBENCH_VERSION,
           foreign != NULL ? "native" : actorbench_design);
    print_options(run);
    printf("\"workload\":\"%s\",", run->workload->name);
    print_parameters(run);
    printf("\"workers\":%u,\"elapsed_ns\":%" PRIu64 ",\"cpu_ns\":%" PRIu64 ",\"operations\":%" PRIu64
           ",\"unit\":\"%s\",\"peak_rss_bytes\":%" PRIu64 ",\"verified\":%s,\"notes\":[",
           run->workers, run->stopped_ns - run->started_ns, run->cpu_stopped_ns - run->cpu_started_ns, operations,
           run->workload->unit, peak_of(run), run->verified ? "true" : "false");
    for (unsigned i = 0; i < MOST_NOTES && run->notes[i] != NULL; i++)
        printf("%s\"%s\"", i == 0 ? "" : ",", run->notes[i]);
    printf("]");
    print_cycles(run);
    print_measured(run);
    if (!run->workload->bare)
        print_statistics();
    print_machine();
    printf("}\n");
}

void record_print_text(const struct run *run, uint64_t operations) {
    double elapsed = (double)(run->stopped_ns - run->started_ns);
    double cpu = (double)(run->cpu_stopped_ns - run->cpu_started_ns);
    printf("%s, %s%s, %u %s%s\n", run->workload->name, run->workload->bare ? "" : actorbench_design,
           run->workload->bare ? "no runtime" : " design", run->workers, run->workload->bare ? "thread" : "worker",
           run->workers == 1 ? "" : "s");
    printf("  %-20s %" PRIu64 " %ss\n", "work", operations, run->workload->unit);
    printf("  %-20s %.3f s (%.2f ns a %s)\n", "time", elapsed / 1e9, elapsed / (double)operations, run->workload->unit);
    printf("  %-20s %.3f s\n", "CPU time", cpu / 1e9);
    if (cycles_of(run) != 0)
        printf("  %-20s %.1f a %s (%s)\n", "cycles", (double)cycles_of(run) / (double)operations, run->workload->unit,
               name_of(run->cycles_source));
    printf("  %-20s %.1f MiB\n", "peak memory", (double)peak_of(run) / (1024.0 * 1024.0));
    printf("  %-20s %s\n", "result", run->verified ? "verified" : "WRONG");
    for (const struct measured *one = run->measured; one->name != NULL; one++)
        printf("  %-20s %.9g\n", one->name, one->value);
#if defined(ACTORBENCH_SIMULATED)
    printf("  %-20s simulated: %s\n", "machine", simulated_machine());
#endif
    if (!run->workload->bare)
        print_text_statistics();
    for (unsigned i = 0; i < MOST_NOTES && run->notes[i] != NULL; i++)
        printf("  %-20s %s\n", "note", run->notes[i]);
}
