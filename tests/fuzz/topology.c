/* Fuzz target: descriptions of machines, synthetic ones and hwloc's XML files, and text of a cgroup's quota.
 *
 * Input: a byte for the order of CPUs and the number of workers, then the description; what begins with '<' is written to a
 * file. A description is refused with one line, or makes a plan in which no CPU stands twice, and neighbours of which each
 * worker has every other one once, the groups growing.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "neighbours.h"
#include "platform/cgroup.h"
#include "platform/topology.h"

enum { MOST_WORKERS = 8, PLANS = PIN_SPREAD + 1 };

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

/* A file in memory with this in it, and its name. */
static int make_file(const char *text, char *name, size_t size) {
    int file = memfd_create("machine", MFD_CLOEXEC);
    size_t length = strlen(text);
    MUST(file != -1 && write(file, text, length) == (ssize_t)length);
    (void)snprintf(name, size, "/proc/self/fd/%d", file);
    return file;
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
    bool is_wanted = true;
    (void)cgroup_parse_cpu_max(text);
    if (text[0] == '<') {
        char name[64];
        int file = make_file(text, name, sizeof name);
        plan(name, pin, workers);
        (void)close(file);
    } else if (text[0] != '/' && text[0] != '.' && is_small_machine(text)) {
        plan(text, pin, workers);
    } else {
        is_wanted = false;
    }
    words_free(&words);
    return is_wanted ? ACCEPTED : NOT_WANTED;
}
