/* trapezoid: a master deals the pieces of an integral to actors, and adds up what they find (Savina: Imam and
 * Sarkar, AGERE 2014; "Trapezoidal Approximation").
 *
 * Work, and two messages for each actor. The function is Savina's; so is it that each piece computes both of its ends,
 * though its neighbour has one of them, too. Savina cuts the interval by lengths, so that rounding can lose a piece of
 * each actor's; here it is cut by the numbers of pieces. The master adds the areas in the order of the actors, not in
 * that of their answers, so that the sum does not depend on the schedule.
 */
#include <math.h>
#include <stdlib.h>

#include "workload.h"

static uint64_t pieces = 10000000, actors = 100, left = 1, right = 5;
static uint64_t amount; /* of pieces, in this run */

/* From the master to an actor and, with the area, back. */
typedef struct {
    struct actorbench_message message;
    uint64_t from, to; /* pieces: to is none of them */
    double area;
} share;
ACTORBENCH_MESSAGE_TYPE(share)

typedef struct {
    struct actorbench_message message;
} begin;
ACTORBENCH_MESSAGE_TYPE(begin)

typedef struct {
    struct actorbench_actor actor;
} integrator;
#define BEHAVIOURS_integrator(ON) ON(integrator, share, integrator_adds)
ACTORBENCH_ACTOR_TYPE(integrator)

typedef struct {
    struct actorbench_actor actor;
    uint64_t missing; /* answers */
    double area;
} master;
#define BEHAVIOURS_master(ON) ON(master, begin, master_deals) ON(master, share, master_hears)
ACTORBENCH_ACTOR_TYPE(master)

static master the_master;
static integrator *integrators;
static share *shares; /* by integrator */

static double function(double x) {
    return sin(pow(x, 3) - 1) / (x + 1) * sqrt(1 + exp(sqrt(2 * x)));
}

static double width(void) {
    return (double)(right - left) / (double)amount;
}

/* Where the pieces' ends are: 0 .. amount. */
static double end(uint64_t number) {
    return (double)left + (double)number * width();
}

static enum actorbench_allocation integrator_adds(integrator *self, share *work) {
    (void)self;
    double area = 0;
    for (uint64_t i = work->from; i < work->to; i++)
        area += 0.5 * (function(end(i)) + function(end(i + 1))) * width();
    work->area = area;
    actorbench_send(master, &the_master, work);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation master_deals(master *self, begin *start) {
    (void)start;
    self->missing = actors;
    for (uint64_t i = 0, dealt = 0; i < actors; i++) {
        shares[i].from = dealt;
        shares[i].to = dealt += amount / actors + (i < amount % actors);
        actorbench_send(integrator, &integrators[i], &shares[i]);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation master_hears(master *self, share *done) {
    (void)done;
    if (--self->missing != 0)
        return ACTORBENCH_NODELETE;
    for (uint64_t i = 0; i < actors; i++)
        self->area += shares[i].area;
    return ACTORBENCH_FINISHED;
}

/* The same integral from one loop, each end once. Rounding moves the sums apart by far less than the tolerance; of the
 * default's ten million pieces a lost one moves them by about a thousand times as much. */
static void verify(double found) {
    const double tolerance = 1e-10; /* of the integral of the function's absolute value */
    double area = 0, absolute = 0;
    for (uint64_t i = 0; i <= amount; i++) {
        double part = (i == 0 || i == amount ? 0.5 : 1.0) * function(end(i)) * width();
        area += part;
        absolute += fabs(part);
    }
    if (!(fabs(found - area) <= tolerance * absolute))
        workload_wrong("the area is %.15g in place of %.15g", found, area);
}

static const struct parameter parameters[] = {
    {"pieces", &pieces, NULL, 1, "of the interval; --scale multiplies it"},
    {"actors", &actors, NULL, 1, "that add them up, an equal number each"},
    {"left", &left, NULL, 0, "end of the interval"},
    {"right", &right, NULL, 1, "end of the interval"},
    {0},
};

static const struct workload workload = {
    .name = "trapezoid",
    .summary = "a master deals the pieces of an integral to actors, and adds up what they find",
    .unit = "piece",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    amount = workload_scaled(pieces);
    if (left >= right || right > 1000)
        workload_refuse("--left %llu --right %llu: the left end must be less than the right one, and that at most 1000",
                        (unsigned long long)left, (unsigned long long)right);
    integrators = calloc(actors, sizeof *integrators);
    shares = calloc(actors, sizeof *shares);
    if (integrators == NULL || shares == NULL)
        workload_refuse("--actors %llu: there is not enough memory for so many", (unsigned long long)actors);

    workload_start_executor();
    static begin start;
    actorbench_message_init(begin, &start, ACTORBENCH_NODELETE);
    actorbench_actor_init(master, &the_master);
    for (uint64_t i = 0; i < actors; i++) {
        actorbench_actor_init(integrator, &integrators[i]);
        actorbench_message_init(share, &shares[i], ACTORBENCH_NODELETE);
    }
    workload_start_clock();
    actorbench_send(master, &the_master, &start);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify(the_master.area);
    free(shares);
    free(integrators);
    return workload_end(amount, 0);
}
