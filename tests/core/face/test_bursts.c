/* Bursts: work that comes from one place, faster than its worker can do it, is shared by all.
 *
 * Their messages are counted by the worker that runs them. A burst ends, so the shares here are of a given number of messages;
 * what makes them long is sleep, as shares.h says.
 */
#include <sys/prctl.h>

#include "rows.h"
#include "shares.h"

typedef struct {
    struct message message;
} job;
MESSAGE_TYPE(job)

typedef struct {
    struct message message;
} chore; /* next to no work */
MESSAGE_TYPE(chore)

static job a_job;
static chore a_chore;

/* ---- (a) One behaviour makes all actors, and each of them has much to do, in little messages -------------------------- */

enum { CHILDREN = 12000, CHILD_JOBS = 576, BLOCK = 1024 };

typedef struct {
    struct actor actor;
    unsigned left;
} child;
#define BEHAVIOURS_child(ON) ON(child, job, child_works)
ACTOR_TYPE(child)

typedef struct {
    struct actor actor;
} parent;
#define BEHAVIOURS_parent(ON) ON(parent, job, parent_makes)
ACTOR_TYPE(parent)

static child children[CHILDREN];

/* Ends early if all workers have had their share. */
static enum allocation child_works(child *self, job *message) {
    count_share();
    if (--self->left == 0 || shares_are_known())
        return FINISHED;
    actor_send(child, self, message);
    return NODELETE;
}

static enum allocation parent_makes(parent *self, job *message) {
    (void)self;
    for (unsigned i = 0; i < CHILDREN; i++) {
        children[i].left = CHILD_JOBS;
        actor_init(child, &children[i]);
        actor_send(child, &children[i], message);
    }
    return FINISHED;
}

static void make_family(const struct executor_config *config) {
    static parent first;
    struct executor_config few = *config;
    (void)executor_set_option(&few, "mailboxes-per-worker", "4"); /* which not all designs have */
    start_shares(&few, BLOCK, CHILDREN * CHILD_JOBS);
    actor_init(parent, &first);
    actor_send(parent, &first, &a_job);
    executor_stop();
}

/* ---- (b) Long work behind much that is little, from one behaviour ----------------------------------------------------- */

enum { CHORES = 3000, LONG_JOBS = 64 };

typedef struct {
    struct actor actor;
} labourer;
#define BEHAVIOURS_labourer(ON)            \
    ON(labourer, job, labourer_works_long) \
    ON(labourer, chore, labourer_works_little)
ACTOR_TYPE(labourer)

typedef struct {
    struct actor actor;
    unsigned chores;
} foreman;
#define BEHAVIOURS_foreman(ON) ON(foreman, chore, foreman_works)
ACTOR_TYPE(foreman)

static labourer labourers[LONG_JOBS];

static enum allocation labourer_works_long(labourer *self, job *message) {
    (void)self, (void)message;
    count_share();
    pause_ns(LONG_NS);
    return FINISHED;
}

static enum allocation labourer_works_little(labourer *self, chore *message) {
    (void)self, (void)message;
    return NODELETE;
}

static void hand_out(void) {
    for (unsigned i = 0; i < LONG_JOBS; i++)
        actor_init(labourer, &labourers[i]);
    for (unsigned i = 0; i < CHORES; i++)
        actor_send(labourer, &labourers[i % LONG_JOBS], &a_chore);
    for (unsigned i = 0; i < LONG_JOBS; i++)
        actor_send(labourer, &labourers[i], &a_job);
}

/* First it has chores alone, so that the worker takes all work for little. */
static enum allocation foreman_works(foreman *self, chore *message) {
    if (self->chores-- == 0) {
        hand_out();
        return FINISHED;
    }
    actor_send(foreman, self, message);
    return NODELETE;
}

