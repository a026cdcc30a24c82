/* A row of a matrix product: an element of it by the plain loop, for `matrix` here and in the peers that are C or C++; or all of it as fast
 * as the machine does it within a behaviour, matrix' `--kernel blocked`. Square matrices, stored by rows; `size` is their rows and columns. */
#ifndef ACTORBENCH_WORKLOADS_PRODUCT_H
#define ACTORBENCH_WORKLOADS_PRODUCT_H

#include <stdint.h>

/* A row of X, from its first cell on, times a column of Y, from its first on. Four terms at a time, as rustc compiles the plain loop: what gcc
 * makes of that one takes a quarter longer, and systems would differ by their compilers. */
static inline int32_t product_element(uint64_t size, const int32_t *x, const int32_t *y) {
    const int32_t *end = x + size, *end_of_fours = x + size / 4 * 4;
    int32_t sum = 0;
    for (; x < end_of_fours; x += 4, y += 4 * size)
        sum += x[0] * y[0] + (x[1] * y[size] + x[2] * y[2 * size]) + x[3] * y[3 * size];
    for (; x < end; x++, y += size)
        sum += *x * *y;
    return sum;
}

/* row_of_z = row_of_x times y. */
void product_row(uint64_t size, const int32_t *row_of_x, const int32_t *y, int32_t *row_of_z);

#endif
