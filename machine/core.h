/* The parts of the simulated machine that the hooks touch at each access: cores, and the thread that runs. */
#ifndef ACTORBENCH_MACHINE_CORE_H
#define ACTORBENCH_MACHINE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "addresses.h"
#include "cache.h"
#include "layout.h"

/* Times are in picoseconds. */
typedef uint64_t time_ps;

#define NEVER UINT64_MAX

static inline time_ps picoseconds(double ns) {
    return (time_ps)(ns * 1000 + 0.5);
}

enum {
    FILTER = 512,       /* lines that a core is known to have in its first cache */
    PREDICTIONS = 4096, /* of branches */
    SITES = 256,        /* loads and stores whose addresses may be regular */
    STREAMS = 128,      /* pages in which lines may be asked for one after the other */
    WORDS_OF_CORES = MOST_CORES / 64,
    MOST_BUFFERED = 128, /* stores */
};

/* One bit a core. */
struct core_set {
    uint64_t words[WORDS_OF_CORES];
};

struct site {
    uint32_t code, line;
    int32_t stride; /* in lines */
};

/* Where in a page the last miss was, and how many misses went on from line to line in one direction. */
struct stream {
    uint32_t page, line;
    int32_t step;
    uint32_t length;
};

struct core {
    unsigned number;
    uint32_t filter[FILTER]; /* a line's number, shifted by one; the lowest bit: whether it may be written */
    struct cache l1, *l2, *l3;
    struct core_set with_l2, with_l3, with_package; /* who shares them */
    struct site sites[SITES];
    struct stream streams[STREAMS];
    uint32_t after_one[PREDICTIONS], after_many[PREDICTIONS]; /* the block that came next */
    unsigned running;                                         /* threads that run on it, and neither wait nor spin */
};

/* What a thread has done. */
struct counts {
    uint64_t instructions, blocks, mispredictions;
    uint64_t accesses, misses;     /* of a core's own caches */
    uint64_t atomics;              /* operations with a lock prefix */
    uint64_t transfers[DISTANCES]; /* lines that another core had written, by where it is */
    uint64_t memory;               /* lines that came from memory */
    uint64_t switches, parks, wakes, spins_skipped;
};

enum thread_state { READY, RUNNING, SPINNING, PARKED, SLEEPING, JOINING, ENDED, JOINED };

struct thread {
    /* What each hook reads. */
    time_ps clock;
    const uint32_t *costs; /* of blocks, in ps, by their place in the code */
    struct core *core;
    uint32_t history; /* of blocks */
    uint32_t before;  /* the last one */
    struct counts counts;

    uint32_t arrived;      /* the line that came last */
    bool arrived_to_write; /* or only to read */
    time_ps stays_until;   /* whoever wants it next */

    time_ps drained; /* when all of its stores are done */
    time_ps stores[MOST_BUFFERED];
    unsigned next_store;

    /* Spinning: what it has seen since its last pause, and for how long it has been nothing new. */
    uint64_t polls, polls_before, news, news_before;
    unsigned quiet;
    time_ps quiet_since;
    time_ps drowsy; /* not to be skipped before */

    enum thread_state state;
    unsigned number;
    int unit, pinned; /* where it runs, and where alone it may; -1: nowhere, anywhere */
    time_ps due;      /* when it goes on */
    unsigned place;   /* in the heap of those that are due; 0: not there */
    const void *awaited;
    time_ps slice_end, started, idle; /* idle: for how long it has not run */
    time_ps left;                     /* when it stopped running */
    struct thread *behind;            /* in its unit's queue */

    void *stack_pointer;
    void *locals;
    void *(*run)(void *);
    void *argument, *result;
};

extern struct core *cores;

/* The thread that runs. */
extern struct thread *self;

#endif
