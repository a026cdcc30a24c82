/* fan-out: one asks many, and all of them again when each has answered, in plain messages or by a construct of core/messaging: what does
 * that cost?
 *
 * `message`: a leader sends one message to each of its members, and counts how often it comes back. `promise`: each question is a
 * promise, which comes back when it is kept. `trail`: a trail is forked for each member, which raises it: so it comes back. `future`: the
 * main thread asks in the leader's place, and waits for each answer. `barrier`: it waits for all at once (React++, 2.9, 2.11).
 */
#include <stdlib.h>

#include "messaging/promise.h"
#include "messaging/trail.h"
#include "workload.h"

enum { BY_MESSAGE, BY_PROMISE, BY_TRAIL, BY_FUTURE, BY_BARRIER };

static uint64_t actors = 100, rounds = 10000, by = BY_MESSAGE;
static uint64_t amount; /* of rounds, in this run */

typedef struct {
    struct actorbench_message message;
    struct actorbench_promise promise; /* unless it is a plain message */
    uint64_t round, answer;            /* the next */
} question;
ACTORBENCH_PROMISE_TYPE(question)

typedef struct {
    struct actorbench_message message;
    struct actorbench_trail trail;
    uint64_t round;
} parcel;
ACTORBENCH_TRAIL_TYPE(parcel)

typedef struct {
    struct actorbench_actor actor;
    uint64_t round, waited_for; /* answers */
    uint64_t wrong;             /* answers */
} leader;
#define BEHAVIOURS_leader(ON) ON(leader, question, leader_hears) ON(leader, parcel, leader_gets_back)
ACTORBENCH_ACTOR_TYPE(leader)

typedef struct {
    struct actorbench_actor actor;
    uint64_t round; /* that is to come; UINT64_MAX: one came out of its turn */
} member;
#define BEHAVIOURS_member(ON)            \
    ON(member, question, member_answers) \
    ON(member, parcel, member_raises) ON(member, actorbench_barrier, member_acknowledges)
ACTORBENCH_ACTOR_TYPE(member)

static leader the_leader; /* or what main knows in its place */
static member *members;
static question **asked; /* by main: one of each */
static question plain;   /* to all, and from all: what is sent is its address */

/* ---- Who is asked --------------------------------------------------------------------------------------------------- */

static void pass(member *self, uint64_t round) {
    self->round = self->round == round ? round + 1 : UINT64_MAX;
}

