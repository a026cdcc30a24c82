/* actor-creation: spawners make many actors that are all alive at once, and end them (React++, "Actor Creation", after
 * Savina, "Fork Join (actor creation)").
 *
 * Each actor handles a first message as soon as it is made. Only when every spawner has made its share does a second
 * one, from the same spawner, end each. Actors are made on the heap and freed by the executor: allocation is timed.
 */
#include <stdlib.h>

#include "workload.h"

static uint64_t actors = 1000000, spawners = 0;
static struct tally *freed; /* actors that had handled their first message */

typedef struct {
    struct actorbench_message message;
} greeting;
ACTORBENCH_MESSAGE_TYPE(greeting)

typedef struct child child;
struct child {
    struct actorbench_actor actor;
    child *elder; /* made before by the same spawner, or NULL */
    bool greeted;
};
#define BEHAVIOURS_child(ON) ON(child, greeting, child_wakes)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(child, child_ends)

/* To every spawner, and sent on from it to the coordinator when its share is made. */
typedef struct {
    struct actorbench_message message;
} creation;
ACTORBENCH_MESSAGE_TYPE(creation)

typedef struct {
    struct actorbench_actor actor;
    uint64_t share;
    child *youngest;
} spawner;
#define BEHAVIOURS_spawner(ON) ON(spawner, creation, spawner_makes) ON(spawner, actorbench_finished_pill, spawner_ends)
ACTORBENCH_ACTOR_TYPE(spawner)

/* Ends the spawners when all shares are made. */
typedef struct {
    struct actorbench_actor actor;
    uint64_t missing; /* shares */
} coordinator;
#define BEHAVIOURS_coordinator(ON) ON(coordinator, creation, coordinator_hears)
ACTORBENCH_ACTOR_TYPE(coordinator)

static spawner *all_spawners;
static coordinator the_coordinator;
static greeting hello; /* one for all: what is sent is its address */

static enum actorbench_allocation child_wakes(child *self, greeting *message) {
    (void)message;
    self->greeted = true;
    return ACTORBENCH_NODELETE;
}

static void child_ends(child *self) {
    if (self->greeted)
        tally_add(freed);
}

static enum actorbench_allocation spawner_makes(spawner *self, creation *message) {
    child *youngest = NULL; /* the next spawner may lie in the same cache line as this one: it is written to once */
    for (uint64_t i = 0; i < self->share; i++) {
        child *newborn = actorbench_actor_new(child);
        newborn->elder = youngest;
        youngest = newborn;
        actorbench_send(child, newborn, &hello);
    }
    self->youngest = youngest;
    actorbench_send(coordinator, &the_coordinator, message);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation coordinator_hears(coordinator *self, creation *message) {
    (void)message;
    if (--self->missing != 0)
        return ACTORBENCH_NODELETE;
    for (uint64_t i = 0; i < spawners; i++)
        actorbench_send(spawner, &all_spawners[i], &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation spawner_ends(spawner *self, actorbench_finished_pill *pill) {
    (void)pill;
    for (child *elder, *each = self->youngest; each != NULL; each = elder) {
        elder = each->elder; /* read first: after its last message the child may be gone */
        actorbench_send(child, each, &actorbench_delete_message);
    }
    return ACTORBENCH_FINISHED;
}

static const struct parameter parameters[] = {
    {"actors", &actors, NULL, 1, "alive at once; --scale multiplies it"},
    {"spawners", &spawners, NULL, 0, "actors that make them; 0: as many as workers"},
    {0},
};

static const struct workload workload = {
    .name = "actor-creation",
    .summary = "spawners make many actors that are all alive at once, and end them",
    .unit = "actor",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    uint64_t total = workload_scaled(actors), asked_for = spawners;
    workload_start_executor();
    if (spawners == 0)
        spawners = actorbench_workers();
    all_spawners = calloc(spawners, sizeof *all_spawners);
    if (all_spawners == NULL)
        workload_refuse("--spawners %llu: there is not enough memory for so many", (unsigned long long)spawners);
    freed = tally_new();
    static creation make;
    actorbench_message_init(greeting, &hello, ACTORBENCH_NODELETE);
    actorbench_message_init(creation, &make, ACTORBENCH_NODELETE);
    actorbench_actor_init(coordinator, &the_coordinator);
    the_coordinator.missing = spawners;
    for (uint64_t i = 0; i < spawners; i++) {
        actorbench_actor_init(spawner, &all_spawners[i]);
        all_spawners[i].share = total / spawners + (i < total % spawners);
    }
    workload_start_clock();
    for (uint64_t i = 0; i < spawners; i++)
        actorbench_send(spawner, &all_spawners[i], &make);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    if (tally_sum(freed) != total)
        workload_wrong("%llu actors in place of %llu handled their first message and were freed after the second",
                       (unsigned long long)tally_sum(freed), (unsigned long long)total);
    free(all_spawners);
    spawners = asked_for; /* the record says what was asked for */
    return workload_end(total, 0);
}
