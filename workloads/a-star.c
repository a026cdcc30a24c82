/* a-star: actors search a cube of nodes for one of them, each a part at a time (Savina, Imam and Sarkar, AGERE 2014,
 * "A-Star Search").
 *
 * A master deals nodes out to searchers in turn. A searcher goes on from its node, the nearest first, and claims what it
 * comes to for itself; after --threshold nodes it gives what it still has to go on from to the master. Nodes are shared,
 * as in Savina, where a searcher claims one by a compare-and-swap, too, and computes as long for each as a hundred random
 * numbers take: here that is a hundred multiplications.
 *
 * Savina stops when the node is found, with several workers after more nodes or fewer. Here the search goes on to its end,
 * so that the work is the same with any schedule. Priorities of messages are for other runtimes.
 */
#include <math.h>
#include <stdlib.h>

#include "grid.h"
#include "work.h"
#include "workload.h"

enum { STEPS = 100, MOST_SIDE = 1024 };

static uint64_t side = 30, searchers = 20, threshold = 1024;

typedef struct {
    struct actorbench_message message;
    uint64_t node;
} task;
ACTORBENCH_MESSAGE_TYPE(task)

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

typedef struct {
    struct actorbench_actor actor;
    uint64_t begun, done; /* tasks */
    uint64_t found;       /* times that the target was */
    uint64_t ended;       /* searchers */
} master;
#define BEHAVIOURS_master(ON) ON(master, task, master_deals) ON(master, notice, master_hears)
ACTORBENCH_ACTOR_TYPE(master)

typedef struct {
    struct actorbench_actor actor;
    uint64_t *queue;   /* nodes to go on from */
    uint64_t searched; /* nodes, of all tasks */
} searcher;
#define BEHAVIOURS_searcher(ON) ON(searcher, task, searcher_searches) ON(searcher, notice, searcher_ends)
ACTORBENCH_ACTOR_TYPE(searcher)

static master the_master;
static searcher *all_searchers;
static notice found, done, stop; /* what is sent is their address */

static enum actorbench_allocation master_deals(master *self, task *dealt) {
    actorbench_send(searcher, &all_searchers[self->begun++ % searchers], dealt);
    return ACTORBENCH_NODELETE;
}

/* What a searcher gives and finds comes before it says that it has done. */
static enum actorbench_allocation master_hears(master *self, notice *message) {
    if (message == &found)
        self->found++;
    else if (message == &stop)
        self->ended++;
    else if (++self->done == self->begun)
        for (uint64_t i = 0; i < searchers; i++)
            actorbench_send(searcher, &all_searchers[i], &stop);
    return self->ended == searchers ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static void give(uint64_t node) {
    task *given = actorbench_message_new(task, ACTORBENCH_NODELETE);
    given->node = node;
    actorbench_send(master, &the_master, given);
}

static enum actorbench_allocation searcher_searches(searcher *self, task *searched) {
    uint64_t first = 0, end = 0;
    for (self->queue[end++] = searched->node; first < end && first < threshold; first++) {
        uint64_t neighbours[MOST_NEIGHBOURS], node = self->queue[first];
        work_do(STEPS);
        for (unsigned count = grid_neighbours(node, neighbours), i = 0; i < count; i++) {
            if (!grid_claim(neighbours[i], node))
                continue;
            self->queue[end++] = neighbours[i];
            if (neighbours[i] == grid_target())
                actorbench_send(master, &the_master, &found);
        }
    }
    self->searched += first;
    while (first < end)
        give(self->queue[first++]);
    actorbench_send(master, &the_master, &done);
    actorbench_message_set_allocation(&searched->message, ACTORBENCH_DELETE);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation searcher_ends(searcher *self, notice *message) {
    (void)self;
    actorbench_send(master, &the_master, message);
    return ACTORBENCH_FINISHED;
}

static const struct parameter parameters[] = {
    {"side", &side, NULL, 2, "of the cube, in nodes; --scale multiplies its cube"},
    {"searchers", &searchers, NULL, 1, "actors that search"},
    {"threshold", &threshold, NULL, 1, "nodes that one of them searches at a time"},
    {0},
};

static const struct workload workload = {
    .name = "a-star",
    .summary = "actors search a cube of nodes for one of them, each a part at a time",
    .unit = "node",
    .parameters = parameters,
};

/* How many nodes there were to be searched. */
static uint64_t verify(void) {
    struct grid_findings due;
    uint64_t searched = 0;
    if (!grid_check(&due))
        workload_refuse("--side %llu: there is not enough memory for the check", (unsigned long long)side);
    for (uint64_t i = 0; i < searchers; i++)
        searched += all_searchers[i].searched;
    if (searched != due.reachable || due.wrong != 0)
        workload_wrong("%llu nodes were searched in place of %llu, and %llu claimed wrongly or not at all",
                       (unsigned long long)searched, (unsigned long long)due.reachable, (unsigned long long)due.wrong);
    if (the_master.found != due.target)
        workload_wrong("the node that was looked for was found %llu times in place of %d",
                       (unsigned long long)the_master.found, due.target);
    return due.reachable;
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    double scaled = fmax(2.0, round((double)side * cbrt(workload_scale())));
    if (scaled > MOST_SIDE)
        workload_refuse("a side of %.0f nodes: at most %d", scaled, MOST_SIDE);
    all_searchers = calloc(searchers, sizeof *all_searchers);
    if (!grid_make((uint64_t)scaled) || all_searchers == NULL || threshold > UINT32_MAX)
        workload_refuse("--side %llu --searchers %llu --threshold %llu: there is not enough memory for so many",
                        (unsigned long long)side, (unsigned long long)searchers, (unsigned long long)threshold);

    workload_start_executor();
    actorbench_message_init(notice, &found, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &done, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &stop, ACTORBENCH_NODELETE);
    actorbench_actor_init(master, &the_master);
    for (uint64_t i = 0; i < searchers; i++) {
        actorbench_actor_init(searcher, &all_searchers[i]);
        all_searchers[i].queue = calloc(1 + threshold * MOST_NEIGHBOURS, sizeof *all_searchers[i].queue);
        if (all_searchers[i].queue == NULL)
            workload_refuse("--threshold %llu: there is not enough memory for so many", (unsigned long long)threshold);
    }
    workload_start_clock();
    give(0);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    uint64_t searched = verify();
    for (uint64_t i = 0; i < searchers; i++)
        free(all_searchers[i].queue);
    free(all_searchers);
    grid_free();
    return workload_end(searched, 0);
}
