/* Starvation: one behaviour holds its worker up; what else waits there must run on others. */
#include "rows.h"

enum { WORKERS = 2, ACTORS = 4 * WORKERS, MESSAGES = 3 };

static ATOMIC(unsigned) blocking;
static ATOMIC(unsigned) progress; /* messages that the others received */

typedef struct {
    struct message message;
} task;
MESSAGE_TYPE(task)

typedef struct {
    struct actor actor;
} blocker;
#define BEHAVIOURS_blocker(ON) ON(blocker, task, blocker_blocks)
ACTOR_TYPE(blocker)

typedef struct {
    struct actor actor;
} other;
#define BEHAVIOURS_other(ON) ON(other, task, other_goes_on)
ACTOR_TYPE(other)

/* Until everybody else has received everything. */
static enum allocation blocker_blocks(blocker *self, task *message) {
    (void)self, (void)message;
    atomic_store_relaxed(&blocking, 1);
    AWAIT(atomic_load_relaxed(&progress) == (ACTORS - 1) * MESSAGES);
    return FINISHED;
}

static enum allocation other_goes_on(other *self, task *message) {
    (void)self, (void)message;
    (void)atomic_fetch_add_relaxed(&progress, 1);
    return NODELETE;
}

/* Half of the actors are the blocked worker's. `early`: the messages are sent before it is known that the blocker runs. */
static void block(const struct executor_config *config, bool early) {
    blocker first;
    other others[ACTORS - 1];
    task message;
    atomic_initialise(&blocking, 0);
    atomic_initialise(&progress, 0);
    message_init(task, &message, NODELETE);
    start_executor(config);
    actor_init(blocker, &first);
    for (unsigned i = 0; i < ACTORS - 1; i++)
        actor_init(other, &others[i]);
    actor_send(blocker, &first, &message);
    if (!early)
        AWAIT(atomic_load_relaxed(&blocking));
    for (unsigned i = 0; i < (ACTORS - 1) * MESSAGES; i++)
        actor_send(other, &others[i % (ACTORS - 1)], &message);
    for (unsigned i = 0; i < ACTORS - 1; i++)
        actor_send(other, &others[i], &finished_message);
    executor_stop();
    assert_int_equal(atomic_load_relaxed(&progress), (ACTORS - 1) * MESSAGES);
}

static void block_often(const struct table_line *line, bool early) {
    struct executor_config config = configuration(line->names, line->values);
    config.workers = WORKERS;
    for (unsigned round = 0; round < 5; round++) {
        watchdog_start(20, "starvation under %s, %s; ACTORBENCH_TEST_SEED=%llu", line->values, early ? "early" : "late",
                       (unsigned long long)test_seed());
        block(&config, early);
    }
    watchdog_stop();
}

static void test_what_waits(void **state) {
    block_often(*state, true);
}

static void test_what_comes(void **state) {
    block_often(*state, false);
}

int main(void) {
    ADD_TABLE(stealing, test_what_waits);
    ADD_TABLE(stealing, test_what_comes);
    ADD_TABLE(stealing_arrivals, test_what_comes);
    return run_tables("starvation");
}
