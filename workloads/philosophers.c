/* philosophers: philosophers ask an arbitrator for their two forks until they get them, and eat (Savina, Imam and Sarkar,
 * AGERE 2014: "Dining Philosophers").
 *
 * Who is denied asks again at once, as in the suite: the hungry poll in messages. How often is up to the schedule, so
 * that meals are counted. Who has had its last meal leaves, so that nobody is denied for ever.
 *
 * Forks are plain memory that only who has them may write to. The arbitrator also checks that forks come back from whom
 * it gave them to.
 */
#include <stdlib.h>

#include "workload.h"

static uint64_t philosophers = 20, meals = 10000;
static uint64_t last; /* meals of each philosopher */

typedef struct philosopher philosopher;

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

typedef struct {
    struct actorbench_message message;
    philosopher *from;
} hungry;
ACTORBENCH_MESSAGE_TYPE(hungry)

typedef struct {
    struct actorbench_message message;
    philosopher *from;
} done;
ACTORBENCH_MESSAGE_TYPE(done)

typedef struct {
    struct actorbench_message message;
} food;
ACTORBENCH_MESSAGE_TYPE(food)

struct fork {
    const philosopher *held; /* by whom, or NULL; the arbitrator's */
    uint64_t used;           /* who has it adds 1 */
};

struct philosopher {
    struct actorbench_actor actor;
    struct fork *left, *right;
    uint64_t eaten;
    hungry question;
    done thanks;
};
#define BEHAVIOURS_philosopher(ON) ON(philosopher, notice, philosopher_asks) ON(philosopher, food, philosopher_eats)
ACTORBENCH_ACTOR_TYPE(philosopher)

typedef struct {
    struct actorbench_actor actor;
    uint64_t left, wrong; /* philosophers that still eat; forks that came back from another than had them */
} arbitrator;
#define BEHAVIOURS_arbitrator(ON)            \
    ON(arbitrator, hungry, arbitrator_gives) \
    ON(arbitrator, done, arbitrator_takes_back) ON(arbitrator, notice, arbitrator_counts)
ACTORBENCH_ACTOR_TYPE(arbitrator)

static philosopher *table;
static arbitrator the_arbitrator;
static notice ask, denied, leave; /* one for all: what is sent is its address */
static food eat;

/* Told to begin, or denied. */
static enum actorbench_allocation philosopher_asks(philosopher *self, notice *message) {
    (void)message;
    actorbench_send(arbitrator, &the_arbitrator, &self->question);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation philosopher_eats(philosopher *self, food *message) {
    (void)message;
    self->left->used++;
    self->right->used++;
    actorbench_send(arbitrator, &the_arbitrator, &self->thanks);
    if (++self->eaten < last) {
        actorbench_send(philosopher, self, &ask);
        return ACTORBENCH_NODELETE;
    }
    actorbench_send(arbitrator, &the_arbitrator, &leave);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation arbitrator_gives(arbitrator *self, hungry *question) {
    (void)self;
    philosopher *asker = question->from;
    if (asker->left->held != NULL || asker->right->held != NULL) {
        actorbench_send(philosopher, asker, &denied);
        return ACTORBENCH_NODELETE;
    }
    asker->left->held = asker->right->held = asker;
    actorbench_send(philosopher, asker, &eat);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation arbitrator_takes_back(arbitrator *self, done *thanks) {
    philosopher *eater = thanks->from;
    self->wrong += eater->left->held != eater || eater->right->held != eater;
    eater->left->held = eater->right->held = NULL;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation arbitrator_counts(arbitrator *self, notice *message) {
    (void)message;
    return --self->left == 0 ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"philosophers", &philosophers, NULL, 1, "at a round table, a fork between two"},
    {"meals", &meals, NULL, 1, "of each philosopher; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "philosophers",
    .summary = "philosophers ask an arbitrator for their two forks until they get them, and eat",
    .unit = "meal",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    last = workload_scaled(meals);
    table = calloc(philosophers, sizeof *table);
    struct fork *forks = calloc(philosophers, sizeof *forks);
    if (table == NULL || forks == NULL)
        workload_refuse("--philosophers %llu: there is not enough memory for so many",
                        (unsigned long long)philosophers);

    workload_start_executor();
    actorbench_message_init(notice, &ask, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &denied, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &leave, ACTORBENCH_NODELETE);
    actorbench_message_init(food, &eat, ACTORBENCH_NODELETE);
    actorbench_actor_init(arbitrator, &the_arbitrator);
    the_arbitrator.left = philosophers;
    for (uint64_t i = 0; i < philosophers; i++) {
        actorbench_actor_init(philosopher, &table[i]);
        actorbench_message_init(hungry, &table[i].question, ACTORBENCH_NODELETE);
        actorbench_message_init(done, &table[i].thanks, ACTORBENCH_NODELETE);
        table[i].question.from = table[i].thanks.from = &table[i];
        table[i].left = &forks[i];
        table[i].right = &forks[(i + 1) % philosophers];
    }
    workload_start_clock();
    for (uint64_t i = 0; i < philosophers; i++)
        actorbench_send(philosopher, &table[i], &ask);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    for (uint64_t i = 0; i < philosophers; i++)
        if (forks[i].used != 2 * last || the_arbitrator.wrong != 0) {
            workload_wrong("fork %llu was used %llu times in place of %llu, and %llu times forks came back from "
                           "another than had them",
                           (unsigned long long)i, (unsigned long long)forks[i].used, (unsigned long long)(2 * last),
                           (unsigned long long)the_arbitrator.wrong);
            break;
        }
    free(forks);
    free(table);
    return workload_end(philosophers * last, 0);
}
