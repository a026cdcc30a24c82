/* Migration and binding in the whole runtime, with thieves in every cluster: each message is received once, in order, by one worker
 * at a time, whoever moves its actor meanwhile; and an actor runs where it was, or where it is to be, and nowhere else. */
#include "clusters.h"
#include "traffic.h"

/* clang-format off */

/* Every kind of ready queue, mailbox, placement and thief, in two and more clusters. */
static const char *const migrating[] = {
    "workers clusters ready placement steal loot dispatch mailbox idle",
    "2 2 deque sender random any 1 swap park",
    "4 2 deque sender random any 1 swap park",
    "4 numa deque home nearest any 3 stack park",
    "4 2 deque round-robin random waiting 1024 chunk spin",
    "4 2 lqoq sender random any 1 swap park",
    "5 2 lqoq home-anywhere nearest any 3 chunk park",
    "4 2 fifo sender none waiting 1 locked park",
    "4 2 global sender none waiting 1 swap park",
    "6 3 global sender none waiting 3 stack spin",
    "8 4 deque home random any 1 swap park",
    "8 3 deque sender nearest any 3 locked park",
    "7 2 lqoq round-robin random waiting 1 stack park",
    "3 3 deque sender none waiting 1 chunk park",
};

static const char *const unclustered[] = {
    "workers loot dispatch ready",
    "4 any 1 deque",
    "4 any 1 lqoq",
    "4 any 1 fifo",
    "4 any 1 global",
};

/* clang-format on */

/* ---- What is conserved ------------------------------------------------------------------------------------------------- */

/* Moves an actor, or binds it, one time in four. */
static void meddle(struct random *random, struct actorbench_actor *actor) {
    uint32_t chance = random_below(random, 16);
    if (chance < 2)
        (void)actorbench_actor_move(actor, random_below(random, actorbench_clusters()));
    else if (chance < 4)
        (void)actorbench_actor_fix(actor, random_below(random, actorbench_workers()));
}

static void test_conservation(void **state) {
    const struct table_line *line = *state;
    struct actorbench_config config = configuration(line->names, line->values);
    watch_line("conservation", line);
    run_traffic(&config);
    watchdog_stop();
}

/* ---- Where an actor runs ----------------------------------------------------------------------------------------------- */

enum { RESIDENTS = 24, MOVES = 40, STAY = 20 };

typedef struct {
    struct actorbench_message message;
} ball;
ACTORBENCH_MESSAGE_TYPE(ball)

/* A cluster, or one worker of it. */
struct address {
    unsigned cluster, worker;
    bool is_bound;
};

typedef struct resident resident;

/* Returns the ball to its resident, which is idle meanwhile, as a rule. */
typedef struct {
    struct actorbench_actor actor;
    resident *player;
} wall;

struct resident {
    struct actorbench_actor actor;
    wall partner;
    ball toy;
    struct random random;
    struct address was, is;
    bool has_arrived;
    unsigned stayed, moves;
    bool is_lost; /* ran where it should not */
};
#define BEHAVIOURS_wall(ON) ON(wall, ball, wall_returns)
ACTORBENCH_ACTOR_TYPE(wall)
#define BEHAVIOURS_resident(ON) ON(resident, ball, resident_returns)
ACTORBENCH_ACTOR_TYPE(resident)

static resident residents[RESIDENTS];

static bool runs_at(struct address address) {
    return address.is_bound ? actorbench_worker() == address.worker : actorbench_cluster() == address.cluster;
}

/* Goes to another cluster, so that it cannot be taken to be there while it is not. */
static void move(resident *self) {
    self->was = self->is;
    do
        self->is.worker = random_below(&self->random, actorbench_workers());
    while (actorbench_cluster_of(self->is.worker) == self->was.cluster);
    self->is.cluster = actorbench_cluster_of(self->is.worker);
    self->is.is_bound = random_below(&self->random, 2) == 0;
    const char *why = self->is.is_bound ? actorbench_actor_bind(resident, self, self->is.worker)
                                        : actorbench_actor_migrate(resident, self, self->is.cluster);
    self->is_lost |= why != NULL;
    self->has_arrived = false;
    self->stayed = 0;
}

static enum actorbench_allocation resident_returns(resident *self, ball *message) {
    self->has_arrived |= runs_at(self->is);
    self->is_lost |= !runs_at(self->has_arrived ? self->is : self->was);
    if (self->has_arrived && ++self->stayed == STAY) {
        if (++self->moves == MOVES) {
            actorbench_send(wall, &self->partner, &actorbench_finished_message);
            return ACTORBENCH_FINISHED;
        }
        move(self);
    }
    actorbench_send(wall, &self->partner, message);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation wall_returns(wall *self, ball *message) {
    actorbench_send(resident, self->player, message);
    return ACTORBENCH_NODELETE;
}

static void test_residents(void **state) {
    const struct table_line *line = *state;
    struct actorbench_config config = configuration(line->names, line->values);
    watch_line("residents", line);
    start_executor(&config);
    memset((void *)residents, 0, sizeof residents);
    for (unsigned i = 0; i < RESIDENTS; i++) {
        resident *self = &residents[i];
        self->random = random_seed(config.seed, i);
        self->is.cluster = i % actorbench_clusters();
        assert_null(actorbench_actor_init_in(resident, self, self->is.cluster));
        actorbench_actor_init(wall, &self->partner);
        self->partner.player = self;
        actorbench_message_init(ball, &self->toy, ACTORBENCH_NODELETE);
        actorbench_send(resident, self, &self->toy);
    }
    actorbench_stop();
    for (unsigned i = 0; i < RESIDENTS; i++) {
        assert_false(residents[i].is_lost);
        assert_int_equal(residents[i].moves, MOVES);
    }
    watchdog_stop();
}

/* ---- Bound without clusters -------------------------------------------------------------------------------------------- */

/* In one cluster, before its first message, and later by its own behaviour: a binding is for thieves to respect. */
static void test_bound_in_one_cluster(void **state) {
    const struct table_line *line = *state;
    enum { BOUND = 8 };
    struct actorbench_config config = configuration(line->names, line->values);
    watchdog_start(60, "bound actors under %s", line->values);
    start_executor(&config);
    memset((void *)residents, 0, sizeof residents);
    for (unsigned i = 0; i < BOUND; i++) {
        resident *self = &residents[i];
        actorbench_actor_init(resident, self);
        self->is = (struct address){.worker = i % actorbench_workers(), .is_bound = true};
        assert_null(actorbench_actor_bind(resident, self, self->is.worker));
        self->has_arrived = true;
        self->moves = MOVES - 1;
        actorbench_actor_init(wall, &self->partner);
        self->partner.player = self;
        actorbench_message_init(ball, &self->toy, ACTORBENCH_NODELETE);
        actorbench_send(resident, self, &self->toy);
    }
    actorbench_stop();
    for (unsigned i = 0; i < BOUND; i++)
        assert_false(residents[i].is_lost);
    watchdog_stop();
}

int main(void) {
    traffic_budget = SANITIZED_BUILD ? 500 : 4000;
    traffic_meddles = meddle;
    ADD_TABLE(migrating, test_conservation);
    ADD_TABLE(migrating, test_residents);
    ADD_TABLE(unclustered, test_bound_in_one_cluster);
    return run_tables("migration");
}
