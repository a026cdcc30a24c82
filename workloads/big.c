/* big: each actor of a group pings others at random, one ping at a time (BenchErl and Savina, "Big"; React++, "Big").
 *
 * Many to many: each mailbox is contended by all. Who has had all its pongs tells the sink, and goes on answering; when
 * the sink has heard of all, nothing is in flight any more.
 */
#include <stdlib.h>

#include "draw.h"

static uint64_t actors = 500, pings = 50000;
static uint64_t last;

typedef struct member member;

typedef struct {
    struct actorbench_message message;
    member *from;
} ping;
ACTORBENCH_MESSAGE_TYPE(ping)

/* Each actor has one, for all its answers: its address says whose it is. */
typedef struct {
    struct actorbench_message message;
} pong;
ACTORBENCH_MESSAGE_TYPE(pong)

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

struct member {
    struct actorbench_actor actor;
    ping question;
    pong answer;
    const member *asked;    /* whose pong is due */
    uint64_t sent;          /* pings */
    uint64_t pinged, wrong; /* pings received; pongs of somebody else */
};
#define BEHAVIOURS_member(ON) \
    ON(member, notice, member_begins) ON(member, ping, member_answers) ON(member, pong, member_hears)
ACTORBENCH_ACTOR_TYPE(member)

typedef struct {
    struct actorbench_actor actor;
    uint64_t missing; /* members that still ask */
} sink;
#define BEHAVIOURS_sink(ON) ON(sink, notice, sink_hears)
ACTORBENCH_ACTOR_TYPE(sink)

static member *members;
static sink the_sink;
static notice begin, done; /* one for all: what is sent is its address */

/* Whom an actor pings at a time: any but itself. */
static uint64_t recipient(uint64_t sender, uint64_t number) {
    uint64_t other = upper_below(draw(sender, number), actors - 1);
    return other + (other >= sender);
}

static void ask(member *self) {
    member *other = &members[recipient((uint64_t)(self - members), self->sent++)];
    self->asked = other;
    actorbench_send(member, other, &self->question);
}

static enum actorbench_allocation member_begins(member *self, notice *message) {
    (void)message;
    ask(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation member_answers(member *self, ping *question) {
    self->pinged++;
    actorbench_send(member, question->from, &self->answer);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation member_hears(member *self, pong *answer) {
    self->wrong += answer != &self->asked->answer;
    if (self->sent < last)
        ask(self);
    else
        actorbench_send(sink, &the_sink, &done);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation sink_hears(sink *self, notice *message) {
    (void)message;
    if (--self->missing != 0)
        return ACTORBENCH_NODELETE;
    workload_stop_clock();
    for (uint64_t i = 0; i < actors; i++)
        actorbench_send(member, &members[i], &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static const struct parameter parameters[] = {
    {"actors", &actors, NULL, 2, "in the group"},
    {"pings", &pings, NULL, 1, "from each of them; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "big",
    .summary = "each actor of a group pings others at random, one ping at a time",
    .unit = "message",
    .parameters = parameters,
};

/* Draws all recipients again, and compares. */
static void verify(void) {
    uint64_t *due = calloc(actors, sizeof *due);
    if (due == NULL)
        workload_refuse("--actors %llu: there is not enough memory for the check", (unsigned long long)actors);
    for (uint64_t i = 0; i < actors; i++)
        for (uint64_t number = 0; number < last; number++)
            due[recipient(i, number)]++;
    for (uint64_t i = 0; i < actors; i++)
        if (members[i].pinged != due[i] || members[i].sent != last || members[i].wrong != 0) {
            workload_wrong("actor %llu received %llu pings in place of %llu, sent %llu in place of %llu, and %llu "
                           "pongs came from another than was asked",
                           (unsigned long long)i, (unsigned long long)members[i].pinged, (unsigned long long)due[i],
                           (unsigned long long)members[i].sent, (unsigned long long)last,
                           (unsigned long long)members[i].wrong);
            break;
        }
    free(due);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    last = workload_scaled(pings);
    if (actors > UINT32_MAX || last > UINT32_MAX)
        workload_refuse("--actors and pings must each be under 2^32");
    members = calloc(actors, sizeof *members);
    if (members == NULL)
        workload_refuse("--actors %llu: there is not enough memory for so many", (unsigned long long)actors);

    workload_start_executor();
    actorbench_message_init(notice, &begin, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &done, ACTORBENCH_NODELETE);
    actorbench_actor_init(sink, &the_sink);
    the_sink.missing = actors;
    for (uint64_t i = 0; i < actors; i++) {
        actorbench_actor_init(member, &members[i]);
        actorbench_message_init(ping, &members[i].question, ACTORBENCH_NODELETE);
        actorbench_message_init(pong, &members[i].answer, ACTORBENCH_NODELETE);
        members[i].question.from = &members[i];
    }
    workload_start_clock();
    for (uint64_t i = 0; i < actors; i++)
        actorbench_send(member, &members[i], &begin);
    actorbench_stop();

    verify();
    free(members);
    return workload_end(2 * actors * last, 0);
}
