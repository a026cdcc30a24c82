/* fairness: actors that always have a message to run compete for the workers, and how evenly they get on is told.
 *
 * Each actor sends itself a message whenever it has run one, --messages times; main begins with one to each, and all wait until it
 * has sent to the last. So until the first of them is done every actor is ready all the time, and a fair executor gives all the same
 * service. What they run in that span is cut into windows, in which the actors run --window messages each on average: windows of
 * work, not of time, for it is no unfairness of the executor's when the kernel stops them all. Of what each ran in a window are told
 *
 *     jain              Jain's index, (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if one has had all (Jain, Chiu and Hawe, DEC
 *                       TR-301, 1984); the mean over the windows, and the least
 *     slowest_to_mean   the fewest of any actor, over the mean of all; the mean over the windows
 *     first_to_others   what the first actor has run, over the mean of the others, in the whole span: with --first-dispatch what a
 *                       dispatch size of its own gives it (React++, 3.4 "Priority Assignment")
 *
 * (React++ says of dispatch sizes which serves most fairly: 3.4 "Priority Assignment". It has no such measurement.)
 */
#include <stdlib.h>
#include <string.h>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/cpu.h"
#include "platform/spinlock.h"
#include "work.h"
#include "workload.h"

enum {
    STAMPS_A_WINDOW = 10
}; /* so often an actor looks at the clock in a window, on average; what it runs is counted by that */

static uint64_t actors = 100, messages = 10000, window = 10, work_ns = 0, first_dispatch = 0;
static uint64_t work;        /* in steps */
static uint64_t last, every; /* messages of an actor in all, and from one stamp to the next */
static uint64_t stamp_count; /* of an actor */

/* One for all: what is sent is its address. */
typedef struct {
    struct actorbench_message message;
} turn;
ACTORBENCH_MESSAGE_TYPE(turn)

typedef struct {
    struct actorbench_actor actor;
    uint64_t received;
    uint64_t until_stamp; /* messages */
    uint64_t *stamp;      /* the next; nanoseconds of the monotonic clock */
    uint64_t *stamps;     /* the first */
} runner;
#define BEHAVIOURS_runner(ON) ON(runner, turn, runner_runs)
ACTORBENCH_ACTOR_TYPE(runner)

static runner *runners;
static ATOMIC(uint32_t) all_are_ready;

static enum actorbench_allocation runner_runs(runner *self, turn *message) {
    /* Acquire: pairs with the release in main. */
    for (unsigned spins = 1; unlikely(atomic_load_acquire(&all_are_ready) == 0); spins++)
        spin(spins);
    work_do(work);
    if (--self->until_stamp == 0) {
        *self->stamp++ = clock_monotonic_ns();
        self->until_stamp = every;
    }
    if (++self->received == last)
        return ACTORBENCH_FINISHED;
    actorbench_send(runner, self, message);
    return ACTORBENCH_NODELETE;
}

/* ---- Numbers -------------------------------------------------------------------------------------------------------- */

struct stamp {
    uint64_t ns, actor;
};

/* When the first of them had made all its stamps. */
static uint64_t first_end(void) {
    uint64_t end = UINT64_MAX;
    for (uint64_t i = 0; i < actors; i++)
        if (runners[i].stamps[stamp_count - 1] < end)
            end = runners[i].stamps[stamp_count - 1];
    return end;
}

static int compare(const void *left, const void *right) {
    uint64_t a = ((const struct stamp *)left)->ns, b = ((const struct stamp *)right)->ns;
    return (a > b) - (a < b);
}

/* All stamps until `end`, by time; how many. */
static uint64_t merge(struct stamp *all, uint64_t end) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < actors; i++)
        for (uint64_t j = 0; j < stamp_count && runners[i].stamps[j] <= end; j++)
            all[count++] = (struct stamp){runners[i].stamps[j], i};
    qsort(all, count, sizeof *all, compare);
    return count;
}

struct evenness {
    double jain, slowest_to_mean;
};

/* Of the actors' shares in some stamps; made_by has room for them all. */
static struct evenness evenness_of(const struct stamp *stamps, uint64_t count, uint64_t *made_by) {
    double squares = 0.0, mean = (double)count / (double)actors;
    uint64_t least = UINT64_MAX;
    memset(made_by, 0, actors * sizeof *made_by);
    for (uint64_t i = 0; i < count; i++)
        made_by[stamps[i].actor]++;
    for (uint64_t i = 0; i < actors; i++) {
        squares += (double)made_by[i] * (double)made_by[i];
        least = made_by[i] < least ? made_by[i] : least;
    }
    return (struct evenness){(double)count * mean / squares, (double)least / mean};
}

