/* The machine: how many workers it can run, and on which CPUs (hwloc).
 *
 * A topology is either this machine's, cut down to the CPUs that the process may use (affinity mask, cpuset), or a
 * described one (an hwloc XML file or a synthetic string such as "pack:2 numa:1 core:24 pu:2"), which can be planned
 * for but not run on. Functions are meant for start-up, by one thread.
 */
#ifndef ACTORBENCH_PLATFORM_TOPOLOGY_H
#define ACTORBENCH_PLATFORM_TOPOLOGY_H

#include <stdbool.h>

/* In which order the CPUs of a machine are given to workers. */
enum pin_plan {
    PIN_NONE,       /* to none: the kernel moves the workers as it likes */
    PIN_CORES,      /* every core of the machine before any second hyper-thread, package by package */
    PIN_SMT,        /* a package's cores, then its hyper-threads, then the next package (the thesis' Intel plan) */
    PIN_SPREAD,     /* every core before any hyper-thread, one from each NUMA node in turn */
    PIN_FOUR_NODES, /* four NUMA nodes filled, a core of each in turn, before the next four (locality paper, 4) */
};

/* Their names on a command line, in that order. */
#define PIN_CHOICES "none|cores|smt|spread|four-nodes"

/* A processing unit in a plan; `node`, `package` and `core` are hwloc's logical numbers, `cpu` is the kernel's. */
struct cpu_place {
    int cpu, node, package, core;
    int thread; /* 0 for a core's first processing unit, 1 for its second ... */
};

/* The CPUs in the order in which workers take them: worker i runs on places[i % count]. The caller owns `places`. */
struct cpu_plan {
    struct cpu_place *places;
    unsigned count;
};

/* How many CPUs the process may use: the CPUs of its affinity mask, but no more than its cgroup's quota is worth,
 * rounded up. At least 1. */
unsigned topology_usable_cpus(void);

/* The same without hwloc, whose tree takes time and memory that would be measured: CPUs of the calling thread's affinity
 * mask, no more than the quota is worth. At least 1. */
unsigned topology_cpus_at_hand(void);

/* Fills `plan` for this machine (description NULL) or for a described one. Returns NULL, or why it could not (a
 * static string). PIN_NONE gives hwloc's own order. The caller frees plan->places with free(3). */
const char *topology_plan(const char *description, enum pin_plan pin, struct cpu_plan *plan);

/* Whether this machine has more than one NUMA node, so that placement means something. */
bool topology_has_nodes(void);

/* Binds the calling thread to a CPU (the kernel's number). Returns false if the kernel refuses. */
bool topology_bind_thread(int cpu);

#endif