static void burst(const struct executor_config *config) {
    static foreman first;
    start_shares(config, LONG_JOBS, LONG_JOBS);
    first.chores = CHORES;
    actor_init(foreman, &first);
    actor_send(foreman, &first, &a_chore);
    executor_stop();
}

/* ---- (c) Short work from main, for actors of one worker ---------------------------------------------------------------- */

enum { TASKS = 1200, TASK_NS = 20 * 1000, CLERKS = 16 };

typedef struct {
    struct actor actor;
} clerk;
#define BEHAVIOURS_clerk(ON) ON(clerk, job, clerk_works)
ACTOR_TYPE(clerk)

static enum allocation clerk_works(clerk *self, job *message) {
    (void)self, (void)message;
    count_share();
    pause_ns(TASK_NS);
    return NODELETE;
}

/* The clerks of worker 0, one in each of its mailboxes where it has such; the others only come between them. */
static void send_tasks(const struct executor_config *config) {
    static clerk clerks[MOST_WORKERS * CLERKS];
    unsigned made = 0, busy = 0;
    clerk *of_worker_0[CLERKS];
    start_shares(config, TASKS, TASKS);
    for (; busy < CLERKS; made++) {
        actor_init(clerk, &clerks[made]);
        if (executor_place(made) == 0)
            of_worker_0[busy++] = &clerks[made];
    }
    for (unsigned i = 0; i < TASKS; i++)
        actor_send(clerk, of_worker_0[i % CLERKS], &a_job);
    for (unsigned i = 0; i < made; i++)
        actor_send(clerk, &clerks[i], &finished_message);
    executor_stop();
}

/* ---- The tests ------------------------------------------------------------------------------------------------------ */

/* Runs a burst with so many workers. */
static void run_burst(const struct table_line *line, unsigned workers, void (*work)(const struct executor_config *),
                      const char *what) {
    struct executor_config config = configuration(line->names, line->values);
    config.workers = workers;
    watchdog_start(SECONDS, "%s under %s, %u workers; ACTORBENCH_TEST_SEED=%llu", what, line->values, workers,
                   (unsigned long long)test_seed());
    message_init(job, &a_job, NODELETE);
    message_init(chore, &a_chore, NODELETE);
    work(&config);
    watchdog_stop();
    say_shares(line->values, workers, what);
}

/* Asserts that no worker has run more than `most_of_one` messages. The least share is not promised of what ends so soon: what
 * crosses goes by the mailbox, and others may have taken all before a thief comes. */
static void expect_spread(unsigned workers, uint32_t most_of_one, const char *what) {
    for (unsigned i = 0; i < workers; i++)
        if (share_of(i) > most_of_one)
            fail_msg("%s: worker %u of %u has run %u messages, more than %u; all: %s", what, i, workers, share_of(i),
                     most_of_one, shares_said(workers));
}

/* How many a worker runs while another is kept waiting is the kernel's choice, but none may run none. */
static void test_family(void **state) {
    static const char what[] = "12,000 actors from one behaviour";
    run_burst(*state, 4, make_family, what);
    expect_shares(4, BLOCK, what);
}

static void test_burst(void **state) {
    static const char what[] = "64 long messages behind 3,000";
    for (unsigned workers = 2; workers <= 8; workers *= 2) {
        run_burst(*state, workers, burst, what);
        expect_spread(workers, workers == 2 ? LONG_JOBS * 7 / 8 : LONG_JOBS * 3 / 4, what);
    }
}

static void test_tasks(void **state) {
    static const char what[] = "tasks from main for one worker";
    run_burst(*state, 2, send_tasks, what);
    expect_spread(2, TASKS * 7 / 8, what);
}

int main(void) {
    (void)prctl(PR_SET_TIMERSLACK, 1); /* ns, for this thread and those that it starts: the short sleeps are short */
    ADD_TABLE(shared, test_family);
    ADD_TABLE(shared, test_burst);
    ADD_TABLE(shared, test_tasks);
    return run_tables("bursts");
}