static void measure(struct stamp *all, uint64_t *made_by) {
    uint64_t count = merge(all, first_end()), each = window * actors / every;
    uint64_t windows = count < each ? 1 : count / each;
    each = count / windows;
    struct evenness sum = {0.0, 0.0};
    double least = 1.0;
    for (uint64_t i = 0; i < windows; i++) {
        struct evenness one = evenness_of(all + i * each, each, made_by);
        sum.jain += one.jain;
        sum.slowest_to_mean += one.slowest_to_mean;
        least = one.jain < least ? one.jain : least;
    }
    workload_measure("jain", sum.jain / (double)windows);
    workload_measure("jain_least", least);
    workload_measure("slowest_to_mean", sum.slowest_to_mean / (double)windows);
    workload_measure("window_ns", (double)(all[windows * each - 1].ns - all[0].ns) / (double)windows);
    uint64_t first = 0;
    for (uint64_t i = 0; i < count; i++)
        first += all[i].actor == 0;
    if (first < count)
        workload_measure("first_to_others", (double)first * (double)(actors - 1) / (double)(count - first));
}

/* Whether every actor has run all its messages, and looked at the clock as often as it had to. */
static bool verify(void) {
    for (uint64_t i = 0; i < actors; i++) {
        const runner *one = &runners[i];
        if (one->received == last && one->stamp == one->stamps + stamp_count)
            continue;
        workload_wrong(
            "actor %llu received %llu messages in place of %llu, and looked at the clock %llu times in place of %llu",
            (unsigned long long)i, (unsigned long long)one->received, (unsigned long long)last,
            (unsigned long long)(one->stamp - one->stamps), (unsigned long long)stamp_count);
        return false;
    }
    return true;
}

/* ---- The program ---------------------------------------------------------------------------------------------------- */

static const struct parameter parameters[] = {
    {"actors", &actors, NULL, 1, "that compete"},
    {"messages", &messages, NULL, 1, "of each; --scale multiplies it"},
    {"window", &window, NULL, 1, "messages of each on average, in what is looked at as a whole"},
    {"work", &work_ns, NULL, 0, "nanoseconds of computation for each message"},
    {"first-dispatch", &first_dispatch, NULL, 0,
     "messages that the first actor may run at a time; 0: as many as the others (actor-centric design)"},
    {0},
};

static const struct workload workload = {
    .name = "fairness",
    .summary = "actors that are always ready compete for the workers",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    last = workload_scaled(messages);
    if (window > last)
        workload_refuse("--window %llu is more than the %llu messages of an actor", (unsigned long long)window,
                        (unsigned long long)last);
    every = window < STAMPS_A_WINDOW ? 1 : window / STAMPS_A_WINDOW;
    stamp_count = last / every;
    runners = calloc(actors, sizeof *runners);
    uint64_t *stamps = calloc(actors * stamp_count, sizeof *stamps);
    struct stamp *merged = calloc(actors * stamp_count, sizeof *merged);
    uint64_t *made_by = calloc(actors, sizeof *made_by);
    if (runners == NULL || stamps == NULL || merged == NULL || made_by == NULL)
        workload_refuse("--actors %llu, --messages %llu: there is not enough memory for so many",
                        (unsigned long long)actors, (unsigned long long)messages);
    work = work_calibrate(work_ns);

    workload_start_executor();
    static turn message;
    actorbench_message_init(turn, &message, ACTORBENCH_NODELETE);
    for (uint64_t i = 0; i < actors; i++) {
        actorbench_actor_init(runner, &runners[i]);
        runners[i].until_stamp = every;
        runners[i].stamp = runners[i].stamps = stamps + i * stamp_count;
        if (i == 0 && first_dispatch != 0)
            actorbench_actor_set_dispatch(runner, &runners[i], (unsigned)first_dispatch);
    }
    workload_start_clock();
    for (uint64_t i = 0; i < actors; i++)
        actorbench_send(runner, &runners[i], &message);
    atomic_store_release(&all_are_ready, 1); /* pairs with the acquire in runner_runs */
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    if (verify())
        measure(merged, made_by);
    free(made_by);
    free(merged);
    free(stamps);
    free(runners);
    return workload_end(actors * last, 0);
}
