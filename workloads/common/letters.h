/* Matrices of random letters, and words to be found in them: what the searchers of matrix-search work on.
 *
 * A matrix is written row by row, and searched down its columns, so that no two letters that are compared one after the
 * other lie in one cache line. Each letter follows from the seed, the matrix' number and its place.
 */
#ifndef ACTORBENCH_WORKLOADS_LETTERS_H
#define ACTORBENCH_WORKLOADS_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

enum { WORD = 8 };

/* The parameters: the size of every matrix. At least WORD rows; rows x columns must be under 2^32. */
extern uint64_t letters_rows, letters_columns;

struct place {
    uint64_t row, column;
};

/* Allocates and writes a matrix, here and now: it lies near the worker that asks (first touch). NULL if memory is out;
 * released by free(3). */
uint8_t *letters_new(uint64_t matrix);

/* The word that stands down a column from a place: drawn again, so that nobody else's matrix is touched. */
void letters_word(uint64_t matrix, struct place place, uint8_t word[WORD]);

/* The first place where the word stands, column by column; {0, letters_columns} if it stands nowhere. */
struct place letters_find(const uint8_t *letters, const uint8_t word[WORD]);

#endif
