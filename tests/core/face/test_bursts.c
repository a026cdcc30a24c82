/* Bursts: work that comes from one place, faster than its worker can do it, is shared by all.
 *
 * Their messages are counted by the worker that runs them. A burst ends, so the shares here are of a given number of messages;
 * what makes them long is sleep, as shares.h says.
 */
#include <sys/prctl.h>

#include "rows.h"
#include "shares.h"

typedef struct {
    struct actorbench_message message;
} job;
ACTORBENCH_MESSAGE_TYPE(job)

typedef struct {
    struct actorbench_message message;
} chore; /* next to no work */
ACTORBENCH_MESSAGE_TYPE(chore)

static job a_job;
static chore a_chore;

/* ---- (a) One behaviour makes all actors, and each of them has much to do, in little messages -------------------------- */

enum { CHILDREN = 12000, CHILD_JOBS = 1152, BLOCK = 1024 };

typedef struct {
    struct actorbench_actor actor;
    unsigned left;
} child;
#define BEHAVIOURS_child(ON) ON(child, job, child_works)
ACTORBENCH_ACTOR_TYPE(child)

typedef struct {
    struct actorbench_actor actor;
} parent;
#define BEHAVIOURS_parent(ON) ON(parent, job, parent_makes)
ACTORBENCH_ACTOR_TYPE(parent)

static child children[CHILDREN];

