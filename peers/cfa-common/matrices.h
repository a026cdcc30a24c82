/* The matrices of `matrix`, Z = X Y: made, multiplied and checked. */
#ifndef MATRICES_H
#define MATRICES_H

#include <stdint.h>

#if defined(__cplusplus) || defined(__cforall)
extern "C" {
#endif

/* Makes X, Y and Z of so many rows times --scale's cube root, and returns how many those are. Or refuses. */
uint64_t matrices_make(uint64_t rows);

/* Each by rows; Z is to be filled. */
const int32_t *matrix_x(void);
int32_t *matrix_z(void);

/* Fills a row of Z, of a row of X. */
void matrices_multiply_row(const int32_t *row_of_x, int32_t *row_of_z);

/* Says that the result is wrong unless Z is the product. */
void matrices_check(void);

#if defined(__cplusplus) || defined(__cforall)
}
#endif

#endif
