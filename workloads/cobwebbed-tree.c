/* cobwebbed-tree: a tree of actors grows by chance until it is large enough, and is gone through (Savina, Imam and Sarkar,
 * AGERE 2014, "Unbalanced Cobwebbed Tree").
 *
 * Each node asks the root whether it may have children. The root draws lots, in the order in which it is asked, and permits
 * none any more when there would be too many nodes: which nodes have children depends on the schedule, but not how many,
 * nor how much they compute. When all are answered, a traversal goes down, at which each node computes, and then a
 * termination.
 *
 * Savina's nodes count to 40,000 times the lengths that are drawn, of which its compilers leave nothing; here a step is a
 * multiplication. Its root traverses when it first says no, and what comes later is lost: here it waits for all; and a node
 * ends when its children have, since they may have sent to it. Urgent nodes are for other runtimes, whose messages have
 * priorities.
 */
#include <math.h>
#include <stdlib.h>

#include "draw.h"
#include "work.h"

enum { ATTEMPT_STEPS = 100 };

static uint64_t nodes = 200000, branching = 10, mean = 500, deviation = 100;
static uint64_t most; /* nodes in this run */

typedef struct {
    struct actorbench_message message;
} attempt;
ACTORBENCH_MESSAGE_TYPE(attempt)

typedef struct {
    struct actorbench_message message;
} traversal;
ACTORBENCH_MESSAGE_TYPE(traversal)

typedef struct {
    struct actorbench_message message;
} termination;
ACTORBENCH_MESSAGE_TYPE(termination)

/* From a node to the root and, if it may have children, back. */
typedef struct node node;
typedef struct {
    struct actorbench_message message;
    node *from;
    uint64_t steps; /* that its children are to compute */
} request;
ACTORBENCH_MESSAGE_TYPE(request)

/* To a parent: a child has children. */
typedef struct {
    struct actorbench_message message;
} update;
ACTORBENCH_MESSAGE_TYPE(update)

/* To a parent: what a child and all below it were and did. */
struct sums {
    uint64_t nodes, steps, updates;
};
typedef struct {
    struct actorbench_message message;
    struct sums sums;
} report;
ACTORBENCH_MESSAGE_TYPE(report)

struct node {
    struct actorbench_actor actor;
    node *parent; /* NULL: it is the root */
    request question;
    uint64_t steps;
    node **children;  /* NULL: it has none */
    uint64_t missing; /* reports */
    struct sums below;
};
/* clang-format off */
#define BEHAVIOURS_node(ON)                                                                              \
    ON(node, attempt, node_asks) ON(node, request, node_hears) ON(node, update, node_notes)              \
    ON(node, traversal, node_computes) ON(node, termination, node_terminates) ON(node, report, node_adds)
/* clang-format on */
ACTORBENCH_ACTOR_TYPE(node)

static node root;
static uint64_t size, asking;  /* nodes, and those whose question the root has not heard: its own counts, */
static uint64_t lots, permits; /* as what it has drawn and given are, with the permit for its own children */

static attempt try; /* these are sent to all: what is sent is their address */
static traversal traverse;
static termination terminate;
static update grown;

/* How long the children of a permit are to compute: normally distributed. */
static uint64_t steps_of(uint64_t permit) {
    double turn = 6.283185307179586 * (double)upper_below(draw(1, permit), UINT32_MAX) / UINT32_MAX;
    double length = sqrt(-2 * log((double)(1 + upper_below(draw(2, permit), UINT32_MAX)) / UINT32_MAX));
    return (uint64_t)fmax(1, round((double)mean + (double)deviation * length * cos(turn)));
}

/* Whether a tree of that size may become larger. */
static bool fits(uint64_t tree) {
    return tree + branching <= most;
}

static bool draw_lot(uint64_t number) {
    return lower_below(draw(0, number), 2) == 1;
}

static void grow(node *self, uint64_t steps) {
    self->children = calloc(branching, sizeof *self->children);
    if (self->children == NULL)
        workload_refuse("--nodes %llu: there is not enough memory for so many", (unsigned long long)nodes);
    self->missing = branching;
    for (uint64_t i = 0; i < branching; i++) {
        node *child = self->children[i] = actorbench_actor_new(node);
        actorbench_message_init(request, &child->question, ACTORBENCH_NODELETE);
        child->question.from = child;
        child->parent = self;
        child->steps = steps;
    }
    for (uint64_t i = 0; i < branching; i++)
        actorbench_send(node, self->children[i], &try);
}