static enum actorbench_allocation member_answers(member *self, question *message) {
    pass(self, message->round);
    if (by == BY_MESSAGE) {
        actorbench_send(leader, &the_leader, message);
    } else {
        message->answer = message->round + 1;
        actorbench_promise_keep(question, message);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation member_raises(member *self, parcel *message) {
    pass(self, message->round);
    actorbench_trail_raise(parcel, message, member, self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation member_acknowledges(member *self, actorbench_barrier *barrier) {
    self->round++;
    actorbench_barrier_acknowledge(barrier);
    return ACTORBENCH_NODELETE;
}

/* ---- Who asks ------------------------------------------------------------------------------------------------------- */

static question *ask(member *receiver) {
    question *made = actorbench_promise_new(question);
    made->round = the_leader.round;
    actorbench_send(member, receiver, made);
    return made;
}

static void send_forks(leader *self) {
    parcel *origin = actorbench_trail_begin(parcel);
    origin->round = self->round;
    for (uint64_t i = 1; i < actors; i++) {
        parcel *forked = actorbench_trail_fork(parcel, origin);
        actorbench_trail_link(parcel, forked, leader, self, member, &members[i]);
    }
    actorbench_trail_link(parcel, origin, leader, self, member, &members[0]);
}

static void ask_all(leader *self) {
    self->waited_for = actors;
    plain.round = self->round; /* nobody has it now */
    plain.answer = self->round + 1;
    if (by == BY_TRAIL)
        send_forks(self);
    for (uint64_t i = 0; i < actors && by == BY_MESSAGE; i++)
        actorbench_send(member, &members[i], &plain);
    for (uint64_t i = 0; i < actors && by == BY_PROMISE; i++) {
        question *made = ask(&members[i]);
        actorbench_future_then(question, made, leader, self);
    }
}

static void end_all(void) {
    for (uint64_t i = 0; i < actors; i++)
        actorbench_send(member, &members[i], &actorbench_finished_message);
}

static enum actorbench_allocation note(leader *self, bool is_right) {
    self->wrong += !is_right;
    if (--self->waited_for > 0)
        return ACTORBENCH_NODELETE;
    if (++self->round == amount) {
        end_all();
        return ACTORBENCH_FINISHED;
    }
    ask_all(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation leader_hears(leader *self, question *message) {
    return note(self, message->answer == self->round + 1);
}

/* It is let go, and ends: there is nobody further back. */
static enum actorbench_allocation leader_gets_back(leader *self, parcel *message) {
    return note(self, message->round == self->round && actorbench_trail_is_rewinding(parcel, message));
}

/* In the leader's place. */
static void main_waits_for_each(void) {
    for (uint64_t i = 0; i < actors; i++)
        asked[i] = ask(&members[i]);
    for (uint64_t i = 0; i < actors; i++) {
        (void)actorbench_future_wait(question, asked[i], ACTORBENCH_NO_TIMEOUT);
        the_leader.wrong += asked[i]->answer != the_leader.round + 1;
        actorbench_future_release(question, asked[i]);
    }
}

static void main_waits_for_all(void) {
    actorbench_barrier barrier;
    actorbench_barrier_init(&barrier, (uint32_t)actors);
    for (uint64_t i = 0; i < actors; i++)
        actorbench_send(member, &members[i], &barrier);
    (void)actorbench_barrier_wait(&barrier, ACTORBENCH_NO_TIMEOUT);
}

static void main_asks(void) {
    for (; the_leader.round < amount; the_leader.round++)
        if (by == BY_FUTURE)
            main_waits_for_each();
        else
            main_waits_for_all();
    end_all();
}

static const struct parameter parameters[] = {
    {"actors", &actors, NULL, 1, "that are asked"},
    {"rounds", &rounds, NULL, 1, "questions to each of them, one after the other; --scale multiplies it"},
    {"by", &by, "message|promise|trail|future|barrier", 0, "how, and who asks"},
    {0},
};

static const struct workload workload = {
    .name = "fan-out",
    .summary = "one asks many and waits for all, in plain messages or by a construct",
    .unit = "question",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    amount = workload_scaled(rounds);
    members = actors > UINT32_MAX ? NULL : calloc(actors, sizeof *members);
    asked = members == NULL ? NULL : calloc(actors, sizeof(question *));
    if (asked == NULL)
        workload_refuse("--actors %llu: there is not enough memory for so many", (unsigned long long)actors);
    workload_start_executor();
    bool from_main = by == BY_FUTURE || by == BY_BARRIER;
    if (by == BY_MESSAGE)
        actorbench_message_init(question, &plain, ACTORBENCH_NODELETE);
    if (!from_main)
        actorbench_actor_init(leader, &the_leader);
    for (uint64_t i = 0; i < actors; i++)
        actorbench_actor_init(member, &members[i]);
    workload_start_clock();
    if (from_main)
        main_asks();
    else
        ask_all(&the_leader);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();
    uint64_t strange = 0;
    for (uint64_t i = 0; i < actors; i++)
        strange += members[i].round != amount;
    if (strange != 0 || the_leader.wrong != 0 || the_leader.round != amount)
        workload_wrong("after %llu rounds %llu actors were not asked once a round, and %llu answers were wrong",
                       (unsigned long long)the_leader.round, (unsigned long long)strange,
                       (unsigned long long)the_leader.wrong);
    free(members);
    free(asked);
    return workload_end(actors * amount, 0);
}
