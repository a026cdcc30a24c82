/* ping-pong: a message goes to and fro between the two actors of a pair; all pairs play at once. */
#include <stdlib.h>

#include "platform/cpu.h"
#include "workload.h"

static uint64_t pairs = 1, rounds = 10000000;
static uint64_t last_round;

typedef struct {
    struct actorbench_message message;
} ball;
ACTORBENCH_MESSAGE_TYPE(ball)

typedef struct player player;
struct player {
    struct actorbench_actor actor;
    player *partner;
    uint64_t received;
};
#define BEHAVIOURS_player(ON) ON(player, ball, player_returns)
ACTORBENCH_ACTOR_TYPE(player)

static player *players; /* two a pair, next to each other; the first of a pair serves */

/* The one who serves keeps the ball of the last round. A function of its own, so that what it needs is not saved at each return. */
__attribute__((noinline)) static enum actorbench_allocation end_play(player *self, ball *message) {
    bool serves = (self - players) % 2 == 0;
    if (!serves)
        actorbench_send(player, self->partner, message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation player_returns(player *self, ball *message) {
    if (unlikely(++self->received == last_round))
        return end_play(self, message);
    actorbench_send(player, self->partner, message);
    return ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"pairs", &pairs, NULL, 1, "pairs of actors"},
    {"rounds", &rounds, NULL, 1, "times that the message goes to and fro; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "ping-pong",
    .summary = "a message goes to and fro between two actors, in each of some pairs",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    last_round = workload_scaled(rounds);
    players = calloc(pairs, 2 * sizeof *players);
    if (players == NULL)
        workload_refuse("--pairs %llu: there is not enough memory for so many", (unsigned long long)pairs);

    workload_start_executor();
    static ball message; /* all pairs play with it: what is sent is its address */
    actorbench_message_init(ball, &message, ACTORBENCH_NODELETE);
    for (uint64_t i = 0; i < 2 * pairs; i++) {
        actorbench_actor_init(player, &players[i]);
        players[i].partner = &players[i ^ 1];
    }
    workload_start_clock();
    for (uint64_t i = 0; i < pairs; i++)
        actorbench_send(player, &players[2 * i + 1], &message); /* as if the first had served */
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    for (uint64_t i = 0; i < 2 * pairs; i++)
        if (players[i].received != last_round) {
            workload_wrong("player %llu received %llu messages in place of %llu", (unsigned long long)i,
                           (unsigned long long)players[i].received, (unsigned long long)last_round);
            break;
        }
    free(players);
    return workload_end(2 * pairs * last_round, 0);
}
