/* repeat: a client fans out to its servers, each answers, and again (thesis, "Executor" under "Performance").
 *
 * All answers go to one mailbox, the client's. Timed until the last answer of the last round is there.
 */
#include <stdlib.h>

#include "platform/cpu.h"
#include "workload.h"

static uint64_t servers = 100000, rounds = 200;
static uint64_t last_round;

/* From the client to every server: one message a round for all of them. */
typedef struct {
    struct actorbench_message message;
    uint32_t round; /* from 1 */
} request;
ACTORBENCH_MESSAGE_TYPE(request)

/* From a server to the client; each server has one. */
typedef struct {
    struct actorbench_message message;
    uint32_t server, round;
} answer;
ACTORBENCH_MESSAGE_TYPE(answer)

typedef struct {
    struct actorbench_actor actor;
    answer reply;
} server;
#define BEHAVIOURS_server(ON) ON(server, request, server_answers)
ACTORBENCH_ACTOR_TYPE(server)

typedef struct {
    struct actorbench_actor actor;
    request question;
    uint64_t missing;         /* answers of this round */
    uint64_t wrong;           /* answers of another round, or the second of one */
    uint64_t answers;         /* in all */
    uint32_t *answered_round; /* by server */
} client;
#define BEHAVIOURS_client(ON) ON(client, answer, client_receives) ON(client, request, client_begins)
ACTORBENCH_ACTOR_TYPE(client)

static server *all_servers;
static client the_client;

static enum actorbench_allocation server_answers(server *self, request *question) {
    self->reply.round = question->round;
    actorbench_send(client, &the_client, &self->reply);
    return ACTORBENCH_NODELETE;
}

static void begin_round(client *self) {
    self->question.round++;
    self->missing = servers;
    server *end = all_servers + servers;
    for (server *each = all_servers; each != end; each++)
        actorbench_send(server, each, &self->question);
}

static enum actorbench_allocation client_begins(client *self, request *start) {
    (void)start;
    begin_round(self);
    return ACTORBENCH_NODELETE;
}

/* Out of line, so that all answers of a round but the last need no stack frame. */
__attribute__((noinline)) static enum actorbench_allocation end_round(client *self) {
    if (self->question.round < last_round) {
        begin_round(self);
        return ACTORBENCH_NODELETE;
    }
    workload_stop_clock();
    for (uint64_t i = 0; i < servers; i++)
        actorbench_send(server, &all_servers[i], &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation client_receives(client *self, answer *reply) {
    self->answers++;
    if (unlikely(reply->round != self->question.round || self->answered_round[reply->server] == reply->round))
        self->wrong++;
    self->answered_round[reply->server] = reply->round;
    return likely(--self->missing != 0) ? ACTORBENCH_NODELETE : end_round(self);
}

static const struct parameter parameters[] = {
    {"servers", &servers, NULL, 1, "actors that answer the client"},
    {"rounds", &rounds, NULL, 1, "requests to each server; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "repeat",
    .summary = "a client fans out to its servers, each answers, again and again",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    last_round = workload_scaled(rounds);
    if (servers > UINT32_MAX || last_round > UINT32_MAX)
        workload_refuse("--servers and rounds must each be under 2^32");
    all_servers = calloc(servers, sizeof *all_servers);
    the_client.answered_round = calloc(servers, sizeof *the_client.answered_round);
    if (all_servers == NULL || the_client.answered_round == NULL)
        workload_refuse("--servers %llu: there is not enough memory for so many", (unsigned long long)servers);

    workload_start_executor();
    actorbench_actor_init(client, &the_client);
    actorbench_message_init(request, &the_client.question, ACTORBENCH_NODELETE);
    for (uint64_t i = 0; i < servers; i++) {
        actorbench_actor_init(server, &all_servers[i]);
        actorbench_message_init(answer, &all_servers[i].reply, ACTORBENCH_NODELETE);
        all_servers[i].reply.server = (uint32_t)i;
    }
    workload_start_clock();
    actorbench_send(client, &the_client, &the_client.question);
    actorbench_stop();

    if (the_client.wrong != 0)
        workload_wrong("%llu answers were of another round, or came twice", (unsigned long long)the_client.wrong);
    if (the_client.answers != servers * last_round)
        workload_wrong("%llu answers came in place of %llu", (unsigned long long)the_client.answers,
                       (unsigned long long)(servers * last_round));
    free(the_client.answered_round);
    free(all_servers);
    return workload_end(2 * servers * last_round, 0);
}
