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

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Configuration ---------------------------------------------------------------------------------------------- */

enum {
    ACTORBENCH_OPTIONS = 16,
    ACTORBENCH_PRESETS = 6,
    ACTORBENCH_TEXT = 64, /* room for any option's value as text */
};

/* What an executor is made of. Start from actorbench_defaults(); set a design's options by name (below). */
struct actorbench_config {
    unsigned workers;     /* 0: as many as CPUs may be used (affinity mask, cgroup quota) */
    uint64_t seed;        /* of the workers' random numbers (victims, where a search starts) */
    const char *topology; /* NULL, or a machine whose distances the workers are to take for theirs: topology.h */
    unsigned options[ACTORBENCH_OPTIONS]; /* a design's options, as numbers; see actorbench_options */
};

/* The defaults of the design that the program is linked with. */
struct actorbench_config actorbench_defaults(void);

enum actorbench_option_kind {
    ACTORBENCH_CHOICE, /* one of `choices`: its number */
    ACTORBENCH_SET,    /* any of `choices`, with commas between them, or "nothing": a bit for each */
    ACTORBENCH_NUMBER, /* a whole number from `minimum` on, or one of `choices`, if there are any: ACTORBENCH_WORD */
};

/* What an option of kind ACTORBENCH_NUMBER is if it is one of its choices. */
#define ACTORBENCH_WORD(choice) (UINT32_MAX - (choice))

/* An option of a design, such as --queue copy|list. */
struct actorbench_option {
    const char *name; /* without the dashes; NULL ends the list */
    enum actorbench_option_kind kind;
    const char *choices; /* "copy|list"; NULL for what is a number always */
    unsigned minimum;
    const char *help;                        /* one line */
    unsigned values[1 + ACTORBENCH_PRESETS]; /* the default, and the value under each of actorbench_presets */
};

/* The options of the design that the program is linked with, in the order of actorbench_config.options. */
extern const struct actorbench_option actorbench_options[];

/* What a source's system does, as values of the options. */
struct actorbench_preset {
    const char *name; /* NULL ends the list */
    const char *help; /* one line */
};

/* The presets of the design that the program is linked with: ACTORBENCH_PRESETS at most. */
extern const struct actorbench_preset actorbench_presets[];

/* The design's name: "message-centric", "actor-centric" or "worker-centric". */
extern const char actorbench_design[];

/* Sets an option from text. Returns NULL, or one line that says what is wrong and what is allowed (valid until the
 * next call). */
const char *actorbench_set_option(struct actorbench_config *config, const char *name, const char *value);

/* Sets all options to a preset's values. Returns NULL, or one line as above. */
const char *actorbench_set_preset(struct actorbench_config *config, const char *name);

/* Writes an option's value as text, at most `size` bytes with the final zero. */
void actorbench_get_option(const struct actorbench_config *config, const struct actorbench_option *option, char *text,
                           size_t size);

/* The same of what a preset says otherwise than the defaults do: "idle=spin". */
void actorbench_describe_preset(const struct actorbench_preset *preset, char *text, size_t size);

/* How long a message waits is bounded in every design, in messages and behaviours, unless its options say otherwise:
 * docs/correctness.md, "How long a message waits". */

/* ---- Start and stop --------------------------------------------------------------------------------------------- */

/* Starts the workers; NULL stands for the defaults. Returns NULL, or one line that says why not and what to change
 * (valid until the next call); then nothing has been started. */
const char *actorbench_start(const struct actorbench_config *config);

/* Waits until every actor made so far has terminated; the executor goes on. No other thread but behaviours may make
 * actors meanwhile. */
void actorbench_wait(void);

/* Waits like actorbench_wait, stops the workers and releases everything. Actors whose end never comes keep it waiting.
 * Checked builds stop the program if a message was sent but never received. Sends of other threads must return
 * before the call: one may still be about to wake a worker when its message, the last one, has run. */
void actorbench_stop(void);

/* ---- What runs -------------------------------------------------------------------------------------------------- */

/* The number of workers. While the executor runs, from any thread. */
unsigned actorbench_workers(void);

