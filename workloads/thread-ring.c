/* thread-ring: a token goes round a ring of actors (Savina, "Thread Ring"; React++, "Ping Pong and Thread Ring").
 *
 * One message is in flight at a time, so that no worker can help another: each hop wakes one idle actor.
 */
#include <stdlib.h>

#include "platform/cpu.h"
#include "workload.h"

static uint64_t actors = 1000, hops = 10000000, stride = 1;

typedef struct {
    struct actorbench_message message;
    uint64_t hops_left;
} token;
ACTORBENCH_MESSAGE_TYPE(token)

typedef struct node node;
struct node {
    struct actorbench_actor actor;
    node *next;
    uint64_t received;
};
#define BEHAVIOURS_node(ON) ON(node, token, node_passes)
ACTORBENCH_ACTOR_TYPE(node)

static node *nodes;

/* Ends all: nothing else is in flight to them. A function of its own, so that what it needs is not saved at each hop. */
__attribute__((noinline)) static enum actorbench_allocation end_ring(node *self) {
    workload_stop_clock();
    for (node *other = self->next; other != self; other = other->next)
        actorbench_send(node, other, &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation node_passes(node *self, token *message) {
    self->received++;
    if (unlikely(--message->hops_left == 0))
        return end_ring(self);
    actorbench_send(node, self->next, message);
    return ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"actors", &actors, NULL, 1, "in the ring"},
    {"hops", &hops, NULL, 1, "of the token; --scale multiplies it"},
    {"stride", &stride, NULL, 1, "of a hop: how many actors further in memory the next one is"},
    {0},
};

static const struct workload workload = {
    .name = "thread-ring",
    .summary = "a token goes round a ring of actors",
    .unit = "hop",
    .parameters = parameters,
};

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    uint64_t last_hop = workload_scaled(hops);
    if (greatest_divisor(stride, actors) != 1)
        workload_refuse(
            "--stride %llu: the token would not come by all of %llu actors; give one without a divisor of theirs",
            (unsigned long long)stride, (unsigned long long)actors);
    nodes = calloc(actors, sizeof *nodes);
    if (nodes == NULL)
        workload_refuse("--actors %llu: there is not enough memory for so many", (unsigned long long)actors);

    workload_start_executor();
    static token message;
    actorbench_message_init(token, &message, ACTORBENCH_NODELETE);
    message.hops_left = last_hop;
    for (uint64_t i = 0; i < actors; i++) {
        actorbench_actor_init(node, &nodes[i]);
        nodes[i].next = &nodes[(i + stride % actors) % actors];
    }
    workload_start_clock();
    actorbench_send(node, &nodes[0], &message);
    actorbench_stop();

    const node *visited = nodes;
    for (uint64_t i = 0; i < actors; i++, visited = visited->next) {
        uint64_t due = last_hop / actors + (i < last_hop % actors);
        if (visited->received != due) {
            workload_wrong("actor %llu had the token %llu times in place of %llu",
                           (unsigned long long)(visited - nodes), (unsigned long long)visited->received,
                           (unsigned long long)due);
            break;
        }
    }
    free(nodes);
    return workload_end(last_hop, 0);
}
