/* A run of a workload program: what workload.c knows and record.c prints. Private to these two. */
#ifndef ACTORBENCH_WORKLOADS_RUN_H
#define ACTORBENCH_WORKLOADS_RUN_H

#include "platform/cycles.h"
#include "workload.h"

enum { MOST_NOTES = 8, MOST_MEASURES = 16 };

/* A number beside the times, as the record names it. */
struct measured {
    const char *name; /* NULL ends the list */
    double value;
};

struct run {
    const struct workload *workload;
    struct actorbench_config config;
    double scale;
    bool json;
    bool verified;
    const char *notes[MOST_NOTES]; /* what a reader of the numbers must know; NULL: nothing more */
    struct measured measured[MOST_MEASURES + 1];
    unsigned workers;
    uint64_t started_ns, stopped_ns;         /* monotonic clock */
    uint64_t cpu_started_ns, cpu_stopped_ns; /* the process' CPU time */
    uint64_t ticks_started, ticks_stopped;   /* of clock_cycles */
    enum cycles_source cycles_source;        /* what of the processor's cycles is counted: --cycles */
    uint64_t cycles_started, cycles_stopped;
};

/* Print to standard output. `operations` is the number of units done. */
void record_print_json(const struct run *run, uint64_t operations);
void record_print_text(const struct run *run, uint64_t operations);

#endif
