/* The command line, the clock and the verdict of every workload program. */
#include "workload.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neighbours.h"
#include "platform/clock.h"
#include "platform/cpu.h"
#include "platform/fatal.h"
#include "platform/memory.h"
#include "platform/text.h"
#include "platform/topology.h"
#include "run.h"

static struct run run = {.scale = 1.0, .verified = true};
static bool show_plan, counts_cycles;

void workload_refuse(const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_make_visible(line);
    (void)fprintf(stderr, "%s: %s\n", run.workload->name, line);
    exit(2);
}

/* ---- Reading the command line ------------------------------------------------------------------------------------- */

static uint64_t whole_number(const char *name, const char *text, uint64_t minimum, uint64_t maximum) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < minimum || value > maximum)
        workload_refuse("--%s cannot be \"%.40s\": it is a whole number from %" PRIu64 " to %" PRIu64, name, text,
                        minimum, maximum);
    return value;
}

static double positive_number(const char *name, const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value <= 0.0)
        workload_refuse("--%s cannot be \"%.40s\": it is a number over 0, such as 0.02", name, text);
    return value;
}

static uint64_t choice(const char *name, const char *text, const char *choices) {
    uint64_t number = 0;
    for (const char *each = choices;; each++, number++) {
        size_t length = strcspn(each, "|");
        if (strlen(text) == length && strncmp(text, each, length) == 0)
            return number;
        each += length;
        if (*each == '\0')
            workload_refuse("--%s cannot be \"%.40s\": it is %s", name, text, choices);
    }
}

static bool is_design_option(const char *name) {
    for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++)
        if (strcmp(option->name, name) == 0)
            return !run.workload->bare;
    return false;
}

static void refuse_if(const char *complaint) {
    if (complaint != NULL)
        workload_refuse("%s", complaint);
}

_Noreturn static void refuse_unknown(const char *name) {
    char shown[41];
    (void)snprintf(shown, sizeof shown, "%.40s", name);
    text_make_visible(shown);
    (void)fprintf(stderr, "%s: there is no option --%s: the options are ", run.workload->name, shown);
    for (const struct parameter *parameter = run.workload->parameters; parameter->name != NULL; parameter++)
        (void)fprintf(stderr, "--%s, ", parameter->name);
    for (unsigned i = 0; !run.workload->bare && actorbench_options[i].name != NULL; i++)
        (void)fprintf(stderr, "--%s, ", actorbench_options[i].name);
    (void)fprintf(stderr, "%s--preset, --scale, --seed, --cycles, --json, --help\n",
                  run.workload->bare ? "" : "--workers, --show-plan, --topology, ");
    exit(2);
}

static void set_option(const char *name, const char *value) {
    for (const struct parameter *parameter = run.workload->parameters; parameter->name != NULL; parameter++) {
        if (strcmp(parameter->name, name) != 0)
            continue;
        *parameter->value = parameter->choices == NULL
                                ? whole_number(name, value, parameter->minimum, UINT64_C(1000000000000))
                                : choice(name, value, parameter->choices);
        return;
    }
    if (is_design_option(name))
        refuse_if(actorbench_set_option(&run.config, name, value));
    else if (strcmp(name, "scale") == 0)
        run.scale = positive_number(name, value);
    else if (strcmp(name, "seed") == 0)
        run.config.seed = whole_number(name, value, 0, UINT64_MAX);
    else if (strcmp(name, "cycles") == 0)
        counts_cycles = choice(name, value, "ticks|counted") != 0;
    else if (strcmp(name, "preset") == 0)
        return; /* applied by now */
    else if (strcmp(name, "workers") == 0 && !run.workload->bare)
        run.config.workers = (unsigned)whole_number(name, value, 0, 4096);
    else if (strcmp(name, "topology") == 0 && !run.workload->bare)
        run.config.topology = value;
    else
        refuse_unknown(name);
}

static void print_option(const char *name, const char *value, const char *help, const char *initial) {
    char usage[64];
    (void)snprintf(usage, sizeof usage, "--%s %s", name, value);
    printf("  %-38s %s%s%s%s\n", usage, help, initial == NULL ? "" : " (", initial == NULL ? "" : initial,
           initial == NULL ? "" : ")");
}

