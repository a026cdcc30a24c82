/* Starvation: one behaviour holds its worker up; what waits in that worker's other mailboxes must run on others. */
#include "harness.h"

enum { WORKERS = 2, MAILBOXES = 4, ACTORS = WORKERS * MAILBOXES, MESSAGES = 3 };

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

static const struct row {
    const char *steal, *loot, *queue, *idle;
} rows[] = {
    {"longest", "worthwhile", "copy", "park"}, {"random", "worthwhile", "list", "park"},
    {"longest", "waiting", "list", "park"},    {"random", "waiting", "copy", "park"},
    {"longest", "any", "copy", "park"},        {"random", "any", "list", "park"},
    {"longest", "worthwhile", "list", "spin"}, {"random", "waiting", "copy", "spin"},
};

/* One actor a mailbox. `early`: the messages are sent before it is known that the blocker runs. */
static void block(const struct row *row, bool early) {
    struct executor_config config = executor_defaults();
    blocker first;
    other others[ACTORS - 1];
    task message;
    config.workers = WORKERS;
    config.seed = test_seed();
    set_option(&config, "mailboxes-per-worker", "4");
    set_option(&config, "steal", row->steal);
    set_option(&config, "loot", row->loot);
    set_option(&config, "queue", row->queue);
    set_option(&config, "idle", row->idle);
    atomic_initialise(&blocking, 0);
    atomic_initialise(&progress, 0);
    message_init(task, &message, NODELETE);
    start_executor(&config);
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

static void test_row(void **state) {
    const struct row *row = *state;
    for (unsigned round = 0; round < 10; round++) {
        watchdog_start(20, "starvation with %s %s %s %s; ACTORBENCH_TEST_SEED=%llu", row->steal, row->loot, row->queue,
                       row->idle, (unsigned long long)test_seed());
        block(row, round % 2 == 0);
    }
    watchdog_stop();
}

int main(void) {
    static struct CMUnitTest tests[LENGTH(rows)];
    static char names[LENGTH(rows)][64];
    for (size_t i = 0; i < LENGTH(rows); i++) {
        (void)snprintf(names[i], sizeof names[i], "%s %s %s %s", rows[i].steal, rows[i].loot, rows[i].queue,
                       rows[i].idle);
        tests[i] = (struct CMUnitTest){names[i], test_row, NULL, NULL, (void *)&rows[i]};
    }
    return cmocka_run_group_tests_name("starvation", tests, NULL, NULL);
}
