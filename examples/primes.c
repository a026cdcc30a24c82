/* How many primes are there below a million? Actors count them, each in a range of its own, and tell one that collects.
 *
 *     cc primes.c $(pkg-config --cflags --libs actorbench-worker-centric) -o primes
 */
#include <actorbench/actor.h>
#include <actorbench/executor.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANGES = 100, LENGTH = 10000 };

/* What each message says, and what each actor has. */
typedef struct {
    struct actorbench_message message;
    unsigned first;
} range;
ACTORBENCH_MESSAGE_TYPE(range)

typedef struct {
    struct actorbench_message message;
    unsigned primes;
} count;
ACTORBENCH_MESSAGE_TYPE(count)

typedef struct {
    struct actorbench_actor actor;
    unsigned counts, primes;
} collector;
#define BEHAVIOURS_collector(ON) ON(collector, count, collector_adds)
ACTORBENCH_ACTOR_TYPE(collector)

typedef struct {
    struct actorbench_actor actor;
    collector *collects;
} counter;
#define BEHAVIOURS_counter(ON) ON(counter, range, counter_counts)
ACTORBENCH_ACTOR_TYPE(counter)

static bool is_prime(unsigned number) {
    for (unsigned divisor = 2; divisor * divisor <= number; divisor++)
        if (number % divisor == 0)
            return false;
    return number >= 2;
}

/* Both the message and the counter end here: the runtime frees what was made by actorbench_..._new. */
static enum actorbench_allocation counter_counts(counter *self, range *message) {
    count *answer = actorbench_message_new(count, ACTORBENCH_DELETE);
    for (unsigned i = 0; i < LENGTH; i++)
        answer->primes += is_prime(message->first + i);
    actorbench_send(collector, self->collects, answer);
    return ACTORBENCH_DELETE;
}

static enum actorbench_allocation collector_adds(collector *self, count *message) {
    self->primes += message->primes;
    return ++self->counts == RANGES ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

int main(void) {
    const char *why = actorbench_start(NULL);
    if (why != NULL) {
        (void)fprintf(stderr, "primes: %s\n", why);
        return EXIT_FAILURE;
    }
    collector all = {.primes = 0};
    actorbench_actor_init(collector, &all);
    for (unsigned i = 0; i < RANGES; i++) {
        counter *one = actorbench_actor_new(counter);
        one->collects = &all;
        range *message = actorbench_message_new(range, ACTORBENCH_DELETE);
        message->first = i * LENGTH;
        actorbench_send(counter, one, message);
    }
    actorbench_stop(); /* waits for all */
    printf("%u primes, counted by actors of the %s design\n", all.primes, actorbench_design);
    return EXIT_SUCCESS;
}
