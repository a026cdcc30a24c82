/* Two ways to a determinant that have nothing in common. All arithmetic is modulo 2^64, and exact. */
#include "determinant.h"

void determinant_minor(uint64_t rows, const uint64_t *matrix, uint64_t column, uint64_t *minor) {
    for (uint64_t row = 1; row < rows; row++, minor += rows - 1) {
        const uint64_t *from = &matrix[row * rows];
        for (uint64_t i = 0; i < rows - 1; i++)
            minor[i] = from[i + (i >= column)];
    }
}

uint64_t determinant_weight(const uint64_t *matrix, uint64_t column) {
    return column % 2 == 0 ? matrix[column] : 0 - matrix[column];
}

uint64_t determinant_by_cofactors(uint64_t rows, const uint64_t *matrix) {
    if (rows == 1)
        return matrix[0];
    if (rows == 2)
        return matrix[0] * matrix[3] - matrix[1] * matrix[2];
    uint64_t sum = 0, minor[DETERMINANT_MOST_ROWS * DETERMINANT_MOST_ROWS];
    for (uint64_t column = 0; column < rows; column++) {
        determinant_minor(rows, matrix, column, minor);
        sum += determinant_weight(matrix, column) * determinant_by_cofactors(rows - 1, minor);
    }
    return sum;
}

/* How often 2 divides a number; 0 can be divided for ever. */
static unsigned twos(uint64_t number) {
    return number == 0 ? 64 : (unsigned)__builtin_ctzll(number);
}

/* Of an odd number, modulo 2^64, by Newton's iteration: it is its own inverse modulo 8, and each step doubles the bits. */
static uint64_t inverse(uint64_t odd) {
    uint64_t found = odd;
    for (unsigned bits = 3; bits < 64; bits *= 2)
        found *= 2 - odd * found;
    return found;
}

/* Takes from each row under the one of its column so much of that as makes the column 0. That can be done where no row under
 * it has a number that 2 divides less often. */
uint64_t determinant_by_elimination(uint64_t rows, uint64_t *matrix) {
    uint64_t product = 1;
    for (uint64_t column = 0; column < rows; column++) {
        uint64_t best = column;
        for (uint64_t row = column + 1; row < rows; row++)
            if (twos(matrix[row * rows + column]) < twos(matrix[best * rows + column]))
                best = row;
        if (matrix[best * rows + column] == 0)
            return 0;
        for (uint64_t i = 0; i < rows && best != column; i++) {
            uint64_t other = matrix[best * rows + i];
            matrix[best * rows + i] = matrix[column * rows + i];
            matrix[column * rows + i] = other;
        }
        uint64_t pivot = matrix[column * rows + column];
        product *= best != column ? 0 - pivot : pivot;
        for (uint64_t row = column + 1; row < rows; row++) {
            uint64_t factor = (matrix[row * rows + column] >> twos(pivot)) * inverse(pivot >> twos(pivot));
            for (uint64_t i = column; i < rows; i++)
                matrix[row * rows + i] -= factor * matrix[column * rows + i];
        }
    }
    return product;
}
