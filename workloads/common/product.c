/* Adds up a row of Z from the rows of Y, each times its element of X, a band of rows at a time.
 *
 * Y is read once, forwards, as it is stored, and vectors of columns are added at once; a column of Y, which the plain loop
 * walks down, touches a cache line for each element. A band's products are added in registers, so that Z's row is read
 * and written once a band; it stays in L1, next to which few lines of Y are needed at a time. A band has as many rows as
 * L1 commonly has ways: if rows are some power of 2 long, all of the band's lines fall into one set.
 *
 * What is left is the bandwidth of where Y lies: every row of Z needs all of Y (36 MB for 3072 rows), whatever the
 * blocks. Only an actor that computed some rows of Z could use an element of Y more than once, but then there would be
 * fewer actors, and messages, than rows: another workload than the thesis'.
 */
#include "product.h"

#include <string.h>

enum { BAND = 8 };

/* Inlined, so that `height` is a constant and the processor that of the caller. */
static inline __attribute__((always_inline)) void add_band(uint64_t height, uint64_t size, const int32_t *restrict x,
                                                           const int32_t *restrict y, int32_t *restrict row_of_z) {
    for (uint64_t column = 0; column < size; column++) {
        int32_t sum = row_of_z[column];
        for (uint64_t i = 0; i < height; i++)
            sum += x[i] * y[i * size + column];
        row_of_z[column] = sum;
    }
}

static inline __attribute__((always_inline)) void add_bands(uint64_t size, const int32_t *row_of_x, const int32_t *y,
                                                            int32_t *row_of_z) {
    memset(row_of_z, 0, size * sizeof *row_of_z);
    uint64_t i = 0;
    for (; size - i >= BAND; i += BAND)
        add_band(BAND, size, &row_of_x[i], &y[i * size], row_of_z);
    for (; i < size; i++)
        add_band(1, size, &row_of_x[i], &y[i * size], row_of_z);
}

#ifdef __x86_64__
/* What every x86-64 has, SSE2, multiplies no vectors of 32-bit integers: that takes it about three times as long. */
__attribute__((target("avx2"))) static void add_bands_by_avx2(uint64_t size, const int32_t *row_of_x, const int32_t *y,
                                                              int32_t *row_of_z) {
    add_bands(size, row_of_x, y, row_of_z);
}
#endif

void product_row(uint64_t size, const int32_t *row_of_x, const int32_t *y, int32_t *row_of_z) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        add_bands_by_avx2(size, row_of_x, y, row_of_z);
        return;
    }
#endif
    add_bands(size, row_of_x, y, row_of_z);
}
