/* Reads keys and values. */
#include "description.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers, with the least that each may be. */
static const struct {
    const char *name;
    size_t offset;
    double least;
} numbers[] = {
#define NUMBER(name, least) \
    { #name, offsetof(struct description, name), least }
    NUMBER(ghz, 0.1),
    NUMBER(instructions_per_cycle, 0.1),
    NUMBER(mispredict_cycles, 0),
    NUMBER(smt_slowdown, 1),
    NUMBER(pause_ns, 0),
    NUMBER(l1_bytes, 4096),
    NUMBER(l1_ways, 1),
    NUMBER(l2_bytes, 4096),
    NUMBER(l2_ways, 1),
    NUMBER(l3_bytes, 4096),
    NUMBER(l3_ways, 1),
    NUMBER(l2_ns, 0),
    NUMBER(l3_ns, 0),
    NUMBER(transfer_l2_ns, 0),
    NUMBER(transfer_l3_ns, 0),
    NUMBER(transfer_package_ns, 0),
    NUMBER(transfer_remote_ns, 0),
    NUMBER(transfer_far_ns, 0),
    NUMBER(dram_local_ns, 0),
    NUMBER(dram_package_ns, 0),
    NUMBER(dram_remote_ns, 0),
    NUMBER(dram_far_ns, 0),
    NUMBER(dram_gb_per_s, 0.1),
    NUMBER(link_gb_per_s, 0.1),
    NUMBER(load_exposed, 0),
    NUMBER(transfer_exposed, 0),
    NUMBER(misses_at_once, 1),
    NUMBER(stream_gb_per_s, 0.1),
    NUMBER(store_buffer, 1),
    NUMBER(atomic_ns, 0),
    NUMBER(clock_ns, 0),
    NUMBER(yield_ns, 0),
    NUMBER(switch_ns, 0),
    NUMBER(slice_ns, 1000),
    NUMBER(park_ns, 0),
    NUMBER(wake_ns, 0),
    NUMBER(wake_latency_ns, 0),
    NUMBER(barrier_ns, 0),
    NUMBER(thread_ns, 0),
    NUMBER(fault_ns, 0),
    NUMBER(malloc_ns, 0),
#undef NUMBER
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0], BAD_USAGE = 2 };

__attribute__((format(printf, 1, 2))) _Noreturn static void refuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("simulated machine: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    exit(BAD_USAGE);
}

static void take_text(char *place, size_t size, const char *key, const char *value) {
    if (strlen(value) >= size)
        refuse("%s is longer than %zu characters", key, size - 1);
    (void)snprintf(place, size, "%s", value);
}

static void take(struct description *description, bool *given, const char *key, const char *value) {
    if (strcmp(key, "name") == 0) {
        take_text(description->name, sizeof description->name, key, value);
        if (strpbrk(value, "\"\\") != NULL)
            refuse("a name is letters, digits and dashes, not \"%s\"", value);
        return;
    }
    if (strcmp(key, "topology") == 0) {
        take_text(description->topology, sizeof description->topology, key, value);
        return;
    }
    if (strcmp(key, "hops") == 0) {
        take_text(description->hops, sizeof description->hops, key, value);
        return;
    }
    for (unsigned i = 0; i < NUMBERS; i++) {
        if (strcmp(key, numbers[i].name) != 0)
            continue;
        char *end;
        double number = strtod(value, &end);
        if (end == value || *end != '\0' || !isfinite(number) || number < numbers[i].least || number > 1e12)
            refuse("%s cannot be \"%s\": it is a number from %g", key, value, numbers[i].least);
        *(double *)((char *)description + numbers[i].offset) = number;
        given[i] = true;
        return;
    }
    refuse("there is no key \"%s\" in a machine's description", key);
}

void description_read(struct description *description, const char *path) {
    FILE *file = fopen(path, "re");
    if (file == NULL)
        refuse("%s cannot be read: %s", path, strerror(errno));
    *description = (struct description){.hops = "-"};
    bool given[NUMBERS] = {false};
    char line[2048];
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *value = strchr(line, ' ');
        if (line[0] == '\0' || line[0] == '#')
            continue;
        if (value == NULL)
            refuse("%s: \"%s\" has no value", path, line);
        *value++ = '\0';
        take(description, given, line, value);
    }
    (void)fclose(file);
    if (description->name[0] == '\0' || description->topology[0] == '\0')
        refuse("%s: name and topology are missing", path);
    for (unsigned i = 0; i < NUMBERS; i++)
        if (!given[i])
            refuse("%s: %s is missing", path, numbers[i].name);
}
