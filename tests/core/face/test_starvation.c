/* Starvation: a behaviour holds its worker up; what else waits there must run on others. */
#include <limits.h>

#include "rows.h"

enum { WORKERS = 2, EACH = 4, ACTORS = EACH * WORKERS, MESSAGES = 3 };

static ATOMIC(unsigned) blocking; /* how many workers */
static ATOMIC(unsigned) progress; /* messages that the others received */
static unsigned expected;         /* of them */

typedef struct {
    struct actorbench_message message;
} task;
ACTORBENCH_MESSAGE_TYPE(task)

typedef struct {
    struct actorbench_actor actor;
} blocker;
#define BEHAVIOURS_blocker(ON) ON(blocker, task, blocker_blocks)
ACTORBENCH_ACTOR_TYPE(blocker)

typedef struct {
    struct actorbench_actor actor;
} other;
#define BEHAVIOURS_other(ON) ON(other, task, other_goes_on)
ACTORBENCH_ACTOR_TYPE(other)

/* Until everybody else has received everything. */
static enum actorbench_allocation blocker_blocks(blocker *self, task *message) {
    (void)self, (void)message;
    (void)atomic_fetch_add_relaxed(&blocking, 1);
    AWAIT(atomic_load_relaxed(&progress) == expected);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation other_goes_on(other *self, task *message) {
    (void)self, (void)message;
    (void)atomic_fetch_add_relaxed(&progress, 1);
    return ACTORBENCH_NODELETE;
}

/* Half of the actors are the blocked worker's. `early`: the messages are sent before it is known that the blocker runs. */
static void block(const struct actorbench_config *config, bool early) {
    blocker first;
    other others[ACTORS - 1];
    task message;
    atomic_initialise(&blocking, 0);
    atomic_initialise(&progress, 0);
    expected = (ACTORS - 1) * MESSAGES;
    actorbench_message_init(task, &message, ACTORBENCH_NODELETE);
    start_executor(config);
    actorbench_actor_init(blocker, &first);
    for (unsigned i = 0; i < ACTORS - 1; i++)
        actorbench_actor_init(other, &others[i]);
    actorbench_send(blocker, &first, &message);
    if (!early)
        AWAIT(atomic_load_relaxed(&blocking) == 1);
    for (unsigned i = 0; i < (ACTORS - 1) * MESSAGES; i++)
        actorbench_send(other, &others[i % (ACTORS - 1)], &message);
    for (unsigned i = 0; i < ACTORS - 1; i++)
        actorbench_send(other, &others[i], &actorbench_finished_message);
    actorbench_stop();
    assert_int_equal(atomic_load_relaxed(&progress), expected);
}

static void block_often(const struct table_line *line, bool early) {
    struct actorbench_config config = configuration(line->names, line->values);
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

/* ---- What a behaviour sends that does not end ---------------------------------------------------------------------- */

typedef struct {
    struct actorbench_actor actor;
    other *others;
    unsigned sent, most; /* messages; */
    uint64_t rest_ns;    /* before each */
} sender;
#define BEHAVIOURS_sender(ON) ON(sender, task, sender_sends)
ACTORBENCH_ACTOR_TYPE(sender)

/* Until one of the messages has been received. */
static enum actorbench_allocation sender_sends(sender *self, task *message) {
    while (atomic_load_relaxed(&progress) == 0 && self->sent < self->most) {
        if (self->rest_ns != 0)
            pause_ns(self->rest_ns);
        actorbench_send(other, &self->others[self->sent++ % (ACTORS - 1)], message);
    }
    AWAIT(atomic_load_relaxed(&progress) != 0);
    for (unsigned i = 0; i < ACTORS - 1; i++)
        actorbench_send(other, &self->others[i], &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

/* What it has sent is run before it ends. */
static void send_often(const struct table_line *line, unsigned most, uint64_t rest_ns) {
    struct actorbench_config config = configuration(line->names, line->values);
    static other others[ACTORS - 1];
    config.workers = WORKERS;
    for (unsigned round = 0; round < 5; round++) {
        sender first = {.others = others, .most = most, .rest_ns = rest_ns};
        task message;
        watchdog_start(20, "a behaviour that sends %u messages, under %s; ACTORBENCH_TEST_SEED=%llu", most,
                       line->values, (unsigned long long)test_seed());
        atomic_initialise(&progress, 0);
        actorbench_message_init(task, &message, ACTORBENCH_NODELETE);
        start_executor(&config);
        actorbench_actor_init(sender, &first);
        for (unsigned i = 0; i < ACTORS - 1; i++)
            actorbench_actor_init(other, &others[i]);
        actorbench_send(sender, &first, &message);
        actorbench_stop();
        assert_int_equal(atomic_load_relaxed(&progress), first.sent);
    }
    watchdog_stop();
}

static void test_what_it_sends(void **state) {
    send_often(*state, UINT_MAX, 0);
}

/* Few, one a millisecond. */
static void test_what_it_sends_slowly(void **state) {
    send_often(*state, MESSAGES, 1000 * 1000);
}

/* ---- A victim with nothing to take ---------------------------------------------------------------------------------- */

enum { THREE = 3, MADE = THREE * EACH };

/* An actor of each kind for each number; only one of the two is made. */
static struct {
    blocker blocks;
    other goes_on;
    bool is_blocker;
} made[MADE];

/* The first actor of each of the first two workers blocks. Value: its number. */
static void make_three(unsigned blockers[2]) {
    bool seen[THREE] = {false};
    for (unsigned i = 0; i < MADE; i++) {
        unsigned place = actorbench_place(i);
        made[i].is_blocker = place < 2 && !seen[place];
        if (made[i].is_blocker) {
            actorbench_actor_init(blocker, &made[i].blocks);
            blockers[place] = i;
        } else {
            actorbench_actor_init(other, &made[i].goes_on);
        }
        seen[place] = true;
    }
}

/* Of three workers, one is busy and has nothing else; some time later another is blocked, and what waits with it is for the
 * third. That one must not insist on the first, though no one has not tried to steal for longer. */
static void test_beside_a_busy_worker(void **state) {
    const struct table_line *line = *state;
    struct actorbench_config config = configuration(line->names, line->values);
    unsigned blockers[2];
    task message;
    config.workers = THREE;
    watchdog_start(20, "starvation under %s, beside a busy worker; ACTORBENCH_TEST_SEED=%llu", line->values,
                   (unsigned long long)test_seed());
    atomic_initialise(&blocking, 0);
    atomic_initialise(&progress, 0);
    expected = (EACH - 1) * MESSAGES;
    actorbench_message_init(task, &message, ACTORBENCH_NODELETE);
    start_executor(&config);
    make_three(blockers);
    actorbench_send(blocker, &made[blockers[1]].blocks, &message);
    AWAIT(atomic_load_relaxed(&blocking) == 1);
    pause_ns(25 * 1000 * 1000); /* the others try to steal meanwhile, even those that sleep */
    actorbench_send(blocker, &made[blockers[0]].blocks, &message);
    AWAIT(atomic_load_relaxed(&blocking) == 2);
    for (unsigned i = 0; i < MADE; i++)
        for (unsigned j = 0; actorbench_place(i) == 0 && !made[i].is_blocker && j < MESSAGES; j++)
            actorbench_send(other, &made[i].goes_on, &message);
    AWAIT(atomic_load_relaxed(&progress) == expected);
    for (unsigned i = 0; i < MADE; i++)
        if (!made[i].is_blocker)
            actorbench_send(other, &made[i].goes_on, &actorbench_finished_message);
    actorbench_stop();
    watchdog_stop();
}

int main(void) {
    ADD_TABLE(stealing, test_what_waits);
    ADD_TABLE(stealing, test_what_comes);
    ADD_TABLE(stealing, test_what_it_sends);
    ADD_TABLE(stealing, test_what_it_sends_slowly);
    ADD_TABLE(stealing, test_beside_a_busy_worker);
    ADD_TABLE(stealing_arrivals, test_what_comes);
    ADD_TABLE(stealing_arrivals, test_what_it_sends);
    ADD_TABLE(stealing_arrivals, test_what_it_sends_slowly);
    ADD_TABLE(stealing_arrivals, test_beside_a_busy_worker);
    return run_tables("starvation");
}
