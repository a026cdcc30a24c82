/* The executor's life, whatever the design: start, wait, stop, and what can be asked of it. */
#include "executor.h"

#include "census.h"
#include "check.h"
#include "crew.h"
#include "design.h"
#include "latency.h"
#include "layer.h"
#include "stats.h"

struct executor_round executor_round;

/* Ends the first `count` workers, which have nothing left to do. */
static void end_workers(unsigned count) {
    atomic_store_seq_cst(&executor_round.stopping, 1); /* pairs with the loads in each design's sleep and worker.c */
    for (unsigned i = 0; i < count; i++)
        design_wake(i);
    crew_join(count);
}

/* The layer's part of an executor's end. */
static void end_layer(void) {
    if (executor_round.layer != NULL)
        executor_round.layer->stopped();
    executor_round.layer = NULL;
}

static const char *start_workers(uint64_t seed) {
    census_init();
    stats_reset();
    STAMPED(latency_begin();)
    atomic_initialise(&executor_round.stopping, 0);
    atomic_initialise(&executor_round.outside_sends, 0);
    design_make(seed);
    unsigned started;
    const char *why = crew_start(design_work, &started);
    if (why != NULL) {
        end_workers(started);
        design_release();
    }
    return why;
}

const char *actorbench_start(const struct actorbench_config *config) {
    if (executor_round.running)
        return "an executor is running already: call actorbench_stop before the next actorbench_start";
    struct actorbench_config defaults = actorbench_defaults();
    if (config == NULL)
        config = &defaults;
    executor_round.note = NULL;
    const char *why = crew_make(config, design_pin(config));
    if (why == NULL)
        why = design_prepare(config);
    if (why == NULL && executor_round.layer != NULL)
        why = executor_round.layer->launches();
    if (why == NULL)
        why = start_workers(config->seed);
    executor_round.running = why == NULL;
    if (why != NULL) {
        end_layer();
        crew_release();
    } else if (executor_round.layer != NULL) {
        executor_round.layer->launched();
    }
    return why;
}

void actorbench_wait(void) {
    check(executor_round.running, "actorbench_wait: no executor runs: call actorbench_start first");
    census_wait();
}

static void collect_statistics(void) {
    if (STATISTICS_BUILD) {
        struct actorbench_statistics outside = {
            .actors_created = census_created(),
            .messages_sent = atomic_load_relaxed(&executor_round.outside_sends),
        };
        stats_collect(&outside);
    }
    for (unsigned i = 0; i < crew.count; i++) {
        struct lock_waits waits = crew.members[i].waits;
        stats_collect(&(struct actorbench_statistics){.lock_waits = waits.count, .lock_wait_ns = waits.ns});
        stats_collect(design_statistics(i));
    }
}

void actorbench_stop(void) {
    check(executor_round.running, "actorbench_stop: no executor runs: call actorbench_start first");
    census_wait();
    if (executor_round.layer != NULL) {
        executor_round.layer->stops();
        census_wait();
    }
    end_workers(crew.count);
    STAMPED(latency_end();)
    if (CHECKED_BUILD)
        design_check_left();
    collect_statistics();
    end_layer();
    design_release();
    crew_release();
    executor_round.running = false;
}

unsigned actorbench_workers(void) {
    return crew.count;
}

const char *actorbench_note(void) {
    return executor_round.note;
}