/* Which worker runs the caller, 0 .. actorbench_workers() - 1; or actorbench_workers() on a thread that is no worker. */
unsigned actorbench_worker(void);

/* How actors are dealt out at creation, while main alone creates them: the worker that actor `number`, counted from the
 * start of the executor, goes to. While the executor runs, on main, before it has sent to any actor that it asks for:
 * a design may deal otherwise where nobody asks. */
unsigned actorbench_place(uint64_t number);

/* Something that was asked for and is off here, e.g. stealing with one worker; NULL if there is nothing to say. While
 * the executor runs. */
const char *actorbench_note(void);

/* ---- Statistics (thesis, "Safety and Productivity") --------------------------------------------------------------- */

enum { ACTORBENCH_THEFTS = 4 };

/* Counted by each worker for itself, added up by actorbench_stop. */
struct actorbench_statistics {
    uint64_t actors_created;
    uint64_t messages_sent;     /* by behaviours and by other threads */
    uint64_t messages_received; /* behaviours run */
    uint64_t steal_attempts;
    uint64_t steal_no_candidate; /* the victim had nothing to take: no mailbox that was non-empty and not being
                                    processed, or no ready actor */
    uint64_t steals;
    uint64_t lock_waits;   /* of workers for a lock that was not free */
    uint64_t lock_wait_ns; /* until it looked free */

    /* Of the designs with mailboxes that actors share: of the message-centric one, */
    uint64_t gulps;             /* that brought at least one message */
    uint64_t missed_gulps;      /* the mailbox was being processed by another worker */
    uint64_t steal_failed_swap; /* one of the two compare-and-swaps failed */
    uint64_t messages_stolen;   /* messages in the stolen mailboxes at the time of the swap */

    /* and of the worker-centric one. There a steal is a mailbox given, or taken. */
    uint64_t runs;            /* of the run queue that brought at least one message */
    uint64_t messages_passed; /* from the run queue to another worker's mailbox */
    uint64_t asks;            /* of thieves, to be given work */
    uint64_t refusals;        /* of workers that were asked, and had nothing to give */

    /* Of the actor-centric design. */
    uint64_t activations;   /* ready actors that were run */
    uint64_t yields;        /* of them, those that had run as many messages as they may at a time, with more to come */
    uint64_t actors_stolen; /* ready actors that the thefts brought */
    uint64_t swaps;         /* role swaps of a worker's two queues */
    uint64_t balances;      /* ends of a run at which half of one queue's actors went to the other */
    uint64_t home_returns;  /* actors woken at their home by a sender elsewhere */
    uint64_t thefts[ACTORBENCH_THEFTS];   /* by how many actors waited with the victim: 1, 2 to 7, 8 to 63, more */
    uint64_t theft_ns[ACTORBENCH_THEFTS]; /* that these took, with what reading a clock takes */
};

/* A counter that means something in a design, or the mean of one over another. */
struct actorbench_counter {
    const char *name; /* as in the record; NULL ends the list */
    size_t counter;   /* offsets in struct actorbench_statistics */
    size_t per;       /* divides the first; ACTORBENCH_COUNT: nothing does */
    bool always;      /* counted in every build: thefts are */
};

enum { ACTORBENCH_COUNT = -1 };

/* The counters of the design that the program is linked with. */
extern const struct actorbench_counter actorbench_counters[];

/* The counts of the last round, after actorbench_stop. False in a build that counts thefts only: the rest is zero then. */
bool actorbench_last_statistics(struct actorbench_statistics *statistics);

/* ---- Latency: the time from a send to the start of its behaviour ------------------------------------------------- */

enum { ACTORBENCH_PERCENTILES = 6 };

/* 50, 90, 99, 99.9, 99.99, and 100: the longest. */
extern const double actorbench_percentiles[ACTORBENCH_PERCENTILES];

struct actorbench_latency {
    uint64_t messages;
    double ns[ACTORBENCH_PERCENTILES]; /* so many percent of them took no longer; see latency.h for how exact this is */
};

/* Of all messages of the last round, after actorbench_stop. False, and nothing is written, in a build that takes no latency, as
 * do all but CONFIG=latency. */
bool actorbench_last_latency(struct actorbench_latency *latency);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
