/* cofactor: the determinant of a matrix by cofactors, with an actor for each minor (React++, "Cofactor Expansion").
 *
 * The actor of a matrix has one for each minor of its first row compute that minor, and adds up what they answer, each
 * times its element, with the sign of its place. At the height of the tree of actors each computes its own matrix.
 *
 * The source's formula for the number of actors and its example disagree: here, as in the example, a matrix of 12 rows and
 * a height of 4 leave matrices of 8 rows, to 11,880 of 13,345 actors. It leaves the elements open: here they are random
 * numbers of 64 bits, and all arithmetic is modulo 2^64, so that the result is exact whatever the order of the answers.
 */
#include <stdlib.h>

#include "determinant.h"
#include "draw.h"

static uint64_t rows = 12, height = 4, matrices = 1;
static uint64_t amount; /* of matrices, in this run */

typedef struct {
    struct actorbench_message message;
} begin;
ACTORBENCH_MESSAGE_TYPE(begin)

typedef struct {
    struct actorbench_message message;
    uint64_t weight, determinant;
} answer;
ACTORBENCH_MESSAGE_TYPE(answer)

typedef struct expander expander;
struct expander {
    struct actorbench_actor actor;
    expander *parent; /* NULL: it is a root */
    uint64_t *result; /* a root's */
    uint64_t *matrix; /* malloc(3)'s, by rows */
    uint64_t rows;
    uint64_t weight;  /* of its answer */
    uint64_t missing; /* answers */
    uint64_t sum;
};
#define BEHAVIOURS_expander(ON) ON(expander, begin, expander_begins) ON(expander, answer, expander_adds)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(expander, expander_ends)

static begin go; /* one for all: what is sent is its address */

static expander *expander_new(uint64_t its_rows) {
    expander *self = actorbench_actor_new(expander);
    self->rows = its_rows;
    self->matrix = malloc(its_rows * its_rows * sizeof *self->matrix);
    if (self->matrix == NULL)
        workload_refuse("there is not enough memory for so many minors");
    return self;
}

static void expander_ends(expander *self) {
    free(self->matrix);
}

static enum actorbench_allocation tell(const expander *self, uint64_t determinant) {
    if (self->parent == NULL) {
        *self->result = determinant;
        return ACTORBENCH_DELETE;
    }
    answer *message = actorbench_message_new(answer, ACTORBENCH_DELETE);
    message->weight = self->weight;
    message->determinant = determinant;
    actorbench_send(expander, self->parent, message);
    return ACTORBENCH_DELETE;
}

static enum actorbench_allocation expander_begins(expander *self, begin *start) {
    if (self->rows == rows - height)
        return tell(self, determinant_by_cofactors(self->rows, self->matrix));
    self->missing = self->rows;
    for (uint64_t column = 0; column < self->rows; column++) {
        expander *child = expander_new(self->rows - 1);
        child->parent = self;
        child->weight = determinant_weight(self->matrix, column);
        determinant_minor(self->rows, self->matrix, column, child->matrix);
        actorbench_send(expander, child, start);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation expander_adds(expander *self, answer *given) {
    self->sum += given->weight * given->determinant;
    return --self->missing == 0 ? tell(self, self->sum) : ACTORBENCH_NODELETE;
}

/* Of one matrix: 1 + rows + rows (rows - 1) + ... */
static uint64_t actors(void) {
    uint64_t all = 1, level = 1;
    for (uint64_t i = 0; i < height; i++) {
        level *= rows - i;
        all += level;
    }
    return all;
}

static void draw_matrix(uint64_t number, uint64_t *matrix) {
    for (uint64_t i = 0; i < rows * rows; i++)
        matrix[i] = draw(number, i);
}

static void verify(const uint64_t *results) {
    for (uint64_t number = 0; number < amount; number++) {
        uint64_t matrix[DETERMINANT_MOST_ROWS * DETERMINANT_MOST_ROWS];
        draw_matrix(number, matrix);
        uint64_t expected = determinant_by_elimination(rows, matrix);
        if (results[number] != expected)
            workload_wrong("the determinant of matrix %llu is %llu in place of %llu, modulo 2^64",
                           (unsigned long long)number, (unsigned long long)results[number],
                           (unsigned long long)expected);
    }
}

static const struct parameter parameters[] = {
    {"rows", &rows, NULL, 2, "of each matrix, and as many columns"},
    {"height", &height, NULL, 0, "of the tree of actors: less than --rows"},
    {"matrices", &matrices, NULL, 1, "all at once; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "cofactor",
    .summary = "the determinant of a matrix by cofactors, with an actor for each minor",
    .unit = "actor",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    amount = workload_scaled(matrices);
    if (rows > DETERMINANT_MOST_ROWS || height >= rows || amount > UINT32_MAX)
        workload_refuse(
            "--rows %llu --height %llu: the rows must be at most %d, the height less than they are, and the "
            "matrices under 2^32",
            (unsigned long long)rows, (unsigned long long)height, DETERMINANT_MOST_ROWS);
    uint64_t *results = calloc(amount, sizeof *results);
    if (results == NULL)
        workload_refuse("there is not enough memory for %llu matrices", (unsigned long long)amount);

    workload_start_executor();
    actorbench_message_init(begin, &go, ACTORBENCH_NODELETE);
    workload_start_clock();
    for (uint64_t number = 0; number < amount; number++) {
        expander *root = expander_new(rows);
        root->result = &results[number];
        draw_matrix(number, root->matrix);
        actorbench_send(expander, root, &go);
    }
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify(results);
    free(results);
    return workload_end(amount * actors(), 0);
}