static void print_help(void) {
    printf("%s: %s\n\nIts parameters\n", run.workload->name, run.workload->summary);
    for (const struct parameter *parameter = run.workload->parameters; parameter->name != NULL; parameter++) {
        char initial[32];
        if (parameter->choices == NULL)
            (void)snprintf(initial, sizeof initial, "%" PRIu64, *parameter->value);
        else
            (void)snprintf(initial, sizeof initial, "%.*s", (int)strcspn(parameter->choices, "|"), parameter->choices);
        print_option(parameter->name, parameter->choices == NULL ? "N" : parameter->choices, parameter->help, initial);
    }
    printf("\nOptions of every program\n");
    print_option("scale", "F", "multiplies the amount of work", "1");
    print_option("seed", "N", "of its random numbers", "1");
    print_option("cycles", "ticks|counted", "the processor's, of its CPU time or as it counts them (if it may)",
                 "ticks");
    print_option("json", "", "print the record, one line of JSON", NULL);
    print_option("help", "", "print this", NULL);
    if (run.workload->bare)
        return;
    print_option("workers", "N", "0: as many as CPUs may be used", "0");
    for (const struct actorbench_preset *preset = actorbench_presets; preset->name != NULL; preset++) {
        char options[128];
        actorbench_describe_preset(preset, options, sizeof options);
        print_option("preset", preset->name, preset->help, options);
    }
    print_option("show-plan", "", "print which worker runs on which CPU (--pin), who is near whom, and end", NULL);
    print_option("topology", "FILE|SYNTHETIC", "take another machine's distances, or with --show-plan its plan", NULL);
    printf("\nOptions of the %s design\n", actorbench_design);
    for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++) {
        char initial[ACTORBENCH_TEXT], values[48];
        actorbench_get_option(&run.config, option, initial, sizeof initial);
        (void)snprintf(values, sizeof values, "%s%s%s", option->kind == ACTORBENCH_NUMBER ? "N" : "",
                       option->kind == ACTORBENCH_NUMBER && option->choices != NULL ? "|" : "",
                       option->choices != NULL ? option->choices : "");
        print_option(option->name, values, option->help, initial);
    }
}

static enum pin_plan chosen_pin(void) {
    char value[ACTORBENCH_TEXT] = "none";
    for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++)
        if (strcmp(option->name, "pin") == 0)
            actorbench_get_option(&run.config, option, value, sizeof value);
    return (enum pin_plan)choice("pin", value, PIN_CHOICES);
}

/* The workers that each group of victims adds, such as "1-3 | 4-7": of equal distance, in the order of their numbers. */
static void print_neighbours(const struct neighbours *neighbours, unsigned worker) {
    const unsigned *order = &neighbours->order[worker * (neighbours->count - 1)];
    const unsigned *ends = &neighbours->ends[worker * neighbours->groups];
    unsigned from = 0;
    for (unsigned group = 0; group < neighbours->groups; group++) {
        printf("%s", group == 0 ? "" : " |");
        while (from < ends[group]) {
            unsigned to = from;
            while (to + 1 < ends[group] && order[to + 1] == order[to] + 1)
                to++;
            printf(to == from ? " %u" : " %u-%u", order[from], order[to]);
            from = to + 1;
        }
    }
    putchar('\n');
}

static void print_plan(void) {
    struct cpu_plan plan = {0};
    struct neighbours neighbours = {0};
    refuse_if(topology_plan(run.config.topology, chosen_pin(), &plan));
    refuse_if(neighbours_make(&neighbours, run.config.topology, chosen_pin(), plan.count));
    printf("%6s %5s %5s %8s %5s %7s  %s\n", "worker", "CPU", "node", "package", "core", "thread",
           "other workers, the nearest first");
    for (unsigned i = 0; i < plan.count; i++) {
        const struct cpu_place *place = &plan.places[i];
        printf("%6u %5d %5d %8d %5d %7d  ", i, place->cpu, place->node, place->package, place->core, place->thread);
        print_neighbours(&neighbours, i);
    }
    neighbours_release(&neighbours);
    free(plan.places);
}

/* A preset holds for what no other option says, wherever it stands: so it comes first. */
static void apply_presets(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--preset") == 0)
            refuse_if(actorbench_set_preset(&run.config, argv[i + 1]));
}

void workload_begin(const struct workload *workload, int argc, char **argv) {
    run.workload = workload;
    run.config = actorbench_defaults();
    apply_presets(argc, argv);
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (strncmp(name, "--", 2) != 0)
            workload_refuse("\"%.40s\" is no option: see --help", name);
        name += 2;
        if (strcmp(name, "json") == 0) {
            run.json = true;
        } else if (strcmp(name, "help") == 0) {
            print_help();
            exit(0);
        } else if (strcmp(name, "show-plan") == 0 && !workload->bare) {
            show_plan = true;
        } else if (i + 1 == argc) {
            workload_refuse("--%.40s needs a value: see --help", name);
        } else {
            set_option(name, argv[++i]);
        }
    }
    if (show_plan) {
        print_plan();
        exit(0);
    }
    if (counts_cycles && workload->foreign != NULL)
        workload_refuse("--cycles counted counts a process' own: another system's have ticks");
    if (counts_cycles)
        run.cycles_source = cycles_open();
    if (counts_cycles && run.cycles_source == CYCLES_OF_CPU_TIME)
        workload_note("the kernel or the processor counts no cycles: they are the CPU time in ticks");
}

double workload_scale(void) {
    return run.scale;
}

