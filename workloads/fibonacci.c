/* fibonacci: actors compute a Fibonacci number by its recursion, an actor a call (Savina, Imam and Sarkar, AGERE 2014:
 * "Fibonacci").
 *
 * An actor makes two more for the two numbers before its own, adds their answers, answers, and ends. So a tree of actors
 * grows and vanishes; with one worker its lowest level is alive at once. Actors are made on the heap and freed by the
 * executor: allocation is timed. A question and its answer lie in who asks.
 *
 * One tree takes some ten milliseconds, so --trees grows one after the other, as the suite repeats its iterations.
 */
#include "workload.h"

static uint64_t number = 25, trees = 1;

enum { LARGEST = 46 }; /* whose tree has under 2^32 actors */

typedef struct adder adder;

typedef struct {
    struct actorbench_message message;
    uint64_t value;
} answer;
ACTORBENCH_MESSAGE_TYPE(answer)

typedef struct {
    struct actorbench_message message;
    adder *from; /* NULL: main asks, and reads the answer when all have ended */
    uint64_t index;
    answer reply;
} question;
ACTORBENCH_MESSAGE_TYPE(question)

struct adder {
    struct actorbench_actor actor;
    question *asked;    /* by whom made it */
    question halves[2]; /* of the two that it makes */
    uint64_t sum;       /* of the answers */
    unsigned missing;   /* answers */
};
#define BEHAVIOURS_adder(ON) ON(adder, question, adder_divides) ON(adder, answer, adder_adds)
ACTORBENCH_ACTOR_TYPE(adder)

/* Makes an actor and asks it. */
static void ask(question *what, adder *from, uint64_t index) {
    actorbench_message_init(question, what, ACTORBENCH_NODELETE);
    actorbench_message_init(answer, &what->reply, ACTORBENCH_NODELETE);
    what->from = from;
    what->index = index;
    adder *newborn = actorbench_actor_new(adder);
    actorbench_send(adder, newborn, what);
}

static void reply(question *asked, uint64_t value) {
    asked->reply.value = value;
    if (asked->from != NULL)
        actorbench_send(adder, asked->from, &asked->reply);
}

static enum actorbench_allocation adder_divides(adder *self, question *asked) {
    if (asked->index <= 2) {
        reply(asked, 1);
        return ACTORBENCH_DELETE;
    }
    self->asked = asked;
    self->missing = 2;
    for (unsigned i = 0; i < 2; i++)
        ask(&self->halves[i], self, asked->index - 1 - i);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation adder_adds(adder *self, answer *part) {
    self->sum += part->value;
    if (--self->missing != 0)
        return ACTORBENCH_NODELETE;
    reply(self->asked, self->sum);
    return ACTORBENCH_DELETE;
}

static const struct parameter parameters[] = {
    {"number", &number, NULL, 1, "which Fibonacci number; each tree has twice that many actors, less one"},
    {"trees", &trees, NULL, 1, "one after the other; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "fibonacci",
    .summary = "actors compute a Fibonacci number by its recursion, an actor a call",
    .unit = "actor",
    .parameters = parameters,
};

static uint64_t fibonacci(uint64_t index) {
    uint64_t last = 0, value = 1;
    for (; index > 1; index--) {
        uint64_t next = last + value;
        last = value;
        value = next;
    }
    return value;
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    uint64_t repeats = workload_scaled(trees), due = fibonacci(number), wrong = 0;
    if (number > LARGEST)
        workload_refuse("--number %llu: at most %d, whose actors are under 2^32", (unsigned long long)number, LARGEST);

    workload_start_executor();
    workload_start_clock();
    for (uint64_t i = 0; i < repeats; i++) {
        question whole;
        ask(&whole, NULL, number);
        actorbench_wait();
        wrong += whole.reply.value != due;
    }
    workload_stop_clock();
    actorbench_stop();

    if (wrong != 0)
        workload_wrong("%llu trees of %llu gave another number than %llu", (unsigned long long)wrong,
                       (unsigned long long)repeats, (unsigned long long)due);
    return workload_end(repeats * (2 * due - 1), 0);
}