static void pass_on_traversal(const node *self) {
    for (uint64_t i = 0; self->children != NULL && i < branching; i++)
        actorbench_send(node, self->children[i], &traverse);
}

static void pass_on_termination(const node *self) {
    for (uint64_t i = 0; self->children != NULL && i < branching; i++)
        actorbench_send(node, self->children[i], &terminate);
}

static enum actorbench_allocation root_begins(void) {
    size = 1 + branching;
    asking = branching;
    grow(&root, steps_of(permits++));
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation node_asks(node *self, attempt *message) {
    (void)message;
    if (self == &root)
        return root_begins();
    work_do(ATTEMPT_STEPS);
    actorbench_send(node, &root, &self->question);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation root_answers(request *question) {
    asking--;
    if (fits(size) && draw_lot(lots++)) {
        size += branching;
        asking += branching;
        question->steps = steps_of(permits++);
        actorbench_send(node, question->from, question);
    }
    if (asking == 0) {
        pass_on_traversal(&root);
        pass_on_termination(&root);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation node_hears(node *self, request *message) {
    if (self == &root)
        return root_answers(message);
    actorbench_send(node, self->parent, &grown);
    grow(self, message->steps);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation node_notes(node *self, update *message) {
    (void)message;
    self->below.updates++;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation node_computes(node *self, traversal *message) {
    (void)message;
    work_do(self->steps);
    self->below.steps += self->steps;
    pass_on_traversal(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation ended(node *self) {
    free(self->children);
    if (self == &root)
        return ACTORBENCH_FINISHED;
    report *sent = actorbench_message_new(report, ACTORBENCH_DELETE);
    sent->sums = self->below;
    sent->sums.nodes++;
    actorbench_send(node, self->parent, sent);
    return ACTORBENCH_DELETE;
}

static enum actorbench_allocation node_terminates(node *self, termination *message) {
    (void)message;
    pass_on_termination(self);
    return self->children == NULL ? ended(self) : ACTORBENCH_NODELETE;
}

static enum actorbench_allocation node_adds(node *self, report *added) {
    self->below.nodes += added->sums.nodes;
    self->below.steps += added->sums.steps;
    self->below.updates += added->sums.updates;
    return --self->missing == 0 ? ended(self) : ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"nodes", &nodes, NULL, 2, "at most, but the root has children anyway; --scale multiplies it"},
    {"branching", &branching, NULL, 1, "children of a node that has any"},
    {"mean", &mean, NULL, 1, "steps of a node's computation"},
    {"deviation", &deviation, NULL, 0, "of them, the standard one"},
    {0},
};

static const struct workload workload = {
    .name = "cobwebbed-tree",
    .summary = "a tree of actors grows by chance until it is large enough, and is gone through",
    .unit = "node",
    .parameters = parameters,
};

/* Draws all lots again. */
static void verify(void) {
    struct sums due = {.nodes = branching, .steps = branching * steps_of(0)};
    uint64_t lot = 0;
    for (uint64_t left = branching; left != 0; left--)
        if (fits(1 + due.nodes) && draw_lot(lot++)) {
            due.steps += branching * steps_of(++due.updates);
            due.nodes += branching;
            left += branching;
        }
    const struct sums *sums = &root.below;
    if (sums->nodes != due.nodes || sums->steps != due.steps || sums->updates != due.updates)
        workload_wrong(
            "%llu nodes below the root computed %llu steps, and %llu had children, in place of %llu, %llu, %llu",
            (unsigned long long)sums->nodes, (unsigned long long)sums->steps, (unsigned long long)sums->updates,
            (unsigned long long)due.nodes, (unsigned long long)due.steps, (unsigned long long)due.updates);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    most = workload_scaled(nodes);
    if (most > UINT32_MAX || branching > UINT32_MAX || mean > UINT32_MAX || deviation > UINT32_MAX)
        workload_refuse("the nodes, --branching, --mean and --deviation must each be under 2^32");

    workload_start_executor();
    actorbench_message_init(attempt, &try, ACTORBENCH_NODELETE);
    actorbench_message_init(traversal, &traverse, ACTORBENCH_NODELETE);
    actorbench_message_init(termination, &terminate, ACTORBENCH_NODELETE);
    actorbench_message_init(update, &grown, ACTORBENCH_NODELETE);
    actorbench_actor_init(node, &root);
    workload_start_clock();
    actorbench_send(node, &root, &try);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    return workload_end(size, 0);
}
