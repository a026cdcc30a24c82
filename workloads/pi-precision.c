/* pi-precision: a master has actors compute the terms of a series for pi, and adds them up (Savina: Imam and Sarkar, AGERE
 * 2014; "Precise Pi Computation").
 *
 * The series is Bailey, Borwein and Plouffe's. Each actor has ten terms to do at the start, and gets another for each that
 * it answers. Savina computes in decimals, each term rounded to the precision; here it is in binary places, as many as the
 * decimals need (fixed.h), in which a term's 16^-k is a shift. Sums are exact, so that the order of the answers does not
 * matter.
 *
 * Savina's master stops when it sees a term under the precision; how many it has asked for by then depends on the
 * schedule. Here it asks for those that are not 0 in the places that there are. The result is compared with pi by another
 * formula.
 */
#include <math.h>
#include <stdlib.h>

#include "fixed.h"
#include "workload.h"

static uint64_t digits = 5000, actors = 20;
static size_t limbs;   /* of a number */
static uint64_t terms; /* 0, 1, ... */

enum { TERMS_AT_ONCE = 10, MOST_DIGITS = 1000000 }; /* of an actor */

typedef struct {
    struct actorbench_message message;
} begin;
ACTORBENCH_MESSAGE_TYPE(begin)

/* From the master to an actor, with the value back, and out again with another number. */
typedef struct {
    struct actorbench_message message;
    uint64_t number, actor;
    uint32_t *value;
} term;
ACTORBENCH_MESSAGE_TYPE(term)

typedef struct {
    struct actorbench_actor actor;
    uint32_t *quotient; /* room for one */
} calculator;
#define BEHAVIOURS_calculator(ON) ON(calculator, term, calculator_works)
ACTORBENCH_ACTOR_TYPE(calculator)

typedef struct {
    struct actorbench_actor actor;
    uint64_t asked, received; /* terms */
    uint32_t *sum;
} master;
#define BEHAVIOURS_master(ON) ON(master, begin, master_begins) ON(master, term, master_adds)
ACTORBENCH_ACTOR_TYPE(master)

static master the_master;
static calculator *calculators;
static term *messages;
static uint64_t in_flight; /* of them */

/* 16^-k (4 / (8k + 1) - 2 / (8k + 4) - 1 / (8k + 5) - 1 / (8k + 6)) */
static enum actorbench_allocation calculator_works(calculator *self, term *work) {
    static const uint32_t parts[][2] = {{2, 4}, {1, 5}, {1, 6}};
    uint32_t eight_k = (uint32_t)(8 * work->number);
    fixed_divide_whole(limbs, work->value, 4, 4 * work->number, eight_k + 1);
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        fixed_divide_whole(limbs, self->quotient, parts[i][0], 4 * work->number, eight_k + parts[i][1]);
        fixed_subtract(limbs, work->value, self->quotient);
    }
    actorbench_send(master, &the_master, work);
    return ACTORBENCH_NODELETE;
}

static void ask(master *self, term *message) {
    message->number = self->asked++;
    actorbench_send(calculator, &calculators[message->actor], message);
}

static enum actorbench_allocation master_begins(master *self, begin *start) {
    (void)start;
    for (uint64_t i = 0; i < in_flight; i++)
        ask(self, &messages[i]);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation master_adds(master *self, term *done) {
    fixed_add(limbs, self->sum, done->value);
    self->received++;
    if (self->asked < terms)
        ask(self, done);
    if (self->received < terms)
        return ACTORBENCH_NODELETE;
    for (uint64_t i = 0; i < actors; i++)
        actorbench_send(calculator, &calculators[i], &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static const struct parameter parameters[] = {
    {"digits", &digits, NULL, 1, "decimals of pi; --scale multiplies their square"},
    {"actors", &actors, NULL, 1, "that compute terms"},
    {0},
};

static const struct workload workload = {
    .name = "pi-precision",
    .summary = "a master has actors compute the terms of a series for pi, and adds them up",
    .unit = "term",
    .parameters = parameters,
};

static uint64_t least(uint64_t one, uint64_t other) {
    return one < other ? one : other;
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    double scaled_digits = fmax(1.0, round((double)digits * sqrt(workload_scale())));
    if (scaled_digits > MOST_DIGITS || actors > UINT32_MAX)
        workload_refuse("%.0f digits and %llu actors: they must be at most %d and under 2^32", scaled_digits,
                        (unsigned long long)actors, MOST_DIGITS);
    limbs = fixed_limbs((uint64_t)scaled_digits);
    terms = 8 * (limbs - 1) + 1; /* each has 4 zeros in front that the one before has not */
    in_flight = least(terms, least((uint64_t)scaled_digits, TERMS_AT_ONCE * actors));
    calculators = calloc(actors, sizeof *calculators);
    messages = calloc(in_flight, sizeof *messages);
    /* The sum, pi and two to compute it, a quotient of each actor, the values on their way. */
    uint32_t *numbers = calloc((in_flight + actors + 4) * limbs, sizeof *numbers);
    if (calculators == NULL || messages == NULL || numbers == NULL)
        workload_refuse("there is not enough memory for %.0f digits and %llu actors", scaled_digits,
                        (unsigned long long)actors);

    workload_start_executor();
    static begin start;
    actorbench_message_init(begin, &start, ACTORBENCH_NODELETE);
    actorbench_actor_init(master, &the_master);
    the_master.sum = numbers;
    for (uint64_t i = 0; i < actors; i++) {
        actorbench_actor_init(calculator, &calculators[i]);
        calculators[i].quotient = &numbers[(4 + i) * limbs];
    }
    for (uint64_t i = 0; i < in_flight; i++) {
        actorbench_message_init(term, &messages[i], ACTORBENCH_NODELETE);
        messages[i].actor = i % actors;
        messages[i].value = &numbers[(4 + actors + i) * limbs];
    }
    workload_start_clock();
    actorbench_send(master, &the_master, &start);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    uint32_t *pi = &numbers[limbs];
    fixed_pi(limbs, pi, &numbers[2 * limbs]);
    if (!fixed_is_near(limbs, the_master.sum, pi))
        workload_wrong("the sum of %llu terms is not pi", (unsigned long long)the_master.received);
    free(numbers);
    free(messages);
    free(calculators);
    return workload_end(terms, 0);
}
