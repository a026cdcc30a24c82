/* idle-actors: what an actor takes that exists and has nothing to do.
 *
 * Main makes --actors of them on the heap, and nobody sends to any: what the process' resident memory has grown by then, over their
 * number, is `bytes_an_actor`: the actor itself (three words), its storage's share of the allocator, and what the design keeps for it. Then
 * each is sent the one message that ends it, which is not timed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workload.h"

static uint64_t actors = 1000000;
static struct tally *ended;

typedef struct {
    struct actorbench_actor actor;
    uint64_t own; /* that it has storage of its own */
} sleeper;
#define BEHAVIOURS_sleeper(ON) ON(sleeper, actorbench_delete_pill, sleeper_ends)
ACTORBENCH_ACTOR_TYPE(sleeper)

static enum actorbench_allocation sleeper_ends(sleeper *self, actorbench_delete_pill *pill) {
    (void)self, (void)pill;
    tally_add(ended);
    return ACTORBENCH_DELETE;
}

/* The process' resident memory, or 0 if the kernel does not tell. */
static uint64_t resident_bytes(void) {
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm == NULL)
        return 0;
    unsigned long long size, resident = 0;
    if (fscanf(statm, "%llu %llu", &size, &resident) != 2)
        resident = 0;
    (void)fclose(statm);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static const struct parameter parameters[] = {
    {"actors", &actors, NULL, 1, "that are idle at once; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "idle-actors",
    .summary = "main makes actors that nobody sends to",
    .unit = "actor",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    uint64_t total = workload_scaled(actors);
    sleeper **all = malloc(total * sizeof *all);
    if (all == NULL)
        workload_refuse("--actors %llu: there is not enough memory for so many", (unsigned long long)actors);
    memset(all, 1, total * sizeof *all); /* its pages are there before the actors are */
    workload_start_executor();
    ended = tally_new();
    uint64_t before = resident_bytes();
    workload_start_clock();
    for (uint64_t i = 0; i < total; i++)
        all[i] = actorbench_actor_new(sleeper);
    workload_stop_clock();
    uint64_t after = resident_bytes();
    for (uint64_t i = 0; i < total; i++)
        actorbench_send(sleeper, all[i], &actorbench_delete_message);
    actorbench_stop();

    if (tally_sum(ended) != total)
        workload_wrong("%llu actors ended in place of %llu", (unsigned long long)tally_sum(ended),
                       (unsigned long long)total);
    if (after > before)
        workload_measure("bytes_an_actor", (double)(after - before) / (double)total);
    free(all);
    return workload_end(total, 0);
}
