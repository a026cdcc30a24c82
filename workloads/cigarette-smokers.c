/* cigarette-smokers: an arbiter lets one smoker after the other begin to smoke (Savina, Imam and Sarkar, AGERE 2014:
 * "Cigarette Smokers").
 *
 * The arbiter puts what a smoker lacks on the table: it tells a random one to smoke, and for how long. That smoker says
 * at once that it has begun, which clears the table, and smokes then. So smokers overlap, where a send does not wait for
 * its behaviour to return.
 *
 * In the suite a smoker draws up to 1009 random numbers; here each is a multiplication (common/work.h). The suite's 1000
 * rounds take a millisecond.
 */
#include <stdlib.h>

#include "draw.h"
#include "work.h"

static uint64_t smokers = 200, rounds = 1000;

enum { SHORTEST = 10, LONGER = 1000 }; /* of work, in steps: the least, and how much may be added */

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

typedef struct {
    struct actorbench_message message;
    uint64_t steps;
} cigarette;
ACTORBENCH_MESSAGE_TYPE(cigarette)

typedef struct {
    struct actorbench_actor actor;
    uint64_t checksum; /* of its cigarettes, in order */
} smoker;
#define BEHAVIOURS_smoker(ON) ON(smoker, cigarette, smoker_smokes)
ACTORBENCH_ACTOR_TYPE(smoker)

typedef struct {
    struct actorbench_actor actor;
    uint64_t begun, last; /* rounds */
    cigarette next;       /* one for all: a smoker reads it before it says that it has begun */
} arbiter;
#define BEHAVIOURS_arbiter(ON) ON(arbiter, notice, arbiter_chooses)
ACTORBENCH_ACTOR_TYPE(arbiter)

static smoker *all;
static arbiter the_arbiter;
static notice begun; /* one for all: what is sent is its address */

/* Who smokes in a round, and how long. */
static uint64_t chosen(uint64_t round) {
    return upper_below(draw(0, round), smokers);
}
static uint64_t steps_of(uint64_t round) {
    return SHORTEST + lower_below(draw(0, round), LONGER);
}

static uint64_t add_to_checksum(uint64_t checksum, uint64_t steps) {
    return checksum * UINT64_C(0x9e3779b97f4a7c15) + steps;
}

/* Told by main to begin, then by each smoker that it has begun. */
static enum actorbench_allocation arbiter_chooses(arbiter *self, notice *message) {
    (void)message;
    if (self->begun < self->last) {
        self->next.steps = steps_of(self->begun);
        actorbench_send(smoker, &all[chosen(self->begun)], &self->next);
        self->begun++;
        return ACTORBENCH_NODELETE;
    }
    for (uint64_t i = 0; i < smokers; i++)
        actorbench_send(smoker, &all[i], &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation smoker_smokes(smoker *self, cigarette *given) {
    uint64_t steps = given->steps;
    self->checksum = add_to_checksum(self->checksum, steps);
    actorbench_send(arbiter, &the_arbiter, &begun);
    work_do(steps);
    return ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"smokers", &smokers, NULL, 1, "that each lack something else"},
    {"rounds", &rounds, NULL, 1, "in each of which one smokes; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "cigarette-smokers",
    .summary = "an arbiter lets one smoker after the other begin to smoke",
    .unit = "round",
    .parameters = parameters,
};

/* Draws all rounds again, and compares. */
static void verify(void) {
    uint64_t *due = calloc(smokers, sizeof *due);
    if (due == NULL)
        workload_refuse("--smokers %llu: there is not enough memory for the check", (unsigned long long)smokers);
    for (uint64_t round = 0; round < the_arbiter.last; round++) {
        uint64_t *checksum = &due[chosen(round)];
        *checksum = add_to_checksum(*checksum, steps_of(round));
    }
    for (uint64_t i = 0; i < smokers; i++)
        if (all[i].checksum != due[i]) {
            workload_wrong("smoker %llu did not smoke what the arbiter gave it", (unsigned long long)i);
            break;
        }
    free(due);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    uint64_t last = workload_scaled(rounds);
    if (smokers > UINT32_MAX || last > UINT32_MAX)
        workload_refuse("--smokers and the rounds must each be under 2^32");
    all = calloc(smokers, sizeof *all);
    if (all == NULL)
        workload_refuse("--smokers %llu: there is not enough memory for so many", (unsigned long long)smokers);

    workload_start_executor();
    actorbench_message_init(notice, &begun, ACTORBENCH_NODELETE);
    actorbench_actor_init(arbiter, &the_arbiter);
    actorbench_message_init(cigarette, &the_arbiter.next, ACTORBENCH_NODELETE);
    the_arbiter.last = last;
    for (uint64_t i = 0; i < smokers; i++)
        actorbench_actor_init(smoker, &all[i]);
    workload_start_clock();
    actorbench_send(arbiter, &the_arbiter, &begun);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    free(all);
    return workload_end(last, 0);
}
