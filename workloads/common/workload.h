/* What every workload program shares: options, timing, verification, the record.
 *
 * A program declares its parameters, calls workload_begin, times its work between workload_start_clock and
 * workload_stop_clock, and returns workload_end(...) from main. Its options, record and exit statuses are then those of
 * every other program: 0 verified, 1 a wrong result, 2 bad usage (one line on standard error).
 */
#ifndef ACTORBENCH_WORKLOAD_H
#define ACTORBENCH_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "actor.h"
#include "executor.h"

/* A parameter of a workload, such as --actors N or --source self|main. */
struct parameter {
    const char *name;    /* without the dashes; NULL ends the list */
    uint64_t *value;     /* holds the default; for a choice its number */
    const char *choices; /* "self|main"; NULL: a whole number from `minimum` */
    uint64_t minimum;
    const char *help; /* one line */
};

/* A program of another system, which this one starts and asks: a peer's. The numbers are of its processes together. */
struct foreign {
    const char *system, *version, *runtime; /* as the record names them; runtime NULL: none */
    uint64_t (*cpu_ns)(void);
    uint64_t (*peak_rss_bytes)(void); /* 0: not known */
};

struct workload {
    const char *name;
    const char *summary; /* one line for --help */
    const char *unit;    /* what is counted: "message" */
    const struct parameter *parameters;
    bool bare;                     /* no executor: no --workers, no options of the design (the floor) */
    const struct foreign *foreign; /* whose record it prints; NULL: its own */
};

/* Reads the command line; does not return from --help, --show-plan or bad usage. */
void workload_begin(const struct workload *workload, int argc, char **argv);

/* --scale, over 0; and `amount` of work times --scale, rounded, at least 1. */
double workload_scale(void);
uint64_t workload_scaled(uint64_t amount);

/* --workers; 0: as many as CPUs may be used. */
unsigned workload_workers(void);

/* --seed. */
uint64_t workload_seed(void);

/* Ends the program with status 2 and one line; for parameters that do not fit together. */
_Noreturn void workload_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Starts the executor as configured, or ends the program with status 2. Not timed. */
void workload_start_executor(void);

/* The timed span: each once, from any thread. */
void workload_start_clock(void);
void workload_stop_clock(void);

/* Says that a result is wrong, and why: the program will exit with 1. */
void workload_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Puts a number beside the times into the record, under a name that record-1.json has. Before workload_end. */
void workload_measure(const char *name, double value);

/* The same of the latency's percentiles, as actorbench_percentiles has them, where a workload takes its own; NAN: one that is not
 * known. Of any other workload, a build that takes latency knows them. */
void workload_measure_latency(const double ns[ACTORBENCH_PERCENTILES]);

/* Tells the reader of the numbers something, in one line that needs no escape in JSON; the text is not copied. */
void workload_note(const char *note);

/* Prints the record of `operations` units (JSON or for people) and returns the exit status. After actorbench_stop.
 * `workers` is what the record says (for the floor: its threads; otherwise 0 for the executor's own number). */
int workload_end(uint64_t operations, unsigned workers);

/* ---- A count that every worker adds to without disturbing the others ---------------------------------------------- */

struct tally;

/* A count of zero; while the executor runs. Never freed: it lives as long as the program. */
struct tally *tally_new(void);

/* Adds 1. From behaviours, or from the one thread that is no worker. */
void tally_add(struct tally *tally);

/* The sum; exact when nobody adds, as after actorbench_wait. */
uint64_t tally_sum(const struct tally *tally);

#endif
