/* sor: an actor for each point of a grid exchanges its value with its neighbours, again and again (Savina: Imam and Sarkar,
 * AGERE 2014; "Successive Over-Relaxation").
 *
 * Red and black as on a chessboard: in every round the red points send their values to their neighbours, and each black
 * one that has them all sends its new value back. So no point is a round ahead of a neighbour, and one message a point,
 * sent to all, is enough. As in Savina there are two halves of the grid, whose points report to two actors, of whom one
 * reports to the other. The grid, which is made before the clock starts, is the smallest of Savina's ten, its default.
 *
 * Savina adds up the neighbours' values as they come, so that the result depends on the schedule by rounding; here each
 * value has its place, and the sum an order. Its black points also send their last value, to red ones that have ended;
 * these don't.
 */
#include <stdlib.h>

#include "draw.h"

static uint64_t side = 20, rounds = 100;
static uint64_t last; /* round, of this run */

enum { NEIGHBOURS = 4 };

typedef struct point point;

typedef struct {
    struct actorbench_message message;
} begin;
ACTORBENCH_MESSAGE_TYPE(begin)

/* From a point to its neighbours, or its last one to the actor of its half; in flight to many at once. */
typedef struct {
    struct actorbench_message message;
    const point *from; /* NULL: all of a half */
    double value;
} sample;
ACTORBENCH_MESSAGE_TYPE(sample)

struct point {
    struct actorbench_actor actor;
    point *neighbours[NEIGHBOURS]; /* NULL: the grid ends there */
    double values[NEIGHBOURS];     /* theirs; 0 where the grid ends */
    unsigned count, missing; /* neighbours; values that the next one needs, black ones' first also the beginning */
    bool red;
    uint64_t done; /* rounds */
    sample own;
};
#define BEHAVIOURS_point(ON) ON(point, begin, point_begins) ON(point, sample, point_hears)
ACTORBENCH_ACTOR_TYPE(point)

typedef struct {
    struct actorbench_actor actor;
    uint64_t first, end; /* columns: end is none of them */
    uint64_t missing;    /* reports */
    sample own;
} half;
#define BEHAVIOURS_half(ON) ON(half, begin, half_begins) ON(half, sample, half_hears)
ACTORBENCH_ACTOR_TYPE(half)

static point *points;   /* by rows */
static double *results; /* of the points; behind them there is room for as many */
static half halves[2];
static begin go; /* one for all: what is sent is its address */

/* A point's next value. */
static double relax(double value, const double neighbours[NEIGHBOURS]) {
    const double omega = 1.25;
    double sum = 0;
    for (unsigned i = 0; i < NEIGHBOURS; i++)
        sum += neighbours[i];
    return 0.25 * omega * sum + (1 - omega) * value;
}

