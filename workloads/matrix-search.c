/* matrix-search: actors search their own matrices for words that controllers give them (the locality work on CAF,
 * "Evaluation").
 *
 * Each searcher makes its matrix in its first behaviour, so that it lies near the worker where that runs. A word is
 * taken from a random place of the matrix, so that puzzles differ in difficulty; the next one is given when the last one
 * is solved. So controllers are idle while their searchers are busy, and what a searcher needs is its matrix.
 *
 * The paper leaves the amounts open. Here a matrix has 3 MB, more than the L2 of common processors, and a column touches
 * 192 kB of it, more than L1; all matrices together have 675 MB. The clock starts when all are made.
 */
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "letters.h"

static uint64_t controllers = 15, searchers = 15, puzzles = 100;
static uint64_t last, total; /* puzzles of each searcher; searchers of all controllers */

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

/* Each searcher's puzzle: from its controller to the searcher and, with the place where the word was found, back. */
typedef struct {
    struct actorbench_message message;
    uint64_t searcher, number;
    uint8_t word[WORD];
    struct place hidden, found;
} puzzle;
ACTORBENCH_MESSAGE_TYPE(puzzle)

typedef struct {
    struct actorbench_actor actor;
    uint8_t *letters;
} searcher;
#define BEHAVIOURS_searcher(ON) ON(searcher, notice, searcher_prepares) ON(searcher, puzzle, searcher_solves)
ACTORBENCH_ACTOR_TYPE(searcher)

typedef struct {
    struct actorbench_actor actor;
    uint64_t solved, wrong;
} controller;
#define BEHAVIOURS_controller(ON) ON(controller, notice, controller_begins) ON(controller, puzzle, controller_checks)
ACTORBENCH_ACTOR_TYPE(controller)

/* Starts the clock and the controllers when all matrices are made. */
typedef struct {
    struct actorbench_actor actor;
    uint64_t missing; /* matrices */
} starter;
#define BEHAVIOURS_starter(ON) ON(starter, notice, starter_hears)
ACTORBENCH_ACTOR_TYPE(starter)

static searcher *all_searchers;
static puzzle *all_puzzles; /* by searcher */
static controller *all_controllers;
static starter the_starter;
static notice go; /* one for all: what is sent is its address */

static enum actorbench_allocation searcher_prepares(searcher *self, notice *message) {
    (void)message;
    self->letters = letters_new((uint64_t)(self - all_searchers));
    if (self->letters == NULL)
        workload_refuse("there is not enough memory for %llu matrices", (unsigned long long)total);
    actorbench_send(starter, &the_starter, &go);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation starter_hears(starter *self, notice *message) {
    (void)message;
    if (--self->missing != 0)
        return ACTORBENCH_NODELETE;
    workload_start_clock();
    for (uint64_t i = 0; i < controllers; i++)
        actorbench_send(controller, &all_controllers[i], &go);
    return ACTORBENCH_FINISHED;
}

static void give_next(puzzle *next) {
    uint64_t drawn = draw(total + next->searcher, next->number++);
    next->hidden.row = upper_below(drawn, letters_rows - WORD + 1);
    next->hidden.column = lower_below(drawn, letters_columns);
    letters_word(next->searcher, next->hidden, next->word);
    actorbench_send(searcher, &all_searchers[next->searcher], next);
}

static enum actorbench_allocation controller_begins(controller *self, notice *message) {
    (void)message;
    uint64_t first = (uint64_t)(self - all_controllers) * searchers;
    for (uint64_t i = first; i < first + searchers; i++)
        give_next(&all_puzzles[i]);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation searcher_solves(searcher *self, puzzle *task) {
    task->found = letters_find(self->letters, task->word);
    actorbench_send(controller, &all_controllers[task->searcher / searchers], task);
    return ACTORBENCH_NODELETE;
}

/* The word may stand in more than one place, but it must have been found where it was taken from, or before. */
static bool is_right(const puzzle *solved) {
    struct place found = solved->found, hidden = solved->hidden;
    if (found.column > hidden.column || (found.column == hidden.column && found.row > hidden.row))
        return false;
    uint8_t word[WORD];
    letters_word(solved->searcher, found, word);
    return memcmp(word, solved->word, WORD) == 0;
}

static enum actorbench_allocation controller_checks(controller *self, puzzle *solved) {
    self->wrong += !is_right(solved);
    self->solved++;
    if (solved->number < last)
        give_next(solved);
    else
        actorbench_send(searcher, &all_searchers[solved->searcher], &actorbench_finished_message);
    return self->solved == searchers * last ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"controllers", &controllers, NULL, 1, "actors that give puzzles"},
    {"searchers", &searchers, NULL, 1, "of each controller"},
    {"rows", &letters_rows, NULL, WORD, "of each searcher's matrix"},
    {"columns", &letters_columns, NULL, 1, "of each searcher's matrix"},
    {"puzzles", &puzzles, NULL, 1, "for each searcher; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "matrix-search",
    .summary = "actors search their own matrices for words that controllers give them",
    .unit = "puzzle",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    last = workload_scaled(puzzles);
    if (letters_rows > UINT32_MAX / letters_columns || controllers > UINT32_MAX / 2 / searchers || last > UINT32_MAX)
        workload_refuse("--rows x --columns, 2 x --controllers x --searchers and the puzzles must each be under 2^32");
    total = controllers * searchers;
    all_controllers = calloc(controllers, sizeof *all_controllers);
    all_searchers = calloc(total, sizeof *all_searchers);
    all_puzzles = calloc(total, sizeof *all_puzzles);
    if (all_controllers == NULL || all_searchers == NULL || all_puzzles == NULL)
        workload_refuse("there is not enough memory for %llu searchers", (unsigned long long)total);

    workload_start_executor();
    actorbench_message_init(notice, &go, ACTORBENCH_NODELETE);
    actorbench_actor_init(starter, &the_starter);
    the_starter.missing = total;
    for (uint64_t i = 0; i < controllers; i++)
        actorbench_actor_init(controller, &all_controllers[i]);
    for (uint64_t i = 0; i < total; i++) {
        actorbench_actor_init(searcher, &all_searchers[i]);
        actorbench_message_init(puzzle, &all_puzzles[i], ACTORBENCH_NODELETE);
        all_puzzles[i].searcher = i;
    }
    for (uint64_t i = 0; i < total; i++)
        actorbench_send(searcher, &all_searchers[i], &go);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    for (uint64_t i = 0; i < controllers; i++)
        if (all_controllers[i].solved != searchers * last || all_controllers[i].wrong != 0) {
            workload_wrong("controller %llu received %llu answers in place of %llu, %llu of them wrong",
                           (unsigned long long)i, (unsigned long long)all_controllers[i].solved,
                           (unsigned long long)(searchers * last), (unsigned long long)all_controllers[i].wrong);
            break;
        }
    for (uint64_t i = 0; i < total; i++)
        free(all_searchers[i].letters);
    free(all_puzzles);
    free(all_searchers);
    free(all_controllers);
    return workload_end(total * last, 0);
}
