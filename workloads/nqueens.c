/* nqueens: actors look for the places of queens that do not attack each other, until there are enough (Savina, Imam and
 * Sarkar, AGERE 2014, "N-Queens First N Solutions").
 *
 * A master deals boards out to searchers in turn. A searcher puts one queen more on a board, at every safe place, and
 * gives these boards to the master; from --threshold queens on it searches the board to its end, and reports each
 * solution. As in Savina each try compares all queens with all. When there are enough solutions the master deals out no
 * more; what searchers have by then they still search: so with fewer --solutions than there are, which are found, and how
 * many boards that takes, is up to the schedule. Priorities, which Savina's messages have for other runtimes, mean nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "workload.h"

enum { MOST = 20 };

static uint64_t size = 12, searchers = 20, threshold = 4, solutions = 1500000;
static uint64_t amount; /* of places of the first two queens, in this run */

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

/* With queens in its first rows. */
typedef struct {
    struct actorbench_message message;
    uint64_t starts; /* so many of the size x size places of the first two queens are searched */
    uint64_t queens;
    int places[MOST]; /* by row */
} board;
ACTORBENCH_MESSAGE_TYPE(board)

typedef struct {
    struct actorbench_actor actor;
    uint64_t begun, done; /* boards */
    uint64_t found;       /* solutions */
    uint64_t ended;       /* searchers */
} master;
#define BEHAVIOURS_master(ON) ON(master, board, master_deals) ON(master, notice, master_hears)
ACTORBENCH_ACTOR_TYPE(master)

typedef struct {
    struct actorbench_actor actor;
} searcher;
#define BEHAVIOURS_searcher(ON) ON(searcher, board, searcher_searches) ON(searcher, notice, searcher_ends)
ACTORBENCH_ACTOR_TYPE(searcher)

static master the_master;
static searcher *all_searchers;
static notice begin, solution, done, stop; /* what is sent is their address */

static uint64_t starts_from(uint64_t start) {
    return amount - start < size * size ? amount - start : size * size;
}

static enum actorbench_allocation master_deals(master *self, board *task) {
    if (self->found < solutions)
        actorbench_send(searcher, &all_searchers[self->begun++ % searchers], task);
    else
        actorbench_message_set_allocation(&task->message, ACTORBENCH_DELETE);
    return ACTORBENCH_NODELETE;
}

static void deal_empty_boards(master *self) {
    for (uint64_t start = 0; start < amount; start += size * size) {
        board *empty = actorbench_message_new(board, ACTORBENCH_NODELETE);
        empty->starts = starts_from(start);
        (void)master_deals(self, empty);
    }
}