static enum actorbench_allocation end_round(point *self) {
    self->done++;
    for (unsigned i = 0; i < NEIGHBOURS; i++)
        if (self->neighbours[i] != NULL && (self->red || self->done < last))
            actorbench_send(point, self->neighbours[i], &self->own);
    if (self->done < last)
        return ACTORBENCH_NODELETE;
    uint64_t column = (uint64_t)(self - points) % side;
    actorbench_send(half, &halves[column >= halves[1].first], &self->own);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation note(point *self) {
    if (--self->missing != 0)
        return ACTORBENCH_NODELETE;
    self->own.value = relax(self->own.value, self->values);
    self->missing = self->count;
    return end_round(self);
}

static enum actorbench_allocation point_begins(point *self, begin *start) {
    (void)start;
    return self->red ? end_round(self) : note(self);
}

static enum actorbench_allocation point_hears(point *self, sample *given) {
    for (unsigned i = 0; i < NEIGHBOURS; i++)
        if (self->neighbours[i] == given->from)
            self->values[i] = given->value;
    return note(self);
}

static enum actorbench_allocation half_begins(half *self, begin *start) {
    for (uint64_t row = 0; row < side; row++)
        for (uint64_t column = self->first; column < self->end; column++)
            actorbench_send(point, &points[row * side + column], start);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation half_hears(half *self, sample *given) {
    if (given->from != NULL)
        results[given->from - points] = given->value;
    if (--self->missing != 0)
        return ACTORBENCH_NODELETE;
    if (self == &halves[1])
        actorbench_send(half, &halves[0], &self->own);
    return ACTORBENCH_FINISHED;
}

static double first_value(uint64_t row, uint64_t column) {
    return (double)(draw(row, column) >> 11) * 0x1p-53 * 1e-6;
}

static point *point_at(uint64_t row, uint64_t column) {
    return row < side && column < side ? &points[row * side + column] : NULL; /* -1 is over side, too */
}

static void make_point(uint64_t row, uint64_t column) {
    point *self = point_at(row, column);
    actorbench_actor_init(point, self);
    actorbench_message_init(sample, &self->own, ACTORBENCH_NODELETE);
    self->own.from = self;
    self->own.value = first_value(row, column);
    self->red = (row + column) % 2 == 0;
    point *neighbours[NEIGHBOURS] = {point_at(row - 1, column), point_at(row, column - 1), point_at(row, column + 1),
                                     point_at(row + 1, column)};
    for (unsigned i = 0; i < NEIGHBOURS; i++) {
        self->neighbours[i] = neighbours[i];
        self->count += neighbours[i] != NULL;
    }
    self->missing = self->count + !self->red;
}

static void make_half(unsigned number, uint64_t first, uint64_t end) {
    half *self = &halves[number];
    actorbench_actor_init(half, self);
    actorbench_message_init(sample, &self->own, ACTORBENCH_NODELETE);
    self->first = first;
    self->end = end;
    self->missing = side * (end - first) + (number == 0);
}

/* The same by one loop, the black points first. Its sums have the same order, so that its values are the same. */
static void verify(double *grid) {
    for (uint64_t i = 0; i < side * side; i++)
        grid[i] = first_value(i / side, i % side);
    for (uint64_t turn = 1; turn < 2 * last; turn++)
        for (uint64_t row = 0; row < side; row++)
            for (uint64_t column = (row + turn) % 2; column < side; column += 2) {
                double *at = &grid[row * side + column];
                double around[NEIGHBOURS] = {row > 0 ? *(at - side) : 0, column > 0 ? *(at - 1) : 0,
                                             column + 1 < side ? *(at + 1) : 0, row + 1 < side ? *(at + side) : 0};
                *at = relax(*at, around);
            }
    for (uint64_t i = 0; i < side * side; i++)
        if (results[i] != grid[i]) {
            workload_wrong("point %llu has the value %.17g in place of %.17g", (unsigned long long)i, results[i],
                           grid[i]);
            return;
        }
}

static const struct parameter parameters[] = {
    {"side", &side, NULL, 2, "points of the grid, each way"},
    {"rounds", &rounds, NULL, 1, "values of each point; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "sor",
    .summary = "an actor for each point of a grid exchanges its value with its neighbours",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    last = workload_scaled(rounds);
    if (side > UINT16_MAX)
        workload_refuse("--side %llu: it must be under 2^16", (unsigned long long)side);
    points = calloc(side * side, sizeof *points);
    results = calloc(2 * side * side, sizeof *results);
    if (points == NULL || results == NULL)
        workload_refuse("--side %llu: there is not enough memory for so many points", (unsigned long long)side);

    workload_start_executor();
    actorbench_message_init(begin, &go, ACTORBENCH_NODELETE);
    make_half(0, 0, side / 2);
    make_half(1, side / 2, side);
    for (uint64_t i = 0; i < side * side; i++)
        make_point(i / side, i % side);
    workload_start_clock();
    for (unsigned i = 0; i < 2; i++)
        actorbench_send(half, &halves[i], &go);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify(&results[side * side]);
    free(results);
    free(points);
    return workload_end(2 * side * (side - 1) * (2 * last - 1), 0); /* each pair of neighbours, there and back */
}
