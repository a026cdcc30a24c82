/* Determinants of square matrices of whole numbers modulo 2^64, two ways: what cofactor's actors compute, and what they must
 * find. A matrix is stored by rows.
 */
#ifndef ACTORBENCH_WORKLOADS_DETERMINANT_H
#define ACTORBENCH_WORKLOADS_DETERMINANT_H

#include <stdint.h>

enum { DETERMINANT_MOST_ROWS = 20 }; /* 20! is under 2^64 */

/* Writes what is left of a matrix of `rows` rows, at least 2, without its first row and without a column. */
void determinant_minor(uint64_t rows, const uint64_t *matrix, uint64_t column, uint64_t *minor);

/* What the minor of a column counts for: the element above it, with the sign of its place. */
uint64_t determinant_weight(const uint64_t *matrix, uint64_t column);

/* By cofactors of the first row, and theirs: takes rows! steps. */
uint64_t determinant_by_cofactors(uint64_t rows, const uint64_t *matrix);

/* By elimination, which takes rows^3 steps, and writes over the matrix. */
uint64_t determinant_by_elimination(uint64_t rows, uint64_t *matrix);

#endif
