/* The description of a machine that is simulated: its topology and what things cost there.
 *
 * The driver writes it from machine/descriptions/NAME.toml, which says where each number comes from: a line a key, the
 * key and its value. Each key below must be there, and no other.
 */
#ifndef ACTORBENCH_MACHINE_DESCRIPTION_H
#define ACTORBENCH_MACHINE_DESCRIPTION_H

#include <stdint.h>

struct description {
    char name[64];
    char topology[1024]; /* hwloc's synthetic string, or a file of its XML */
    char hops[1024];     /* "0 1 2,1 0 1,2 1 0": links between nodes, a row a node; "-": one between any two packages */

    /* Instructions. Cycles of a core that has its sibling to itself. */
    double ghz;
    double instructions_per_cycle;
    double mispredict_cycles;
    double smt_slowdown; /* how much longer an instruction takes while the other hyper-thread runs */
    double pause_ns;

    /* Caches: bytes and ways of each; a core's own, those that it shares with the cores below the same object of hwloc's
     * tree, L2 and L3. What a hit costs beyond one in L1. */
    double l1_bytes, l1_ways, l2_bytes, l2_ways, l3_bytes, l3_ways;
    double l2_ns, l3_ns;

    /* A line that another core has written, by where that core is. */
    double transfer_l2_ns, transfer_l3_ns, transfer_package_ns, transfer_remote_ns, transfer_far_ns;

    /* Memory, by where its node is. */
    double dram_local_ns, dram_package_ns, dram_remote_ns, dram_far_ns;
    double dram_gb_per_s; /* of a node */
    double link_gb_per_s; /* between two packages */

    /* How a core hides them. */
    double load_exposed;     /* what part of the latency of a plain load from caches and memory the core waits for */
    double transfer_exposed; /* the same of a line that another core has written */
    double misses_at_once;   /* of loads whose addresses are known early */
    double stream_gb_per_s;  /* of lines that the core fetches before they are asked for */
    double store_buffer;     /* stores */
    double atomic_ns;        /* an operation with a lock prefix on a line that the core owns */

    /* The system. */
    double clock_ns, yield_ns, switch_ns, slice_ns;
    double park_ns, wake_ns, wake_latency_ns; /* what the sleeper pays, what the waker pays, until the sleeper runs */
    double barrier_ns;                        /* membarrier(2) */
    double thread_ns;                         /* starting a thread */
    double fault_ns;                          /* a page's first touch */
    double malloc_ns;                         /* malloc(3) or free(3) with a block of the thread's own cache */
};

/* Reads it; on a failure it prints one line and ends the program with status 2. */
void description_read(struct description *description, const char *path);

#endif
