/* The matrices of `matrix`: elements -9 to 9, and Freivalds' check. */
#include "matrices.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../../workloads/common/product.h"
#include "run.h"

/* The largest size whose products cannot overflow. */
enum { MAXIMUM_SIZE = INT32_MAX / 81 };

static uint64_t size; /* of the square matrices */
static int32_t *x, *y, *z;

/* A number that depends on the seed and the position (the finaliser of splitmix64). */
static uint64_t scramble(uint64_t position) {
    uint64_t value = position * UINT64_C(0x9e3779b97f4a7c15) + run_seed();
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

uint64_t matrices_make(uint64_t rows) {
    double scaled = fmax(1.0, round((double)rows * cbrt(run_scale())));
    if (scaled > MAXIMUM_SIZE)
        run_refuse("%.0f rows are too many: at most %d can be multiplied without overflow", scaled, MAXIMUM_SIZE);
    size = (uint64_t)scaled;
    x = calloc(size * size, sizeof *x);
    y = calloc(size * size, sizeof *y);
    z = calloc(size * size, sizeof *z);
    if (x == NULL || y == NULL || z == NULL)
        run_refuse("--rows %" PRIu64 ": there is not enough memory for the matrices", size);
    for (uint64_t i = 0; i < size * size; i++) {
        x[i] = (int32_t)(scramble(i) % 19) - 9;
        y[i] = (int32_t)(scramble(size * size + i) % 19) - 9;
    }
    return size;
}

const int32_t *matrix_x(void) {
    return x;
}

int32_t *matrix_z(void) {
    return z;
}

void matrices_multiply_row(const int32_t *row_of_x, int32_t *row_of_z) {
    for (uint64_t column = 0; column < size; column++)
        row_of_z[column] = product_element(size, row_of_x, y + column);
}

/* ---- Freivalds' check: X (Y r) = Z r for a random vector r, modulo the prime 2^31 - 1 ----------------------------- */

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

void matrices_check(void) {
    uint64_t *vectors = calloc(4 * size, sizeof *vectors);
    if (vectors == NULL)
        run_refuse("--rows %" PRIu64 ": there is not enough memory for the check", size);
    uint64_t *r = vectors, *y_r = r + size, *x_y_r = y_r + size, *z_r = x_y_r + size;
    for (uint64_t i = 0; i < size; i++)
        r[i] = scramble(2 * size * size + i) % PRIME;
    multiply_vector(y, r, y_r);
    multiply_vector(x, y_r, x_y_r);
    multiply_vector(z, r, z_r);
    z_r[0] = (z_r[0] + run_falsified()) % PRIME;
    for (uint64_t i = 0; i < size; i++)
        if (x_y_r[i] != z_r[i]) {
            run_wrong("Z is not the product of X and Y");
            break;
        }
    free(vectors);
}
