/* recursive-matrix: Z = X Y, halved again and again: tasks go through a master to the actor of their block of Z (Savina:
 * Imam and Sarkar, AGERE 2014; "Recursive Matrix Multiplication").
 *
 * A task of more than --threshold elements becomes eight, two for each quarter of Z, which go to the master; it sends
 * each to the actor that the task's place in Z says, so that no two actors write to the same block. With Savina's sizes
 * that rule leaves 15 of its 20 actors without a block: its blocks lie 128 apart.
 *
 * Savina halves powers of two; here a task of any size is cut in the middle. Its matrices, whose rows are equal in Y and
 * whose columns are in X, would hide mistakes; here elements are small random integers, so that doubles hold them and
 * their sums exactly, in whatever order a block's tasks come.
 */
#include <math.h>
#include <stdlib.h>

#include "draw.h"

static uint64_t rows = 1024, threshold = 16384, actors = 20;
static uint64_t size;     /* of the square matrices: --rows, scaled */
static double *x, *y, *z; /* one after the other, each by rows */

struct range {
    uint64_t first, count;
};

/* A product to be added to a block of Z: X's rows and inner columns times Y's inner rows and columns. */
typedef struct {
    struct actorbench_message message;
    struct range rows, columns, inner;
} task;
ACTORBENCH_MESSAGE_TYPE(task)

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

typedef struct {
    struct actorbench_actor actor;
} multiplier;
#define BEHAVIOURS_multiplier(ON) ON(multiplier, task, multiplier_works)
ACTORBENCH_ACTOR_TYPE(multiplier)

typedef struct {
    struct actorbench_actor actor;
    uint64_t sent, done; /* tasks */
} master;
#define BEHAVIOURS_master(ON) ON(master, task, master_deals) ON(master, notice, master_hears)
ACTORBENCH_ACTOR_TYPE(master)

static master the_master;
static multiplier *multipliers;
static notice done; /* one for all: what is sent is its address */

static struct range half_of(struct range whole, unsigned second) {
    uint64_t half = whole.count / 2;
    return second ? (struct range){whole.first + half, whole.count - half} : (struct range){whole.first, half};
}

static void split(const task *whole) {
    for (unsigned i = 0; i < 8; i++) {
        task *part = actorbench_message_new(task, ACTORBENCH_NODELETE);
        part->rows = half_of(whole->rows, i & 4);
        part->columns = half_of(whole->columns, i & 2);
        part->inner = half_of(whole->inner, i & 1);
        actorbench_send(master, &the_master, part);
    }
}

/* Savina's plain loops. Down a column of Y, rows of 1024 doubles share few sets of a cache: other sizes cost less an element. */
static void multiply(const task *block) {
    uint64_t last_row = block->rows.first + block->rows.count,
             last_column = block->columns.first + block->columns.count;
    for (uint64_t row = block->rows.first; row < last_row; row++)
        for (uint64_t column = block->columns.first; column < last_column; column++)
            for (uint64_t i = block->inner.first; i < block->inner.first + block->inner.count; i++)
                z[row * size + column] += x[row * size + i] * y[i * size + column];
}

static enum actorbench_allocation multiplier_works(multiplier *self, task *work) {
    (void)self;
    if (work->rows.count * work->columns.count > threshold)
        split(work);
    else
        multiply(work);
    actorbench_message_set_allocation(&work->message, ACTORBENCH_DELETE);
    actorbench_send(master, &the_master, &done);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation master_deals(master *self, task *work) {
    self->sent++;
    actorbench_send(multiplier, &multipliers[(work->rows.first + work->columns.first) % actors], work);
    return ACTORBENCH_NODELETE;
}

/* What a task became has come before the notice of its end. */
static enum actorbench_allocation master_hears(master *self, notice *message) {
    (void)message;
    if (++self->done != self->sent)
        return ACTORBENCH_NODELETE;
    for (uint64_t i = 0; i < actors; i++)
        actorbench_send(multiplier, &multipliers[i], &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

/* Freivalds' check: X (Y r) = Z r for a random vector r, of whole numbers under 2^20; all is exact in doubles. */
enum { MAXIMUM_SIZE = 8192, VECTOR_BOUND = 1 << 20 };

static double dot(const double *row, const double *vector) {
    double sum = 0;
    for (uint64_t i = 0; i < size; i++)
        sum += row[i] * vector[i];
    return sum;
}

static bool product_is_right(void) {
    double *r = calloc(2 * size, sizeof *r);
    if (r == NULL)
        workload_refuse("--rows %llu: there is not enough memory for the check", (unsigned long long)rows);
    double *y_r = r + size;
    for (uint64_t i = 0; i < size; i++)
        r[i] = (double)upper_below(draw(2, i), VECTOR_BOUND);
    for (uint64_t row = 0; row < size; row++)
        y_r[row] = dot(&y[row * size], r);
    bool right = true;
    for (uint64_t row = 0; row < size; row++)
        right = right && dot(&x[row * size], y_r) == dot(&z[row * size], r);
    free(r);
    return right;
}

static const struct parameter parameters[] = {
    {"rows", &rows, NULL, 1, "of each matrix, and as many columns; --scale multiplies its cube"},
    {"threshold", &threshold, NULL, 1, "elements of a block of Z that is not cut any more"},
    {"actors", &actors, NULL, 1, "that multiply"},
    {0},
};

static const struct workload workload = {
    .name = "recursive-matrix",
    .summary = "Z = X Y, halved into tasks that a master sends to the actor of their block of Z",
    .unit = "task",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    double scaled_rows = fmax(1.0, round((double)rows * cbrt(workload_scale())));
    if (scaled_rows > MAXIMUM_SIZE)
        workload_refuse("%.0f rows are too many: at most %d can be checked exactly", scaled_rows, MAXIMUM_SIZE);
    size = (uint64_t)scaled_rows;
    x = calloc(3 * size * size, sizeof *x);
    multipliers = calloc(actors, sizeof *multipliers);
    if (x == NULL || multipliers == NULL)
        workload_refuse("there is not enough memory for the matrices or for %llu actors", (unsigned long long)actors);
    y = x + size * size;
    z = y + size * size;
    for (uint64_t i = 0; i < size * size; i++) {
        x[i] = (double)upper_below(draw(0, i), 19) - 9;
        y[i] = (double)upper_below(draw(1, i), 19) - 9;
    }

    workload_start_executor();
    actorbench_message_init(notice, &done, ACTORBENCH_NODELETE);
    actorbench_actor_init(master, &the_master);
    for (uint64_t i = 0; i < actors; i++)
        actorbench_actor_init(multiplier, &multipliers[i]);
    task *whole = actorbench_message_new(task, ACTORBENCH_NODELETE);
    whole->rows = whole->columns = whole->inner = (struct range){0, size};
    workload_start_clock();
    actorbench_send(master, &the_master, whole);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    if (!product_is_right())
        workload_wrong("Z is not the product of X and Y");
    free(multipliers);
    free(x);
    return workload_end(the_master.done, 0);
}
