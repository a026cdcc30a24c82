/* Fuzz target: descriptions of machines, synthetic ones and hwloc's XML files, and text of a cgroup's quota.
 *
 * Input: a byte for the order of CPUs and the number of workers, then a description, and if more follows after a zero, the
 * latencies between the machine's nodes, a byte each: these hwloc writes to an XML file, which is then read. (What hwloc
 * would never write, its own reader does not survive.) A description is refused with one line, or makes a plan in which no
 * CPU stands twice, and neighbours of which each worker has every other one once, the groups growing.
 */
#include "fuzz.h"

#include <hwloc.h>
#include <hwloc/distances.h>
#include <hwloc/export.h>
#include <sys/mman.h>
#include <unistd.h>

#include "neighbours.h"
#include "platform/cgroup.h"
#include "platform/topology.h"

enum { MOST_WORKERS = 8, MOST_NODES = 8, PLANS = PIN_SPREAD + 1 };

static void look_at_plan(const struct cpu_plan *plan) {
    MUST(plan->count >= 1);
    for (unsigned i = 0; i < plan->count; i++) {
        MUST(plan->places[i].cpu >= 0 && plan->places[i].thread >= 0);
        for (unsigned j = 0; j < i; j++)
            MUST(plan->places[i].cpu != plan->places[j].cpu);
    }
}

static void look_at_neighbours(const struct neighbours *neighbours, unsigned workers) {
    MUST(neighbours->count == workers && neighbours->groups >= 1);
    for (unsigned worker = 0; worker < workers; worker++) {
        unsigned seen = 1u << worker, end = 0;
        for (unsigned i = 0; i < workers - 1; i++)
            seen |= 1u << neighbours->order[worker * (workers - 1) + i];
        MUST(seen == (1u << workers) - 1);
        for (unsigned group = 0; group < neighbours->groups; group++) {
            MUST(neighbours->ends[worker * neighbours->groups + group] >= end);
            end = neighbours->ends[worker * neighbours->groups + group];
        }
        MUST(end == workers - 1);
    }
}

static void plan(const char *description, enum pin_plan pin, unsigned workers) {
    struct cpu_plan plan = {0};
    const char *why = topology_plan(description, pin, &plan);
    if (why != NULL) {
        MUST(is_one_line(why) && plan.places == NULL);
        return;
    }
    look_at_plan(&plan);
    free(plan.places);
    struct neighbours neighbours = {0};
    MUST(neighbours_make(&neighbours, description, pin, workers) == NULL);
    look_at_neighbours(&neighbours, workers);
    neighbours_release(&neighbours);
}

/* Adds a table of latencies, as far as there are bytes, to a machine. */
static void add_latencies(hwloc_topology_t machine, const uint8_t *latencies, size_t size) {
    hwloc_obj_t nodes[MOST_NODES];
    hwloc_uint64_t values[MOST_NODES * MOST_NODES] = {0};
    int count = hwloc_get_nbobjs_by_type(machine, HWLOC_OBJ_NUMANODE);
    if (count < 2 || count > MOST_NODES)
        return;
    for (int i = 0; i < count; i++)
        nodes[i] = hwloc_get_obj_by_type(machine, HWLOC_OBJ_NUMANODE, (unsigned)i);
    for (size_t i = 0; i < size && i < (size_t)(count * count); i++)
        values[i] = latencies[i];
    unsigned long kind = HWLOC_DISTANCES_KIND_MEANS_LATENCY | HWLOC_DISTANCES_KIND_FROM_USER;
    hwloc_distances_add_handle_t table = hwloc_distances_add_create(machine, NULL, kind, 0);
    MUST(table != NULL);
    MUST(hwloc_distances_add_values(machine, table, (unsigned)count, nodes, values, 0) == 0);
    MUST(hwloc_distances_add_commit(machine, table, 0) == 0);
}

/* Writes the machine to a file in memory, whose name it returns in `name`; the file, or -1 if there is no such machine. */
static int write_machine(const char *description, const uint8_t *latencies, size_t size, char *name, size_t name_size) {
    int file = -1;
    hwloc_topology_t machine;
    MUST(hwloc_topology_init(&machine) == 0);
    if (hwloc_topology_set_synthetic(machine, description) == 0 && hwloc_topology_load(machine) == 0) {
        add_latencies(machine, latencies, size);
        file = memfd_create("machine", MFD_CLOEXEC);
        MUST(file != -1);
        (void)snprintf(name, name_size, "/proc/self/fd/%d", file);
        MUST(hwloc_topology_export_xml(machine, name, 0) == 0);
    }
    hwloc_topology_destroy(machine);
    return file;
}

/* hwloc itself loses a few bytes of descriptions that it refuses. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libhwloc.so";
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    MUST(setenv("HWLOC_HIDE_ERRORS", "2", 1) == 0);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return NOT_WANTED;
    enum pin_plan pin = (enum pin_plan)(data[0] % PLANS);
    unsigned workers = 1 + data[0] / PLANS % MOST_WORKERS;
    struct words words = words_of(data + 1, size - 1);
    const char *text = words.count == 0 ? "" : words.word[0];
    size_t length = strlen(text) + 2; /* with the first byte and the zero */
    bool is_wanted = text[0] != '/' && text[0] != '.' && is_small_machine(text);
    (void)cgroup_parse_cpu_max(text);
    if (is_wanted && length < size) {
        char name[64];
        int file = write_machine(text, data + length, size - length, name, sizeof name);
        if (file != -1) {
            plan(name, pin, workers);
            (void)close(file);
        }
    } else if (is_wanted) {
        plan(text, pin, workers);
    }
    words_free(&words);
    return is_wanted ? ACCEPTED : NOT_WANTED;
}
