/* The face of the runtime, part two: configuration, start and stop, statistics.
 *
 * A program has one executor at a time, and may start and stop it as often as it likes. Unless said otherwise these
 * functions are for the thread that started the executor (main).
 */
#ifndef ACTORBENCH_EXECUTOR_H
#define ACTORBENCH_EXECUTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Configuration ---------------------------------------------------------------------------------------------- */

/* What an executor is made of. Start from executor_defaults(); set a design's options by name (below). */
struct executor_config {
    unsigned workers;     /* 0: as many as CPUs may be used (affinity mask, cgroup quota) */
    uint64_t seed;        /* of the workers' random numbers (victims, where a scan starts) */
    unsigned options[16]; /* a design's options: the number of a choice, or a number; see executor_options */
};

/* The defaults of the design that the program is linked with. */
struct executor_config executor_defaults(void);

/* An option of a design, such as --queue copy|list. */
struct executor_option {
    const char *name;    /* without the dashes; NULL ends the list */
    const char *choices; /* "copy|list"; NULL: the value is a whole number from 1 */
    unsigned initial;    /* the default: the number of a choice, or the value */
    unsigned thesis;     /* what the thesis' system does */
    const char *help;    /* one line */
};

/* The options of the design that the program is linked with, in the order of executor_config.options. */
extern const struct executor_option executor_options[];

/* The design's name, "message-centric" or "actor-centric". */
extern const char executor_design[];

/* Sets an option from text. Returns NULL, or one line that says what is wrong and what is allowed (valid until the
 * next call). */
const char *executor_set_option(struct executor_config *config, const char *name, const char *value);

/* Sets all options to a preset's values: "thesis". Returns NULL, or one line as above. */
const char *executor_set_preset(struct executor_config *config, const char *name);

/* Writes an option's value as text, at most `size` bytes with the final zero. */
void executor_get_option(const struct executor_config *config, const struct executor_option *option, char *text,
                         size_t size);

/* ---- Start and stop --------------------------------------------------------------------------------------------- */

/* Starts the workers; NULL stands for the defaults. Returns NULL, or one line that says why not and what to change
 * (valid until the next call); then nothing has been started. */
const char *executor_start(const struct executor_config *config);

/* Waits until every actor made so far has terminated; the executor goes on. No other thread but behaviours may make
 * actors meanwhile. */
void executor_wait(void);

/* Waits like executor_wait, stops the workers and releases everything. Actors whose end never comes keep it waiting.
 * Checked builds stop the program if a message was sent but never received. */
void executor_stop(void);

/* ---- What runs -------------------------------------------------------------------------------------------------- */

/* The number of workers. While the executor runs, from any thread. */
unsigned executor_workers(void);

/* Which worker runs the caller, 0 .. executor_workers() - 1; or executor_workers() on a thread that is no worker. */
unsigned executor_worker(void);

/* How actors are dealt out at creation, while main alone creates them: actor k (counted from the start of the
 * executor) goes to worker (k / share) % workers, where share is this number. 0 if workers' shares differ. */
unsigned executor_share(void);

/* Something that was asked for and is off here, e.g. stealing with one worker; NULL if there is nothing to say. While
 * the executor runs. */
const char *executor_note(void);

/* ---- Statistics (thesis, "Safety and Productivity") --------------------------------------------------------------- */

/* Counted by each worker for itself, added up by executor_stop. */
struct executor_statistics {
    uint64_t actors_created;
    uint64_t messages_sent;     /* by behaviours and by other threads */
    uint64_t messages_received; /* behaviours run */
    uint64_t gulps;             /* that brought at least one message */
    uint64_t missed_gulps;      /* the mailbox was being processed by another worker */
    uint64_t steal_attempts;
    uint64_t steal_no_candidate; /* the victim had no mailbox that was non-empty and not being processed */
    uint64_t steal_failed_swap;  /* one of the two compare-and-swaps failed */
    uint64_t steals;
    uint64_t messages_stolen; /* messages in the stolen mailboxes at the time of the swap */
};

/* The counts of the last round, after executor_stop. False, and zeroes, in a build that does not count. */
bool executor_last_statistics(struct executor_statistics *statistics);

#endif
