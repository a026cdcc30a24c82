/* Whose turn it is: how many messages an actor runs before others do (--dispatch, actorbench_actor_set_dispatch), and that
 * nobody who waits is passed over for ever. On one worker, so that the order is exact. */
#include "harness.h"
#include "stats.h"

enum { LETTERS = 12 };

typedef struct {
    struct actorbench_message message;
} letter;
ACTORBENCH_MESSAGE_TYPE(letter)

/* Who ran, message by message. */
static unsigned ran[2 * LETTERS];
static unsigned ran_in_all;

typedef struct {
    struct actorbench_actor actor;
    unsigned number, left, own_limit; /* a limit that it sets itself at its first message; 0: none */
} runner;
#define BEHAVIOURS_runner(ON) ON(runner, letter, runner_runs)
ACTORBENCH_ACTOR_TYPE(runner)

static enum actorbench_allocation runner_runs(runner *self, letter *received) {
    (void)received;
    ran[ran_in_all++] = self->number;
    if (self->left == LETTERS && self->own_limit != 0)
        actorbench_actor_set_dispatch(runner, self, self->own_limit);
    return --self->left == 0 ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static runner runners[2];
static letter mail;

/* Sends everybody everything from one behaviour, so that all of it waits when the first of them runs. */
typedef struct {
    struct actorbench_actor actor;
} starter;
#define BEHAVIOURS_starter(ON) ON(starter, letter, starter_starts)
ACTORBENCH_ACTOR_TYPE(starter)

static enum actorbench_allocation starter_starts(starter *self, letter *received) {
    (void)self;
    for (unsigned i = 0; i < LETTERS; i++)
        for (unsigned j = 0; j < LENGTH(runners); j++)
            actorbench_send(runner, &runners[j], received);
    return ACTORBENCH_FINISHED;
}

static struct actorbench_config on_one_worker(const char *ready, const char *mailbox, const char *dispatch) {
    struct actorbench_config config = actorbench_defaults();
    config.workers = 1;
    set_option(&config, "ready", ready);
    set_option(&config, "mailbox", mailbox);
    set_option(&config, "dispatch", dispatch);
    watchdog_start(20, "turns with %s %s %s", ready, mailbox, dispatch);
    return config;
}

static void run_both(const struct actorbench_config *config, unsigned limit_of_first) {
    starter first;
    ran_in_all = 0;
    actorbench_message_init(letter, &mail, ACTORBENCH_NODELETE);
    start_executor(config);
    actorbench_actor_init(starter, &first);
    for (unsigned i = 0; i < LENGTH(runners); i++) {
        actorbench_actor_init(runner, &runners[i]);
        runners[i].number = i;
        runners[i].left = LETTERS;
    }
    if (limit_of_first != 0)
        actorbench_actor_set_dispatch(runner, &runners[0], limit_of_first);
    actorbench_send(starter, &first, &mail);
    actorbench_stop();
    watchdog_stop();
    assert_int_equal(ran_in_all, 2 * LETTERS);
}

/* Both take turns of exactly so many messages. */
static void assert_turns_of(unsigned limit) {
    for (unsigned i = 0; i < 2 * LETTERS; i++)
        if ((ran[i] == ran[0]) != (i / limit % 2 == 0))
            fail_msg("message %u is run by actor %u, with a limit of %u", i, ran[i], limit);
}

static const char *const kinds[] = {"global", "fifo", "deque", "lqoq"};
static const char *const mailboxes[] = {"swap", "stack", "chunk", "locked"};

static void test_a_limit_for_all(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned limit;
    } limits[] = {{"1", 1}, {"3", 3}, {"4", 4}, {"0", LETTERS}};
    for (size_t i = 0; i < LENGTH(kinds) * LENGTH(mailboxes) * LENGTH(limits); i++) {
        const char *kind = kinds[i % LENGTH(kinds)], *mailbox = mailboxes[i / LENGTH(kinds) % LENGTH(mailboxes)];
        size_t j = i / LENGTH(kinds) / LENGTH(mailboxes);
        struct actorbench_config config = on_one_worker(kind, mailbox, limits[j].text);
        runners[0].own_limit = runners[1].own_limit = 0;
        run_both(&config, 0);
        assert_turns_of(limits[j].limit);
        struct actorbench_statistics counted;
        unsigned turns = LETTERS / limits[j].limit;
        if (!actorbench_last_statistics(&counted))
            continue;
        assert_int_equal(counted.activations, 1 + 2 * turns);
        assert_int_equal(counted.yields, 2 * (turns - 1)); /* the last turn of each ends with its messages */
    }
}

