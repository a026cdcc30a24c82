/* The main function of a simulated program: reads the machine's description, and runs the program's own main, wrapped by
 * the linker, as the machine's first thread.
 *
 *     ACTORBENCH_MACHINE=FILE      the description (description.h)
 *     ACTORBENCH_MACHINE_SEED=N    which of the possible interleavings (0)
 *     ACTORBENCH_LINES=FILE        write there which lines changed hands
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "blocks.h"
#include "handovers.h"
#include "heap.h"
#include "locals.h"
#include "own.h"
#include "program.h"
#include "stand_ins.h"
#include "threads.h"
#include "touch.h"

struct addresses addresses;
time_ps touch_atomic_ps;

static struct {
    struct description machine;
    struct counts started, stopped; /* at the start and the end of the timed span */
    const char *lines;
    int argc;
    char **argv;
} run;

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

const char *simulated_machine(void) {
    return run.machine.name;
}

/* ---- What was counted in the timed span --------------------------------------------------------------------------- */

/* A test has no such span. */
__attribute__((weak)) void __real_workload_start_clock(void);
void __wrap_workload_start_clock(void);
void __wrap_workload_start_clock(void) {
    if (run.lines != NULL)
        handovers_watch();
    run.started = threads_counts();
    __real_workload_start_clock();
}

__attribute__((weak)) void __real_workload_stop_clock(void);
void __wrap_workload_stop_clock(void);
void __wrap_workload_stop_clock(void) {
    __real_workload_stop_clock();
    run.stopped = threads_counts();
    if (run.lines != NULL)
        handovers_tell(run.lines);
}

static void print_count(const char *name, uint64_t stopped, uint64_t started) {
    printf("\"%s\":%llu,", name, (unsigned long long)(stopped - started));
}

void simulated_print_counts(void) {
    const struct counts *started = &run.started, *stopped = &run.stopped;
    uint64_t transfers = 0, remote = 0;
    for (unsigned i = 0; i < DISTANCES; i++) {
        transfers += stopped->transfers[i] - started->transfers[i];
        remote += i >= REMOTE ? stopped->transfers[i] - started->transfers[i] : 0;
    }
    print_count("instructions", stopped->instructions, started->instructions);
    print_count("mispredictions", stopped->mispredictions, started->mispredictions);
    print_count("accesses", stopped->accesses, started->accesses);
    print_count("misses", stopped->misses, started->misses);
    print_count("atomics", stopped->atomics, started->atomics);
    print_count("transfers", transfers, 0);
    print_count("remote_transfers", remote, 0);
    print_count("memory_reads", stopped->memory, started->memory);
    print_count("parks", stopped->parks, started->parks);
    printf("\"wakes\":%llu", (unsigned long long)(stopped->wakes - started->wakes));
}

/* ---- Start -------------------------------------------------------------------------------------------------------- */

static void *live(void *unused) {
    (void)unused;
    exit(__real_main(run.argc, run.argv));
}

static const char *asked(const char *name) {
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

/* The program's hwloc shall see the simulated machine. */
static void show_topology(const char *topology) {
    const char *name = access(topology, R_OK) == 0 ? "HWLOC_XMLFILE" : "HWLOC_SYNTHETIC";
    if (setenv(name, topology, 1) != 0 || setenv("HWLOC_THISSYSTEM", "0", 1) != 0)
        own_fail("the environment cannot be changed");
}

int __wrap_main(int argc, char **argv) {
    const char *path = asked("ACTORBENCH_MACHINE"), *seed = asked("ACTORBENCH_MACHINE_SEED");
    if (path == NULL) {
        (void)fputs("simulated machine: ACTORBENCH_MACHINE must name the file with its description:"
                    " ./actorbench machine NAME FILE makes one\n",
                    stderr);
        return 2;
    }
    run.argc = argc;
    run.argv = argv;
    run.lines = asked("ACTORBENCH_LINES");
    description_read(&run.machine, path);
    layout_make(&run.machine);
    show_topology(run.machine.topology);
    blocks_read(&run.machine);
    heap_make(&run.machine);
    stand_ins_make(&run.machine);
    touch_atomic_ps = (time_ps)(run.machine.atomic_ns * 1000);
    addresses.locals = (uintptr_t)locals_here();
    addresses.locals_bytes = locals_bytes();
    if (addresses.locals_bytes > LOCALS_BYTES)
        own_fail("the program has too many thread-local variables");
    threads_begin(&run.machine, seed == NULL ? 0 : strtoull(seed, NULL, 10), live, NULL);
}
