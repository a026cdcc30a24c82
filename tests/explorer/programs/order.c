/* Order under the explorer: a few actors and two threads send to each other at random, and every message comes once, after
 * those that its sender has sent to its receiver before. A program for each design:
 *
 *     order SEED [--workers N] [--OPTION VALUE]...
 *
 * The status is 1 if a message is lost, comes twice or comes out of its order.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "actor.h"
#include "executor.h"
#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/random.h"
#include "tests/explorer/programs/options.h"

enum { ACTORS = 6, THREADS = 2, SENDERS = ACTORS + THREADS, EACH = 8 /* messages of a sender */ };

typedef struct {
    struct actorbench_message message;
    unsigned sender, number;
} letter;
ACTORBENCH_MESSAGE_TYPE(letter)

typedef struct {
    struct actorbench_actor actor;
    unsigned received[SENDERS];
    bool disordered;
} node;
#define BEHAVIOURS_node(ON) ON(node, letter, node_receives)
ACTORBENCH_ACTOR_TYPE(node)

struct sender {
    struct random random;
    unsigned sent;
    unsigned sent_to[ACTORS];
    letter letters[EACH];
};

static node nodes[ACTORS];
static struct sender senders[SENDERS];
static ATOMIC(unsigned) waiting; /* messages sent and not received */

static void send_one(unsigned number) {
    struct sender *sender = &senders[number];
    unsigned receiver = random_below(&sender->random, ACTORS);
    letter *next = &sender->letters[sender->sent++];
    actorbench_message_init(letter, next, ACTORBENCH_NODELETE);
    next->sender = number;
    next->number = sender->sent_to[receiver]++;
    (void)atomic_fetch_add_relaxed(&waiting, 1);
    actorbench_send(node, &nodes[receiver], next);
}

static enum actorbench_allocation node_receives(node *self, letter *message) {
    unsigned number = (unsigned)(self - nodes);
    struct sender *sender = &senders[number];
    if (message->number != self->received[message->sender]++)
        self->disordered = true;
    for (unsigned left = random_below(&sender->random, 4); left > 0 && sender->sent < EACH; left--)
        send_one(number);
    (void)atomic_fetch_sub_relaxed(&waiting, 1);
    return ACTORBENCH_NODELETE;
}

static void *stream(void *argument) {
    unsigned number = (unsigned)((struct sender *)argument - senders);
    while (senders[number].sent < EACH)
        send_one(number);
    return NULL;
}

static void let_flow(void) {
    pthread_t thread;
    for (unsigned i = 0; i < ACTORS; i++)
        actorbench_actor_init(node, &nodes[i]);
    if (pthread_create(&thread, NULL, stream, &senders[SENDERS - 1]) != 0)
        refuse("there is no thread");
    (void)stream(&senders[ACTORS]);
    (void)pthread_join(thread, NULL);
    while (atomic_load_relaxed(&waiting) != 0)
        cpu_yield();
    for (unsigned i = 0; i < ACTORS; i++)
        actorbench_send(node, &nodes[i], &actorbench_finished_message);
}

/* The status; says what is wrong. */
static int judge(void) {
    for (unsigned to = 0; to < ACTORS; to++)
        for (unsigned from = 0; from < SENDERS; from++)
            if (nodes[to].disordered || nodes[to].received[from] != senders[from].sent_to[to]) {
                printf("actor %u has received %u messages of sender %u, which sent %u%s\n", to,
                       nodes[to].received[from], from, senders[from].sent_to[to],
                       nodes[to].disordered ? "; out of their order" : "");
                return 1;
            }
    return 0;
}

int main(int argc, char **argv) {
    struct actorbench_config config = read_options(argc, argv);
    for (unsigned i = 0; i < SENDERS; i++)
        senders[i].random = random_seed(argc > 1 ? strtoull(argv[1], NULL, 10) : 0, i);
    start(&config);
    let_flow();
    actorbench_stop();
    return judge();
}