/* A searcher's boards and solutions come before it says that it has done. */
static enum actorbench_allocation master_hears(master *self, notice *message) {
    if (message == &begin)
        deal_empty_boards(self);
    else if (message == &solution)
        self->found++;
    else if (message == &stop)
        self->ended++;
    else if (++self->done == self->begun)
        for (uint64_t i = 0; i < searchers; i++)
            actorbench_send(searcher, &all_searchers[i], &stop);
    return self->ended == searchers ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static bool is_safe(const board *tried) {
    for (uint64_t row = 0; row < tried->queens; row++)
        for (uint64_t other = row + 1; other < tried->queens; other++) {
            int apart = tried->places[other] - tried->places[row], rows = (int)(other - row);
            if (apart == 0 || apart == rows || apart == -rows)
                return false;
        }
    return true;
}

static bool is_searched(const board *tried) {
    return tried->queens != 2 || (uint64_t)tried->places[0] * size + (uint64_t)tried->places[1] < tried->starts;
}

/* Gives each safe board with one queen more to `take`. */
static void extend(board *extended, void (*take)(board *)) {
    int *place = &extended->places[extended->queens++];
    for (*place = 0; (uint64_t)*place < size; ++*place)
        if (is_safe(extended) && is_searched(extended))
            take(extended);
    extended->queens--;
}

static void search(board *searched) {
    if (searched->queens == size)
        actorbench_send(master, &the_master, &solution);
    else
        extend(searched, search);
}

static void give(board *given) {
    board *copy = actorbench_message_new(board, ACTORBENCH_NODELETE);
    copy->starts = given->starts;
    copy->queens = given->queens;
    memcpy(copy->places, given->places, sizeof copy->places);
    actorbench_send(master, &the_master, copy);
}

static enum actorbench_allocation searcher_searches(searcher *self, board *task) {
    (void)self;
    if (task->queens < threshold && task->queens < size)
        extend(task, give);
    else
        search(task);
    actorbench_send(master, &the_master, &done);
    actorbench_message_set_allocation(&task->message, ACTORBENCH_DELETE);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation searcher_ends(searcher *self, notice *message) {
    (void)self;
    actorbench_send(master, &the_master, message);
    return ACTORBENCH_FINISHED;
}

static const struct parameter parameters[] = {
    {"size", &size, NULL, 1, "of the board, at most 20, and queens; --scale multiplies the share that is searched"},
    {"searchers", &searchers, NULL, 1, "actors that search"},
    {"threshold", &threshold, NULL, 1, "queens from which on a board is searched to its end"},
    {"solutions", &solutions, NULL, 1, "that are enough"},
    {0},
};

static const struct workload workload = {
    .name = "nqueens",
    .summary = "actors look for the places of queens that do not attack each other, until there are enough",
    .unit = "board",
    .parameters = parameters,
};

/* What there is to be found, by sets of the columns and diagonals that are attacked. */
struct due {
    uint64_t boards, solutions;
};
static void count(struct due *due, uint64_t starts, uint64_t row, uint64_t first, const uint64_t attacked[3]) {
    due->solutions += row == size;
    due->boards += row <= threshold;
    for (uint64_t place = 0; row < size && place < size; place++) {
        uint64_t bit = UINT64_C(1) << place, all = attacked[0] | attacked[1] | attacked[2];
        if ((all & bit) == 0 && (row != 1 || first * size + place < starts))
            count(due, starts, row + 1, row == 0 ? place : first,
                  (uint64_t[]){attacked[0] | bit, (attacked[1] | bit) << 1, (attacked[2] | bit) >> 1});
    }
}

static void verify(void) {
    struct due due = {0};
    for (uint64_t start = 0; start < amount; start += size * size)
        count(&due, starts_from(start), 0, 0, (uint64_t[]){0, 0, 0});
    uint64_t least = due.solutions < solutions ? due.solutions : solutions;
    if (the_master.found < least || the_master.found > due.solutions)
        workload_wrong("%llu solutions were found, of %llu", (unsigned long long)the_master.found,
                       (unsigned long long)due.solutions);
    if (the_master.begun > due.boards || (due.solutions < solutions && the_master.begun < due.boards))
        workload_wrong("%llu boards were searched, of %llu", (unsigned long long)the_master.begun,
                       (unsigned long long)due.boards);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    if (size > MOST)
        workload_refuse("--size %llu: at most %d", (unsigned long long)size, MOST);
    amount = workload_scaled(size * size);
    all_searchers = calloc(searchers, sizeof *all_searchers);
    if (all_searchers == NULL)
        workload_refuse("--searchers %llu: there is not enough memory for so many", (unsigned long long)searchers);

    workload_start_executor();
    for (notice *each[] = {&begin, &solution, &done, &stop, NULL}, **at = each; *at != NULL; at++)
        actorbench_message_init(notice, *at, ACTORBENCH_NODELETE);
    actorbench_actor_init(master, &the_master);
    for (uint64_t i = 0; i < searchers; i++)
        actorbench_actor_init(searcher, &all_searchers[i]);
    workload_start_clock();
    actorbench_send(master, &the_master, &begin);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    free(all_searchers);
    return workload_end(the_master.begun, 0);
}
