/* sieve: numbers go down a chain of filters, each of which holds some of the primes (Savina, Imam and Sarkar, AGERE 2014,
 * "Sieve of Eratosthenes").
 *
 * A filter divides a number by all of its primes in turn. What none of them divides goes to the next filter; past the
 * last one it is a prime, which that filter keeps while it has room, and then gives to a new filter. As in Savina a filter
 * does not stop at the square root, and nothing holds the producer back: every other number may be queued at a time.
 *
 * A prime is divided by all before it: the time grows with about the square of the limit, which --scale is the factor of.
 */
#include <math.h>
#include <stdlib.h>

#include "workload.h"

static uint64_t limit = 100000, primes = 1000;
static uint64_t bound; /* of the numbers in this run */

typedef struct {
    struct actorbench_message message;
    uint64_t value;
} number;
ACTORBENCH_MESSAGE_TYPE(number)

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

typedef struct filter filter;
struct filter {
    struct actorbench_actor actor;
    filter *next; /* NULL: it is the last one */
    uint64_t *primes;
    uint64_t count; /* of them */
};
#define BEHAVIOURS_filter(ON) ON(filter, number, filter_divides) ON(filter, notice, filter_ends)
ACTORBENCH_ACTOR_TYPE(filter)

typedef struct {
    struct actorbench_actor actor;
} producer;
#define BEHAVIOURS_producer(ON) ON(producer, notice, producer_produces)
ACTORBENCH_ACTOR_TYPE(producer)

static filter *first;
static notice begin, end; /* what is sent is their address */

static filter *filter_of(uint64_t prime) {
    filter *made = actorbench_actor_new(filter);
    made->primes = calloc(primes, sizeof *made->primes);
    if (made->primes == NULL)
        workload_refuse("--primes %llu: there is not enough memory for so many", (unsigned long long)primes);
    made->primes[made->count++] = prime;
    return made;
}

static enum actorbench_allocation producer_produces(producer *self, notice *message) {
    (void)self, (void)message;
    for (uint64_t value = 3; value < bound; value += 2) {
        number *candidate = actorbench_message_new(number, ACTORBENCH_NODELETE);
        candidate->value = value;
        actorbench_send(filter, first, candidate);
    }
    actorbench_send(filter, first, &end);
    return ACTORBENCH_FINISHED;
}

static bool is_divided(const filter *self, uint64_t value) {
    for (uint64_t i = 0; i < self->count; i++)
        if (value % self->primes[i] == 0)
            return true;
    return false;
}

static enum actorbench_allocation filter_divides(filter *self, number *candidate) {
    bool divided = is_divided(self, candidate->value);
    if (!divided && self->next != NULL) {
        actorbench_send(filter, self->next, candidate);
        return ACTORBENCH_NODELETE;
    }
    if (!divided && self->count < primes)
        self->primes[self->count++] = candidate->value;
    else if (!divided)
        self->next = filter_of(candidate->value);
    actorbench_message_set_allocation(&candidate->message, ACTORBENCH_DELETE);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation filter_ends(filter *self, notice *message) {
    if (self->next != NULL)
        actorbench_send(filter, self->next, message);
    return ACTORBENCH_FINISHED;
}

static const struct parameter parameters[] = {
    {"limit", &limit, NULL, 4, "that the numbers are under; --scale multiplies its square"},
    {"primes", &primes, NULL, 1, "that a filter has room for"},
    {0},
};

static const struct workload workload = {
    .name = "sieve",
    .summary = "numbers go down a chain of filters, each of which holds some of the primes",
    .unit = "number",
    .parameters = parameters,
};

/* Whether the chain holds the primes in order, each filter but the last as many as it has room for. `composite` has
 * `bound` zeros. */
static bool chain_is_right(bool *composite) {
    const filter *at = first;
    uint64_t place = 0;
    for (uint64_t value = 2; value < bound; value++) {
        if (composite[value])
            continue;
        for (uint64_t multiple = value * value; multiple < bound; multiple += value)
            composite[multiple] = true;
        if (place == primes) {
            at = at->next;
            place = 0;
        }
        if (at == NULL || place == at->count || at->primes[place++] != value)
            return false;
    }
    return at->next == NULL && place == at->count;
}

static void free_chain(void) {
    for (filter *next; first != NULL; first = next) {
        next = first->next;
        free(first->primes);
        free(first);
    }
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    double scaled = fmax(4.0, round((double)limit * sqrt(workload_scale())));
    if (scaled > UINT32_MAX)
        workload_refuse("--limit %.0f: at most 2^32 - 1", scaled);
    bound = (uint64_t)scaled;
    bool *composite = calloc(bound, sizeof *composite);
    if (composite == NULL)
        workload_refuse("--limit %llu: there is not enough memory for the check", (unsigned long long)limit);

    workload_start_executor();
    static producer source;
    actorbench_message_init(notice, &begin, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &end, ACTORBENCH_NODELETE);
    actorbench_actor_init(producer, &source);
    first = filter_of(2);
    workload_start_clock();
    actorbench_send(producer, &source, &begin);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    if (!chain_is_right(composite))
        workload_wrong("the filters do not hold the primes under %llu, each in its place", (unsigned long long)bound);
    free(composite);
    free_chain();
    return workload_end(bound / 2 - 1, 0);
}