uint64_t workload_scaled(uint64_t amount) {
    double scaled = (double)amount * run.scale;
    if (scaled > 1e15)
        workload_refuse("--scale %g is too large: it asks for %g units of work", run.scale, scaled);
    return scaled < 1.0 ? 1 : (uint64_t)llround(scaled);
}

unsigned workload_workers(void) {
    return run.config.workers;
}

uint64_t workload_seed(void) {
    return run.config.seed;
}

/* ---- Running ------------------------------------------------------------------------------------------------------ */

void workload_start_executor(void) {
    refuse_if(actorbench_start(&run.config));
    run.workers = actorbench_workers();
    if (actorbench_note() != NULL)
        workload_note(actorbench_note());
    if (run.config.topology != NULL)
        workload_note("distances between workers are those of another machine (--topology)");
    if (run.workers > topology_cpus_at_hand())
        workload_note("oversubscribed: more workers than CPUs at hand");
}

/* What the processor has counted; read outside the timed span, since that is a system call that asks all CPUs. */
static uint64_t counted_cycles(void) {
    uint64_t cycles = 0;
    if (run.cycles_source != CYCLES_OF_CPU_TIME && !cycles_read(&cycles))
        run.cycles_source = CYCLES_OF_CPU_TIME;
    return cycles;
}

static uint64_t cpu_ns(void) {
    return run.workload->foreign != NULL ? run.workload->foreign->cpu_ns() : clock_cpu_ns();
}

void workload_start_clock(void) {
    run.cycles_started = counted_cycles();
    run.cpu_started_ns = cpu_ns();
    run.ticks_started = clock_cycles();
    run.started_ns = clock_monotonic_ns();
}

void workload_stop_clock(void) {
    run.stopped_ns = clock_monotonic_ns();
    run.ticks_stopped = clock_cycles();
    run.cpu_stopped_ns = cpu_ns();
    run.cycles_stopped = counted_cycles();
}

void workload_wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "%s: wrong result: ", run.workload->name);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    run.verified = false;
}

void workload_note(const char *note) {
    unsigned notes = 0;
    while (notes < MOST_NOTES && run.notes[notes] != NULL)
        notes++;
    if (notes == MOST_NOTES)
        fatal("there is no room for the note \"%s\": make MOST_NOTES larger", note);
    run.notes[notes] = note;
}

/* The entry of that name, or the empty one behind the last. */
static struct measured *measured_as(const char *name) {
    struct measured *measured = run.measured;
    while (measured->name != NULL && strcmp(measured->name, name) != 0)
        measured++;
    return measured;
}

void workload_measure(const char *name, double value) {
    struct measured *measured = measured_as(name);
    if (measured == run.measured + MOST_MEASURES)
        fatal("there is no room for the measure %s: make MOST_MEASURES larger", name);
    *measured = (struct measured){name, value};
}

void workload_measure_latency(const double ns[ACTORBENCH_PERCENTILES]) {
    static const char *const names[ACTORBENCH_PERCENTILES] = {"latency_p50_ns",  "latency_p90_ns",   "latency_p99_ns",
                                                              "latency_p999_ns", "latency_p9999_ns", "latency_max_ns"};
    for (unsigned i = 0; i < ACTORBENCH_PERCENTILES; i++)
        if (!isnan(ns[i]))
            workload_measure(names[i], ns[i]);
}

int workload_end(uint64_t operations, unsigned workers) {
    struct actorbench_latency latency;
    if (measured_as("latency_p50_ns")->name == NULL && actorbench_last_latency(&latency))
        workload_measure_latency(latency.ns);
    struct actorbench_statistics counted;
    if (actorbench_last_statistics(&counted) && counted.messages_sent != counted.messages_received)
        workload_wrong("%" PRIu64 " messages were sent, but %" PRIu64 " received", counted.messages_sent,
                       counted.messages_received);
    if (workers != 0)
        run.workers = workers;
    (run.json ? record_print_json : record_print_text)(&run, operations);
    if (fflush(stdout) != 0) {
        (void)fprintf(stderr, "%s: the record cannot be written: %s\n", run.workload->name, strerror(errno));
        return 1;
    }
    return run.verified ? 0 : 1;
}

/* ---- Tallies ------------------------------------------------------------------------------------------------------ */

struct tally {
    CACHE_ALIGNED uint64_t count;
};

struct tally *tally_new(void) {
    size_t size =
        (actorbench_workers() + 1) * sizeof(struct tally); /* the last one is for the thread that is no worker */
    return memory_on_node(size, CACHE_LINE, ANY_NODE, "a tally");
}

void tally_add(struct tally *tally) {
    tally[actorbench_worker()].count++;
}

uint64_t tally_sum(const struct tally *tally) {
    uint64_t sum = 0;
    for (unsigned i = 0; i <= actorbench_workers(); i++)
        sum += tally[i].count;
    return sum;
}
