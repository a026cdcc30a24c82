/* logistic-map: actors compute series of the logistic map, term by term, by others that know the rates (Savina, Imam and
 * Sarkar, AGERE 2014: "Logistic Map Series").
 *
 * The master sends every series all its requests for a next term at once, in turn, and at last one for the term that it
 * has reached. A series asks its computer, x -> r x (1 - x), and takes no other request before the answer. The suite
 * stashes what comes meanwhile, or blocks; since all these requests are alike, a series counts them.
 *
 * Nothing holds the master back: the mailboxes together grow towards --series x --terms envelopes.
 */
#include <stdlib.h>

#include "workload.h"

static uint64_t series_count = 10, terms = 25000;
static uint64_t last; /* terms of each series */

enum { MOST_SERIES = 217 }; /* up to a rate of 4 terms stay between 0 and 1 */

typedef struct series series;

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

/* For the term that a series has reached. */
typedef struct {
    struct actorbench_message message;
} query;
ACTORBENCH_MESSAGE_TYPE(query)

/* From a series to its computer and, with the next term, back; at the end to the master. */
typedef struct {
    struct actorbench_message message;
    series *from;
    double term;
} computation;
ACTORBENCH_MESSAGE_TYPE(computation)

typedef struct {
    struct actorbench_actor actor;
    double rate;
} computer;
#define BEHAVIOURS_computer(ON) ON(computer, computation, computer_computes)
ACTORBENCH_ACTOR_TYPE(computer)

struct series {
    struct actorbench_actor actor;
    computer *knows;
    computation current;
    uint64_t requested, computed; /* terms */
    bool queried;
};
#define BEHAVIOURS_series(ON) \
    ON(series, notice, series_goes_on) ON(series, computation, series_hears) ON(series, query, series_is_queried)
ACTORBENCH_ACTOR_TYPE(series)

typedef struct {
    struct actorbench_actor actor;
    uint64_t missing; /* answers */
} master;
#define BEHAVIOURS_master(ON) ON(master, notice, master_begins) ON(master, computation, master_hears)
ACTORBENCH_ACTOR_TYPE(master)

static series *all;
static computer *computers;
static master the_master;
static notice next; /* one for all: what is sent is its address */
static query reached;

static double next_term(double term, double rate) {
    return rate * term * (1 - term);
}

static double rate_of(uint64_t number) {
    return 3.46 + (double)number * 0.0025;
}

static double first_term_of(uint64_t number) {
    return (double)number * 0.0025;
}

static enum actorbench_allocation master_begins(master *self, notice *message) {
    for (uint64_t i = 0; i < last; i++)
        for (uint64_t j = 0; j < series_count; j++)
            actorbench_send(series, &all[j], message);
    for (uint64_t j = 0; j < series_count; j++)
        actorbench_send(series, &all[j], &reached);
    self->missing = series_count;
    return ACTORBENCH_NODELETE;
}

/* After a request or an answer: none is due now. */
static void go_on(series *self) {
    if (self->computed < self->requested)
        actorbench_send(computer, self->knows, &self->current);
    else if (self->queried)
        actorbench_send(master, &the_master, &self->current);
}

static enum actorbench_allocation series_goes_on(series *self, notice *message) {
    (void)message;
    if (self->computed == self->requested++)
        go_on(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation series_is_queried(series *self, query *message) {
    (void)message;
    self->queried = true;
    if (self->computed == self->requested)
        go_on(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation computer_computes(computer *self, computation *asked) {
    asked->term = next_term(asked->term, self->rate);
    actorbench_send(series, asked->from, asked);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation series_hears(series *self, computation *answer) {
    (void)answer;
    self->computed++;
    go_on(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation master_hears(master *self, computation *result) {
    (void)result;
    if (--self->missing != 0)
        return ACTORBENCH_NODELETE;
    for (uint64_t i = 0; i < series_count; i++) {
        actorbench_send(computer, &computers[i], &actorbench_finished_message);
        actorbench_send(series, &all[i], &actorbench_finished_message);
    }
    return ACTORBENCH_FINISHED;
}

static const struct parameter parameters[] = {
    {"series", &series_count, NULL, 1, "each with a computer of its own"},
    {"terms", &terms, NULL, 1, "of each series; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "logistic-map",
    .summary = "actors compute series of the logistic map, term by term, by others that know the rates",
    .unit = "term",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    last = workload_scaled(terms);
    if (series_count > MOST_SERIES)
        workload_refuse("--series %llu: at most %d, so that no rate is over 4", (unsigned long long)series_count,
                        MOST_SERIES);
    all = calloc(series_count, sizeof *all);
    computers = calloc(series_count, sizeof *computers);
    if (all == NULL || computers == NULL)
        workload_refuse("--series %llu: there is not enough memory for so many", (unsigned long long)series_count);

    workload_start_executor();
    actorbench_message_init(notice, &next, ACTORBENCH_NODELETE);
    actorbench_message_init(query, &reached, ACTORBENCH_NODELETE);
    actorbench_actor_init(master, &the_master);
    for (uint64_t i = 0; i < series_count; i++) {
        actorbench_actor_init(computer, &computers[i]);
        actorbench_actor_init(series, &all[i]);
        actorbench_message_init(computation, &all[i].current, ACTORBENCH_NODELETE);
        computers[i].rate = rate_of(i);
        all[i].knows = &computers[i];
        all[i].current.from = &all[i];
        all[i].current.term = first_term_of(i);
    }
    workload_start_clock();
    actorbench_send(master, &the_master, &next);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    for (uint64_t i = 0; i < series_count; i++) {
        double due = first_term_of(i);
        for (uint64_t j = 0; j < last; j++)
            due = next_term(due, rate_of(i));
        if (all[i].current.term != due || all[i].computed != last)
            workload_wrong("series %llu has reached %.17g after %llu terms in place of %.17g after %llu",
                           (unsigned long long)i, all[i].current.term, (unsigned long long)all[i].computed, due,
                           (unsigned long long)last);
    }
    free(computers);
    free(all);
    return workload_end(series_count * last, 0);
}