/* One actor's own limit, the other's none: it has two turns, with all of the other's messages between or before. */
static void test_a_limit_for_one(void **state) {
    (void)state;
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        struct actorbench_config config = on_one_worker(kinds[i], "swap", "0");
        runners[0].own_limit = runners[1].own_limit = 0;
        run_both(&config, 5);
        unsigned first_of_other = 0;
        while (ran[first_of_other] == 0)
            first_of_other++;
        assert_true(first_of_other == 0 || first_of_other == 5);
        for (unsigned j = 0; j < LETTERS; j++)
            assert_int_equal(ran[first_of_other + j], 1);
    }
}

/* From its own behaviour: from its next turn on. */
static void test_a_limit_of_its_own(void **state) {
    (void)state;
    struct actorbench_config config = on_one_worker("fifo", "swap", "1");
    runners[0].own_limit = runners[1].own_limit = LETTERS - 1;
    run_both(&config, 0);
    assert_int_not_equal(ran[0], ran[1]);
    for (unsigned i = 2; i < 2 * LETTERS; i++)
        assert_int_equal(ran[i], i <= LETTERS ? ran[0] : ran[1]);
}

/* ---- Two who play ball, and a third who waits --------------------------------------------------------------------- */

static unsigned volleys, volleys_before_the_third;
static ATOMIC(uint32_t) third_has_run, playing;

typedef struct player player;
struct player {
    struct actorbench_actor actor;
    player *other;
};
#define BEHAVIOURS_player(ON) ON(player, letter, player_returns)
ACTORBENCH_ACTOR_TYPE(player)

static enum actorbench_allocation player_returns(player *self, letter *ball) {
    volleys++;
    atomic_store_relaxed(&playing, 1);
    if (atomic_load_relaxed(&third_has_run)) {
        actorbench_send(player, self->other, &actorbench_finished_message);
        return ACTORBENCH_FINISHED;
    }
    actorbench_send(player, self->other, ball);
    return ACTORBENCH_NODELETE;
}

typedef struct {
    struct actorbench_actor actor;
} third;
#define BEHAVIOURS_third(ON) ON(third, letter, third_runs)
ACTORBENCH_ACTOR_TYPE(third)

static enum actorbench_allocation third_runs(third *self, letter *received) {
    (void)self, (void)received;
    volleys_before_the_third = volleys;
    atomic_store_relaxed(&third_has_run, 1);
    return ACTORBENCH_FINISHED;
}

static player players[2];
static third waiting;

/* The third is made ready first, so that a stack of ready actors has it at its bottom. */
typedef struct {
    struct actorbench_actor actor;
} referee;
#define BEHAVIOURS_referee(ON) ON(referee, letter, referee_starts)
ACTORBENCH_ACTOR_TYPE(referee)

static enum actorbench_allocation referee_starts(referee *self, letter *ball) {
    (void)self;
    actorbench_send(third, &waiting, ball);
    actorbench_send(player, &players[0], ball);
    return ACTORBENCH_FINISHED;
}

static void set_up_game(const char *kind) {
    struct actorbench_config config = on_one_worker(kind, "swap", "0");
    volleys = volleys_before_the_third = 0;
    atomic_initialise(&third_has_run, 0);
    atomic_initialise(&playing, 0);
    actorbench_message_init(letter, &mail, ACTORBENCH_NODELETE);
    start_executor(&config);
    for (unsigned i = 0; i < LENGTH(players); i++) {
        actorbench_actor_init(player, &players[i]);
        players[i].other = &players[1 - i];
    }
    actorbench_actor_init(third, &waiting);
}

static void end_game(void) {
    actorbench_stop();
    watchdog_stop();
    assert_int_equal(atomic_load_relaxed(&third_has_run), 1);
}

/* What a deque runs first is what was made ready last; the oldest has its turn all the same. */
static void test_the_oldest_has_its_turn(void **state) {
    (void)state;
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        referee first;
        set_up_game(kinds[i]);
        actorbench_actor_init(referee, &first);
        actorbench_send(referee, &first, &mail);
        end_game();
        assert_in_range(volleys_before_the_third, 0, 61 + 1);
    }
}

/* What comes from outside while the worker is never idle. */
static void test_arrivals_have_their_turn(void **state) {
    (void)state;
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        set_up_game(kinds[i]);
        actorbench_send(player, &players[0], &mail);
        AWAIT(atomic_load_relaxed(&playing));
        actorbench_send(third, &waiting, &mail);
        end_game();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_limit_for_all),          cmocka_unit_test(test_a_limit_for_one),
        cmocka_unit_test(test_a_limit_of_its_own),       cmocka_unit_test(test_the_oldest_has_its_turn),
        cmocka_unit_test(test_arrivals_have_their_turn),
    };
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
