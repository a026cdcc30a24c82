/* matrix: Z = X Y, an actor a row of X (thesis, "Matrix Multiply"): work for the workers, few messages.
 *
 * `naive`: the inner loop is the thesis' plain one, a row of X times a column of Y.
 * `blocked`: the row of Z is computed as fast as the machine does it (product.h).
 *
 * The elements are small integers, so that Z is exact, and the check below is a proof but for one case in 2^31.
 */
#include <math.h>
#include <stdlib.h>

#include "product.h"
#include "workload.h"

enum { KERNEL_NAIVE, KERNEL_BLOCKED };

static uint64_t rows = 3072, kernel = KERNEL_NAIVE;
static uint64_t size; /* of the square matrices: --rows, scaled */
static int32_t *x, *y, *z;

typedef struct {
    struct actorbench_message message;
    const int32_t *row_of_x; /* size elements */
    int32_t *row_of_z;       /* size elements, to be filled */
} row_work;
ACTORBENCH_MESSAGE_TYPE(row_work)

typedef struct {
    struct actorbench_actor actor;
} multiplier;
#define BEHAVIOURS_multiplier(ON) ON(multiplier, row_work, multiplier_works)
ACTORBENCH_ACTOR_TYPE(multiplier)

static void multiply_naively(const row_work *row) {
    for (uint64_t column = 0; column < size; column++)
        row->row_of_z[column] = product_element(size, row->row_of_x, y + column);
}

static enum actorbench_allocation multiplier_works(multiplier *self, row_work *row) {
    (void)self;
    if (kernel == KERNEL_NAIVE)
        multiply_naively(row);
    else
        product_row(size, row->row_of_x, y, row->row_of_z);
    return ACTORBENCH_FINISHED;
}

/* A number that depends on the seed and the position (the finaliser of splitmix64). */
static uint64_t scramble(uint64_t position) {
    uint64_t value = position * UINT64_C(0x9e3779b97f4a7c15) + workload_seed();
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* Freivalds' check: X (Y r) = Z r for a random vector r, modulo the prime 2^31 - 1. */
enum { PRIME = 0x7fffffff };

static void multiply_vector(const int32_t *matrix, const uint64_t *vector, uint64_t *product) {
    for (uint64_t row = 0; row < size; row++) {
        uint64_t sum = 0;
        for (uint64_t i = 0; i < size; i++) {
            int64_t element = matrix[row * size + i] % (int64_t)PRIME;
            sum = (sum + (uint64_t)(element < 0 ? element + PRIME : element) * vector[i]) % PRIME;
        }
        product[row] = sum;
    }
}

static bool product_is_right(void) {
    uint64_t *vectors = calloc(4 * size, sizeof *vectors);
    if (vectors == NULL)
        workload_refuse("--rows %llu: there is not enough memory for the check", (unsigned long long)rows);
    uint64_t *r = vectors, *y_r = r + size, *x_y_r = y_r + size, *z_r = x_y_r + size;
    for (uint64_t i = 0; i < size; i++)
        r[i] = scramble(2 * size * size + i) % PRIME;
    multiply_vector(y, r, y_r);
    multiply_vector(x, y_r, x_y_r);
    multiply_vector(z, r, z_r);
    bool right = true;
    for (uint64_t i = 0; i < size; i++)
        right = right && x_y_r[i] == z_r[i];
    free(vectors);
    return right;
}

static const struct parameter parameters[] = {
    {"rows", &rows, NULL, 1, "of each matrix, and as many columns; --scale multiplies its cube"},
    {"kernel", &kernel, "naive|blocked", 0, "how a row is computed: down each column of Y, or along its rows"},
    {0},
};

static const struct workload workload = {
    .name = "matrix",
    .summary = "Z = X Y, an actor a row",
    .unit = "row",
    .parameters = parameters,
};

/* The largest size whose products cannot overflow: elements are -9 to 9. */
enum { MAXIMUM_SIZE = INT32_MAX / 81 };

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    double scaled_rows = fmax(1.0, round((double)rows * cbrt(workload_scale())));
    if (scaled_rows > MAXIMUM_SIZE)
        workload_refuse("%.0f rows are too many: at most %d can be multiplied without overflow", scaled_rows,
                        MAXIMUM_SIZE);
    size = (uint64_t)scaled_rows;
    x = calloc(size * size, sizeof *x);
    y = calloc(size * size, sizeof *y);
    z = calloc(size * size, sizeof *z);
    multiplier *actors = calloc(size, sizeof *actors);
    row_work *messages = calloc(size, sizeof *messages);
    if (x == NULL || y == NULL || z == NULL || actors == NULL || messages == NULL)
        workload_refuse("--rows %llu: there is not enough memory for the matrices", (unsigned long long)size);
    for (uint64_t i = 0; i < size * size; i++) {
        x[i] = (int32_t)(scramble(i) % 19) - 9;
        y[i] = (int32_t)(scramble(size * size + i) % 19) - 9;
    }

    workload_start_executor();
    for (uint64_t i = 0; i < size; i++) {
        actorbench_actor_init(multiplier, &actors[i]);
        actorbench_message_init(row_work, &messages[i], ACTORBENCH_NODELETE);
        messages[i].row_of_x = &x[i * size];
        messages[i].row_of_z = &z[i * size];
    }
    workload_start_clock();
    for (uint64_t i = 0; i < size; i++)
        actorbench_send(multiplier, &actors[i], &messages[i]);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    if (!product_is_right())
        workload_wrong("Z is not the product of X and Y");
    free(messages);
    free(actors);
    free(z);
    free(y);
    free(x);
    return workload_end(size, 0);
}
