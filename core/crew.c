/* Threads for workers, and their CPUs. */
#include "crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "latency.h"
#include "platform/fatal.h"
#include "platform/memory.h"

enum { MAXIMUM_WORKERS = 4096 };

struct crew crew;

static char line[256];

/* Whether the described machine can be read at all, even where nobody asks for distances. */
static const char *check_description(const char *description) {
    struct cpu_plan plan = {0};
    const char *why = topology_plan(description, PIN_NONE, &plan);
    free(plan.places);
    return why;
}

const char *crew_make(const struct actorbench_config *config, enum pin_plan pin) {
    crew.count = config->workers == 0 ? topology_usable_cpus() : config->workers;
    if (crew.count > MAXIMUM_WORKERS) {
        (void)snprintf(line, sizeof line, "%u workers are too many: at most %d can be started", crew.count,
                       MAXIMUM_WORKERS);
        return line;
    }
    crew.members = memory_zeroed(crew.count, sizeof *crew.members, "the workers' threads");
    atomic_initialise(&crew.sleepers, 0);
    for (unsigned i = 0; i < crew.count; i++)
        crew.members[i] = (struct crew_member){.index = i, .cpu = -1, .node = ANY_NODE};
    if (config->topology != NULL && pin != PIN_NONE)
        return "--topology describes another machine, to whose CPUs no worker can be bound: use --pin none";
    if (config->topology != NULL)
        return check_description(config->topology);
    if (pin == PIN_NONE)
        return NULL;
    struct cpu_plan plan = {0};
    const char *why = topology_plan(NULL, pin, &plan);
    if (why != NULL)
        return why;
    bool nodes = topology_has_nodes();
    for (unsigned i = 0; i < crew.count; i++) {
        crew.members[i].cpu = plan.places[i % plan.count].cpu;
        crew.members[i].node = nodes ? plan.places[i % plan.count].node : ANY_NODE;
    }
    free(plan.places);
    return NULL;
}

/* A worker's thread. */
static void *begin(void *argument) {
    struct crew_member *member = argument;
    if (member->cpu != -1 && !topology_bind_thread(member->cpu))
        warning("worker %u cannot be bound to CPU %d: it runs where the kernel puts it", member->index, member->cpu);
    member->work(member->index);
    STAMPED(latency_collect();)
    member->waits = this_lock_waits;
    return NULL;
}

const char *crew_start(void (*work)(unsigned index), unsigned *started) {
    for (*started = 0; *started < crew.count; ++*started) {
        struct crew_member *member = &crew.members[*started];
        member->work = work;
        int error = pthread_create(&member->thread, NULL, begin, member);
        if (error != 0) {
            (void)snprintf(line, sizeof line, "worker %u of %u cannot be started: %s; use fewer workers", *started + 1,
                           crew.count, strerror(error));
            return line;
        }
    }
    return NULL;
}

void crew_join(unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        int error = pthread_join(crew.members[i].thread, NULL);
        if (error != 0)
            fatal("worker %u cannot be joined: %s", i, strerror(error));
    }
}

void crew_release(void) {
    free(crew.members);
    crew.members = NULL;
}
