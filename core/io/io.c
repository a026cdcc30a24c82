/* I/O as a layer of the executor: its configuration, its life, and what actors ask of it. */
#include "io.h"

#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>

#include "crew.h"
#include "design.h"
#include "layer.h"
#include "sets.h"
#include "watch.h"

enum { DESCRIPTORS_MOST = 1 << 24, DESCRIPTORS_UNLIMITED = 1 << 20 };

static struct actorbench_io_config config;
static struct actorbench_io_statistics last;
static ATOMIC(uint32_t) next_set; /* for threads that are no workers */

/* ---- Its life ------------------------------------------------------------------------------------------------------- */

static const char *launches(void) {
    const char *why = sets_make(&config, config.sets == ACTORBENCH_IO_CENTRALISED ? 1 : crew.count);
    if (why != NULL)
        return why;
    watch_make(config.descriptors);
    atomic_initialise(&next_set, 0);
    config.policy->pre_launch();
    return NULL;
}

static void launched(void) {
    config.policy->post_launch();
    sets_start_master();
}

static bool idles(unsigned worker) {
    return config.policy->on_idle(worker);
}

static void blocks(unsigned worker) {
    config.policy->on_block(worker);
}

static void stops(void) {
    sets_stop_master();
    config.policy->pre_stop();
}

static void stopped(void) {
    if (executor_round.running)
        config.policy->post_stop();
    last = sets_statistics();
    sets_free();
    watch_free();
}

static const struct layer layer = {
    .launches = launches,
    .launched = launched,
    .idles = idles,
    .blocks = blocks,
    .stops = stops,
    .stopped = stopped,
};

/* ---- The face ------------------------------------------------------------------------------------------------------- */

struct actorbench_io_config actorbench_io_defaults(void) {
    return (struct actorbench_io_config){.rounds = 4, .events = 64, .policy = &actorbench_io_by_workers};
}

/* As many descriptors as the process may have open. */
static unsigned descriptors_at_most(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY)
        return DESCRIPTORS_UNLIMITED;
    return limit.rlim_max < DESCRIPTORS_MOST ? (unsigned)limit.rlim_max : DESCRIPTORS_MOST;
}

const char *actorbench_io_use(const struct actorbench_io_config *asked) {
    struct actorbench_io_config wanted = asked == NULL ? actorbench_io_defaults() : *asked;
    if (wanted.rounds == 0)
        return "I/O cannot poll in rounds of 0: they are 1 or more";
    if (wanted.events == 0 || wanted.events > READY_MOST)
        return "I/O cannot take so many events in a round: they are 1 to 1024";
    if (wanted.descriptors > DESCRIPTORS_MOST)
        return "I/O cannot watch so many descriptors: they are 16777216 at most";
    if (wanted.descriptors == 0)
        wanted.descriptors = descriptors_at_most();
    config = wanted;
    executor_round.layer = &layer;
    return NULL;
}

bool actorbench_io_begin(int descriptor, struct actorbench_actor *receiver, struct actorbench_message *message,
                         actorbench_behaviour *reaction) {
    unsigned worker = actorbench_worker();
    unsigned set = actorbench_io_set_of(worker < crew.count ? worker : atomic_fetch_add_relaxed(&next_set, 1));
    uint64_t watch = watch_begin(descriptor, set, receiver, message, reaction), ended;
    if (watch == 0)
        return false;
    if (sets_add(set, descriptor, watch))
        return true;
    int refused = errno;
    (void)watch_end(descriptor, &ended, &set);
    errno = refused;
    return false;
}

void actorbench_io_taken(int descriptor) {
    watch_taken(descriptor);
}

bool actorbench_io_end(int descriptor) {
    uint64_t watch;
    unsigned set;
    bool last_one = watch_end(descriptor, &watch, &set);
    sets_remove(set, watch);
    return last_one;
}

struct actorbench_io_statistics actorbench_io_last_statistics(void) {
    return last;
}
