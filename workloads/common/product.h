/* A row of a matrix product, as fast as the machine does it within a behaviour: matrix' `--kernel blocked`. */
#ifndef ACTORBENCH_WORKLOADS_PRODUCT_H
#define ACTORBENCH_WORKLOADS_PRODUCT_H

#include <stdint.h>

/* row_of_z = row_of_x times y, a square matrix that is stored by rows; `size` is its rows and columns. */
void product_row(uint64_t size, const int32_t *row_of_x, const int32_t *y, int32_t *row_of_z);

#endif