/* Ends early if all workers have had their share. */
static enum actorbench_allocation child_works(child *self, job *message) {
    count_share();
    if (--self->left == 0 || shares_are_known())
        return ACTORBENCH_FINISHED;
    actorbench_send(child, self, message);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation parent_makes(parent *self, job *message) {
    (void)self;
    for (unsigned i = 0; i < CHILDREN; i++) {
        children[i].left = CHILD_JOBS;
        actorbench_actor_init(child, &children[i]);
        actorbench_send(child, &children[i], message);
    }
    return ACTORBENCH_FINISHED;
}

static void make_family(const struct actorbench_config *config) {
    static parent first;
    struct actorbench_config few = *config;
    (void)actorbench_set_option(&few, "mailboxes-per-worker", "4"); /* which not all designs have */
    start_shares(&few, BLOCK, CHILDREN * CHILD_JOBS);
    actorbench_actor_init(parent, &first);
    actorbench_send(parent, &first, &a_job);
    actorbench_stop();
}

/* ---- (b) Long work behind much that is little, from one behaviour ----------------------------------------------------- */

enum { CHORES = 3000, LONG_JOBS = 64 };

typedef struct {
    struct actorbench_actor actor;
} labourer;
#define BEHAVIOURS_labourer(ON)            \
    ON(labourer, job, labourer_works_long) \
    ON(labourer, chore, labourer_works_little)
ACTORBENCH_ACTOR_TYPE(labourer)

typedef struct {
    struct actorbench_actor actor;
    unsigned chores;
} foreman;
#define BEHAVIOURS_foreman(ON) ON(foreman, chore, foreman_works)
ACTORBENCH_ACTOR_TYPE(foreman)

static labourer labourers[LONG_JOBS];
static unsigned handed_out_by; /* a worker */

static enum actorbench_allocation labourer_works_long(labourer *self, job *message) {
    (void)self, (void)message;
    count_share();
    pause_ns(LONG_NS);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation labourer_works_little(labourer *self, chore *message) {
    (void)self, (void)message;
    return ACTORBENCH_NODELETE;
}

static void hand_out(void) {
    handed_out_by = actorbench_worker();
    for (unsigned i = 0; i < LONG_JOBS; i++)
        actorbench_actor_init(labourer, &labourers[i]);
    for (unsigned i = 0; i < CHORES; i++)
        actorbench_send(labourer, &labourers[i % LONG_JOBS], &a_chore);
    for (unsigned i = 0; i < LONG_JOBS; i++)
        actorbench_send(labourer, &labourers[i], &a_job);
}

/* First it has chores alone, so that the worker takes all work for little. */
static enum actorbench_allocation foreman_works(foreman *self, chore *message) {
    if (self->chores-- == 0) {
        hand_out();
        return ACTORBENCH_FINISHED;
    }
    actorbench_send(foreman, self, message);
    return ACTORBENCH_NODELETE;
}

static void burst(const struct actorbench_config *config) {
    static foreman first;
    start_shares(config, LONG_JOBS, LONG_JOBS);
    actorbench_message_init(chore, &a_chore, ACTORBENCH_NODELETE);
    first.chores = CHORES;
    actorbench_actor_init(foreman, &first);
    actorbench_send(foreman, &first, &a_chore);
    actorbench_stop();
}

/* ---- (c) Short work from main, for actors of one worker ---------------------------------------------------------------- */

enum { TASKS = 1200, TASK_NS = 20 * 1000, CLERKS = 16 };

typedef struct {
    struct actorbench_actor actor;
} clerk;
#define BEHAVIOURS_clerk(ON) ON(clerk, job, clerk_works)
ACTORBENCH_ACTOR_TYPE(clerk)

static enum actorbench_allocation clerk_works(clerk *self, job *message) {
    (void)self, (void)message;
    count_share();
    pause_ns(TASK_NS);
    return ACTORBENCH_NODELETE;
}

/* The clerks of worker 0, one in each of its mailboxes where it has such; the others only come between them. */
static void send_tasks(const struct actorbench_config *config) {
    static clerk clerks[MOST_WORKERS * CLERKS];
    unsigned made = 0, busy = 0;
    clerk *of_worker_0[CLERKS];
    start_shares(config, TASKS, TASKS);
    for (; busy < CLERKS; made++) {
        actorbench_actor_init(clerk, &clerks[made]);
        if (actorbench_place(made) == 0)
            of_worker_0[busy++] = &clerks[made];
    }
    for (unsigned i = 0; i < TASKS; i++)
        actorbench_send(clerk, of_worker_0[i % CLERKS], &a_job);
    for (unsigned i = 0; i < made; i++)
        actorbench_send(clerk, &clerks[i], &actorbench_finished_message);
    actorbench_stop();
}

/* ---- The tests ------------------------------------------------------------------------------------------------------ */

/* A burst is short: should a worker be left out for as long as it lasts, by the kernel or by a host that has given its CPU to
 * others, a later one will tell. So the pauses between them become longer, as such a time may outlast three in a row. */
enum { ROUNDS = 5, FIRST_PAUSE_NS = 100 * 1000 * 1000 };

/* Runs a burst with so many workers, until one has gone well, or ROUNDS have not. */
static void run_bursts(const struct table_line *line, unsigned workers, void (*work)(const struct actorbench_config *),
                       bool (*is_shared)(unsigned workers), const char *what) {
    struct actorbench_config config = configuration(line->names, line->values);
    config.workers = workers;
    actorbench_message_init(job, &a_job, ACTORBENCH_NODELETE);
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (round > 0)
            pause_ns((long)FIRST_PAUSE_NS << (round - 1));
        watchdog_start(SECONDS, "%s under %s, %u workers; ACTORBENCH_TEST_SEED=%llu", what, line->values, workers,
                       (unsigned long long)test_seed());
        work(&config);
        watchdog_stop();
        say_shares(line->values, workers, what);
        if (is_shared(workers))
            return;
    }
    fail_msg("%s: the workers have run %s messages in the last of %d rounds", what, shares_said(workers), (int)ROUNDS);
}

/* How many each runs while another is kept waiting is the kernel's choice, but none may run none. */
static bool is_family_shared(unsigned workers) {
    (void)workers;
    return atomic_load_relaxed(&lacking) == 0;
}

/* Nobody keeps nearly all. The least share is not promised of what ends so soon: what crosses may cross by the mailbox, and
 * others may have taken all before a thief comes. */
static bool is_burst_shared(unsigned workers) {
    return share_of(handed_out_by) <= (workers == 2 ? LONG_JOBS * 7 / 8 : LONG_JOBS * 3 / 4);
}

static bool are_tasks_shared(unsigned workers) {
    (void)workers;
    return share_of(0) <= TASKS * 3 / 4;
}

static void test_family(void **state) {
    run_bursts(*state, 4, make_family, is_family_shared, "12,000 actors from one behaviour");
}

static void test_burst(void **state) {
    for (unsigned workers = 2; workers <= 8; workers *= 2)
        run_bursts(*state, workers, burst, is_burst_shared, "64 long messages behind 3,000");
}

static void test_tasks(void **state) {
    run_bursts(*state, 2, send_tasks, are_tasks_shared, "tasks from main for one worker");
}

int main(void) {
    (void)prctl(PR_SET_TIMERSLACK, 1); /* ns, for this thread and those that it starts: the short sleeps are short */
    ADD_TABLE(shared, test_family);
    ADD_TABLE(shared, test_burst);
    ADD_TABLE(shared, test_tasks);
    return run_tables("bursts");
}
