/* request: one asks one, a question at a time, in plain messages or by a construct of core/messaging: what does that cost?
 *
 * `message`: a client sends a message, and the server sends it back. `promise`: each question is a promise, which comes back when it
 * is kept. `await`: the same by a client that runs nothing else meanwhile. `future`: the main thread asks, and waits for each answer
 * (React++, 2.9, 2.12).
 */
#include "messaging/becoming.h"
#include "workload.h"

enum { BY_MESSAGE, BY_PROMISE, BY_AWAIT, BY_FUTURE };

static uint64_t questions = 1000000, drops = 0, by = BY_MESSAGE;
static uint64_t amount; /* of questions, in this run */
static uint64_t right;  /* answers; the client's or main's own */

typedef struct {
    struct actorbench_message message;
    struct actorbench_promise promise; /* unless it is a plain message */
    uint64_t number, answer;
} question;
ACTORBENCH_PROMISE_TYPE(question)

typedef struct {
    struct actorbench_actor actor;
} server;
#define BEHAVIOURS_server(ON) ON(server, question, server_answers)
ACTORBENCH_ACTOR_TYPE(server)

typedef struct {
    struct actorbench_actor actor;
    uint64_t asked;
} client;
#define BEHAVIOURS_client(ON) ON(client, question, client_hears)
ACTORBENCH_ACTOR_TYPE(client)

/* The same that runs nothing while it waits. */
typedef struct {
    struct actorbench_actor actor;
    struct actorbench_becoming becoming;
    uint64_t asked;
} waiter;
#define BEHAVIOURS_waiter(ON) ON(waiter, question, waiter_hears)
ACTORBENCH_BECOMING_TYPE(waiter)
#define HANDLERS_asking(ON) ON(waiter, asking, question, asking_hears)
ACTORBENCH_BEHAVIOUR_SET(waiter, asking)

static server the_server;
static client the_client;
static waiter the_waiter;

/* Whether the server drops a question. */
static bool is_dropped(uint64_t number) {
    return drops != 0 && number % drops == drops - 1;
}

static enum actorbench_allocation server_answers(server *self, question *asked) {
    (void)self;
    if (by != BY_MESSAGE && is_dropped(asked->number))
        return ACTORBENCH_NODELETE;
    asked->answer = asked->number + 1;
    if (by == BY_MESSAGE)
        actorbench_send(client, &the_client, asked);
    else
        actorbench_promise_keep(question, asked);
    return ACTORBENCH_NODELETE;
}

static question *ask(uint64_t number) {
    question *asked = actorbench_promise_new(question);
    asked->number = number;
    actorbench_send(server, &the_server, asked);
    return asked;
}

/* Notes an answer; whether it was the last. */
static bool note(question *asked) {
    bool dropped = by != BY_MESSAGE && actorbench_future_state(question, asked) == ACTORBENCH_DROPPED;
    right += asked->answer == (dropped ? 0 : asked->number + 1) &&
             (by == BY_MESSAGE || dropped == is_dropped(asked->number));
    return asked->number + 1 == amount;
}

static enum actorbench_allocation end(void) {
    actorbench_send(server, &the_server, &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation client_hears(client *self, question *asked) {
    if (note(asked))
        return end();
    if (by == BY_MESSAGE) {
        asked->number++;
        actorbench_send(server, &the_server, asked);
    } else {
        question *next = ask(++self->asked);
        actorbench_future_then(question, next, client, self);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation asking_hears(waiter *self, question *asked) {
    if (note(asked))
        return end();
    question *next = ask(++self->asked);
    actorbench_await(question, next, waiter, self);
    return ACTORBENCH_NODELETE;
}

static void main_asks(void) {
    for (uint64_t number = 0; number < amount; number++) {
        question *asked = ask(number);
        (void)actorbench_future_wait(question, asked, ACTORBENCH_NO_TIMEOUT);
        (void)note(asked);
        actorbench_future_release(question, asked);
    }
    (void)end();
}

static void begin(void) {
    static question plain;
    if (by == BY_FUTURE) {
        main_asks();
    } else if (by == BY_MESSAGE) {
        actorbench_message_init(question, &plain, ACTORBENCH_NODELETE);
        actorbench_send(server, &the_server, &plain);
    } else if (by == BY_PROMISE) {
        question *first = ask(0);
        actorbench_future_then(question, first, client, &the_client);
    } else {
        question *first = ask(0);
        actorbench_await(question, first, waiter, &the_waiter); /* nothing else is sent to it */
    }
}

static const struct parameter parameters[] = {
    {"questions", &questions, NULL, 1, "one after the other; --scale multiplies it"},
    {"drops", &drops, NULL, 0, "so many-th promises are dropped; 0: none"},
    {"by", &by, "message|promise|await|future", 0, "how, and who asks"},
    {0},
};

static const struct workload workload = {
    .name = "request",
    .summary = "one asks one, in plain messages or by a construct",
    .unit = "question",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    amount = workload_scaled(questions);
    workload_start_executor();
    actorbench_actor_init(server, &the_server);
    if (by == BY_MESSAGE || by == BY_PROMISE)
        actorbench_actor_init(client, &the_client);
    if (by == BY_AWAIT) {
        actorbench_actor_init(waiter, &the_waiter);
        actorbench_becoming_init(waiter, &the_waiter, asking, ACTORBENCH_DROP);
    }
    workload_start_clock();
    begin();
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();
    if (right != amount)
        workload_wrong("%llu of %llu answers were right", (unsigned long long)right, (unsigned long long)amount);
    return workload_end(amount, 0);
}
