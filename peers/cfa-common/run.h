/* What every program in C-for-all and uC++ shares: options, the timed span, the verdict, the record (../README.md).
 *
 * Plain C, so that both languages can include it: functions only, and nothing that one of them reads differently.
 */
#ifndef RUN_H
#define RUN_H

#include <stdint.h>

#if defined(__cplusplus) || defined(__cforall)
extern "C" {
#endif

/* Who runs: the system's name in the record, its name for people, the version of GCC beneath it, its own version. */
void run_system(const char *name, const char *title, const char *gcc, int major, int minor, int patch);

/* What is run: the workload, what it counts ("message"), one line for --help, and how many mailboxes each of
 * several workers has if --mailboxes-per-worker does not say. */
void run_workload(const char *name, const char *unit, const char *summary, unsigned mailboxes);

/* A parameter of the workload: a whole number from 1, or within bounds, or one of "self|main", whose number is the
 * value. `value` holds the default. At most 4. */
void run_number(const char *name, uint64_t *value, const char *help);
void run_number_within(const char *name, uint64_t *value, uint64_t least, uint64_t most, const char *help);
void run_choice(const char *name, uint64_t *value, const char *choices, const char *help);

/* Reads the command line, after the above; does not return from --help or bad usage. */
void run_begin(int argc, char **argv);

/* Ends the program with status 2 and one line; not while there are actors. */
void run_refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* --scale, and `amount` of work times it, rounded, at least 1. */
double run_scale(void);
uint64_t run_scaled(uint64_t amount);

uint64_t run_seed(void);

/* For the executor: its workers, and the mailboxes (its message queues) of all of them. */
unsigned run_workers(void);
unsigned run_mailboxes(void);

/* The timed span: each once, from any thread. */
void run_start_clock(void);
void run_stop_clock(void);

/* Says that the result is wrong unless the count is as expected (one more, with --falsify); returns whether it is. */
int run_expect(uint64_t count, uint64_t expected, const char *what);

/* Says that the result is wrong, and why. */
void run_wrong(const char *why);

/* 1 if the program is to expect one more than it should (--falsify), otherwise 0. */
uint64_t run_falsified(void);

/* Prints the record of `operations` and returns the exit status. */
int run_end(uint64_t operations);

#if defined(__cplusplus) || defined(__cforall)
}
#endif

#endif
