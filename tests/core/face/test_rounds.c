/* Hundreds of starts and stops: no round may hang, on all CPUs or on one. */
#include <sched.h>

#include "harness.h"

enum { ACTORS = 3, ROUNDS = 500, ROUNDS_ON_ONE_CPU = 100, SECONDS = 30 /* for one round */ };

typedef struct {
    struct actorbench_message message;
} ping;
ACTORBENCH_MESSAGE_TYPE(ping)

typedef struct {
    struct actorbench_actor actor;
    unsigned received;
} player;
#define BEHAVIOURS_player(ON) ON(player, ping, player_plays)
ACTORBENCH_ACTOR_TYPE(player)

static enum actorbench_allocation player_plays(player *self, ping *message) {
    (void)message;
    self->received++;
    return ACTORBENCH_NODELETE;
}

static void play(player *players, ping *message) {
    for (unsigned i = 0; i < ACTORS; i++) {
        players[i].received = 0;
        actorbench_actor_init(player, &players[i]);
        actorbench_send(player, &players[i], message, message, &actorbench_finished_message);
    }
}

/* Stops at once, after a wait, and after the workers had time to park. */
static void run_round(unsigned workers, unsigned round) {
    player players[ACTORS];
    ping message;
    actorbench_message_init(ping, &message, ACTORBENCH_NODELETE);
    start_workers(workers);
    play(players, &message);
    if (round % 2 == 1)
        actorbench_wait();
    if (round % 16 == 1)
        pause_ns(200000);
    if (round % 8 == 3)
        play(players, &message);
    actorbench_stop();
    for (unsigned i = 0; i < ACTORS; i++)
        assert_int_equal(players[i].received, 2);
}

static void run_rounds(unsigned rounds, const char *where) {
    static const unsigned workers[] = {1, 2, 4};
    for (unsigned i = 0; i < LENGTH(workers); i++)
        for (unsigned round = 0; round < rounds; round++) {
            watchdog_start(SECONDS, "round %u with %u workers %s", round, workers[i], where);
            run_round(workers[i], round);
        }
    watchdog_stop();
}

static void test_rounds(void **state) {
    (void)state;
    run_rounds(ROUNDS, "on all CPUs");
}

static void test_rounds_on_one_cpu(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    run_rounds(ROUNDS_ON_ONE_CPU, "on one CPU");
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

/* Nothing was made: stop has nothing to wait for. */
static void test_empty_rounds(void **state) {
    (void)state;
    watchdog_start(SECONDS, "empty rounds");
    for (unsigned round = 0; round < 200; round++) {
        start_workers(1 + round % 4);
        if (round % 3 == 0)
            actorbench_wait();
        actorbench_stop();
    }
    watchdog_stop();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_rounds_on_one_cpu),
        cmocka_unit_test(test_empty_rounds),
    };
    return cmocka_run_group_tests_name("rounds", tests, NULL, NULL);
}
