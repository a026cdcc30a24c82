/* The command line of every program. */
#define _GNU_SOURCE
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

struct options options = {.seed = 1, .scale = 1.0};

#define LARGEST_AMOUNT UINT64_C(1000000000000)
enum { LARGEST_WORKERS = 4096, LARGEST_MAILBOXES = 4096 };

/* The numbers that are options of every program. */
static const struct parameter common[] = {
    {"workers", &options.workers, NULL, 0, LARGEST_WORKERS,
     "the executor's processors; 0: as many as CPUs may be used"},
    {"mailboxes-per-worker", &options.mailboxes, NULL, 1, LARGEST_MAILBOXES,
     "message queues that actors share; one worker has one"},
    {"seed", &options.seed, NULL, 0, UINT64_MAX, "of its random numbers"},
    {0},
};

void run_refuse(const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "%s: ", options.workload);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

void run_workload(const char *name, const char *unit, const char *summary, unsigned mailboxes) {
    options.workload = name;
    options.unit = unit;
    options.summary = summary;
    options.mailboxes = mailboxes;
}

static void declare(struct parameter parameter) {
    struct parameter *end = options.parameters;
    while (end->name != NULL)
        end++;
    *end = parameter;
}

void run_number(const char *name, uint64_t *value, const char *help) {
    run_number_within(name, value, 1, LARGEST_AMOUNT, help);
}

void run_number_within(const char *name, uint64_t *value, uint64_t least, uint64_t most, const char *help) {
    declare((struct parameter){name, value, NULL, least, most, help});
}

void run_choice(const char *name, uint64_t *value, const char *choices, const char *help) {
    declare((struct parameter){name, value, choices, 0, 0, help});
}

/* ---- What was asked for ------------------------------------------------------------------------------------------ */

/* The CPUs that this process may use. */
static unsigned cpus_at_hand(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (unsigned)online;
}

unsigned run_workers(void) {
    return options.workers == 0 ? cpus_at_hand() : (unsigned)options.workers;
}

/* A lone worker has nobody to keep from its mailbox, nor to steal from. */
unsigned run_mailboxes(void) {
    return run_workers() == 1 ? 1 : run_workers() * (unsigned)options.mailboxes;
}

int oversubscribed(void) {
    return run_workers() > cpus_at_hand();
}

double run_scale(void) {
    return options.scale;
}

uint64_t run_scaled(uint64_t amount) {
    double product = (double)amount * options.scale;
    if (product > 1e15)
        run_refuse("--scale %.10g is too large: it asks for %.10g units of work", options.scale, product);
    return product < 1.0 ? 1 : (uint64_t)llround(product);
}

uint64_t run_seed(void) {
    return options.seed;
}

uint64_t run_falsified(void) {
    return options.falsified;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static uint64_t whole_number(const struct parameter *parameter, const char *text) {
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || value < parameter->least ||
        value > parameter->most)
        run_refuse("--%s cannot be \"%.40s\": it is a whole number from %" PRIu64 " to %" PRIu64, parameter->name, text,
                   parameter->least, parameter->most);
    return value;
}

static uint64_t choice(const struct parameter *parameter, const char *text) {
    uint64_t number = 0;
    for (const char *word = parameter->choices; word != NULL; number++) {
        const char *bar = strchrnul(word, '|');
        if (strlen(text) == (size_t)(bar - word) && strncmp(text, word, strlen(text)) == 0)
            return number;
        word = *bar == '|' ? bar + 1 : NULL;
    }
    run_refuse("--%s cannot be \"%.40s\": it is %s", parameter->name, text, parameter->choices);
}

static double positive_number(const char *name, const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !isfinite(value) || value <= 0.0)
        run_refuse("--%s cannot be \"%.40s\": it is a number over 0, such as 0.02", name, text);
    return value;
}

static const struct parameter *find(const struct parameter *list, const char *name) {
    for (; list->name != NULL; list++)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
}

static void __attribute__((noreturn)) refuse_unknown(const char *name) {
    char known[240] = "";
    for (const struct parameter *each = options.parameters; each->name != NULL; each++) {
        strcat(known, "--");
        strcat(known, each->name);
        strcat(known, ", ");
    }
    run_refuse("there is no option --%.40s: the options are %s--workers, --mailboxes-per-worker, --scale, --seed, "
               "--json, --help",
               name, known);
}

static void set(const char *name, const char *text) {
    const struct parameter *parameter = find(options.parameters, name);
    if (parameter == NULL)
        parameter = find(common, name);
    if (parameter != NULL)
        *parameter->value = parameter->choices != NULL ? choice(parameter, text) : whole_number(parameter, text);
    else if (strcmp(name, "scale") == 0)
        options.scale = positive_number(name, text);
    else
        refuse_unknown(name);
}

/* ---- Help -------------------------------------------------------------------------------------------------------- */

const char *shown(const struct parameter *parameter, char *buffer, size_t size) {
    if (parameter->choices == NULL) {
        snprintf(buffer, size, "%" PRIu64, *parameter->value);
        return buffer;
    }
    const char *word = parameter->choices;
    for (uint64_t number = *parameter->value; number > 0; number--)
        word = strchr(word, '|') + 1;
    snprintf(buffer, size, "%.*s", (int)(strchrnul(word, '|') - word), word);
    return buffer;
}

static void explain(const char *name, const char *value, const char *help, const char *initial) {
    char usage[64];
    snprintf(usage, sizeof usage, "--%s %s", name, value);
    printf("  %-28s %s%s%s%s\n", usage, help, *initial ? " (" : "", initial, *initial ? ")" : "");
}

static void explain_all(const struct parameter *list) {
    char word[32];
    for (; list->name != NULL; list++)
        explain(list->name, list->choices != NULL ? list->choices : "N", list->help, shown(list, word, sizeof word));
}

static void __attribute__((noreturn)) help(void) {
    printf("%s, in %s: %s\n\nIts parameters\n", options.workload, run_title(), options.summary);
    explain_all(options.parameters);
    printf("\nOptions of every program\n");
    explain_all(common);
    explain("scale", "F", "multiplies the amount of work", "1");
    explain("json", "", "print the record, one line of JSON", "");
    explain("help", "", "print this", "");
    exit(fflush(stdout) == 0 ? 0 : 1);
}

void run_begin(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + 2;
        if (strncmp(argv[i], "--", 2) != 0)
            run_refuse("\"%.40s\" is no option: see --help", argv[i]);
        if (strcmp(name, "help") == 0)
            help();
        else if (strcmp(name, "json") == 0)
            options.json = 1;
        else if (strcmp(name, "falsify") == 0)
            options.falsified = 1;
        else if (i + 1 == argc)
            run_refuse("--%.40s needs a value: see --help", name);
        else
            set(name, argv[++i]);
    }
}
