/* A family: one actor that makes others, and sends to them and to itself, more than the queues hold at first. Small enough
 * to be started ten thousand times; between them its members come by every allocation of core/. */
#ifndef ACTORBENCH_TESTS_STRESS_FAMILY_H
#define ACTORBENCH_TESTS_STRESS_FAMILY_H

#include "harness.h"

enum { MOST_CHILDREN = 400, OWN_TICKS = 40 };

typedef struct {
    struct actorbench_message message;
} tick;
ACTORBENCH_MESSAGE_TYPE(tick)

typedef struct {
    struct actorbench_actor actor;
} child_actor;
#define BEHAVIOURS_child_actor(ON) ON(child_actor, tick, child_ticks)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(child_actor, child_ends)

typedef struct {
    struct actorbench_message message;
    unsigned children;
} task;
ACTORBENCH_MESSAGE_TYPE(task)

typedef struct {
    struct actorbench_actor actor;
    unsigned ticks;
} parent_actor;
#define BEHAVIOURS_parent_actor(ON) ON(parent_actor, task, parent_starts) ON(parent_actor, tick, parent_ticks)
ACTORBENCH_ACTOR_TYPE(parent_actor)

static parent_actor parent;
static child_actor children[MOST_CHILDREN];
static task family_task;
static tick family_tick;
static ATOMIC(unsigned) children_ticks, children_ended;

static enum actorbench_allocation child_ticks(child_actor *self, tick *message) {
    (void)self, (void)message;
    (void)atomic_fetch_add_relaxed(&children_ticks, 1);
    return ACTORBENCH_NODELETE;
}

static void child_ends(child_actor *self) {
    (void)self;
    (void)atomic_fetch_add_relaxed(&children_ended, 1);
}

static enum actorbench_allocation parent_starts(parent_actor *self, task *message) {
    for (unsigned i = 0; i < message->children; i++) {
        actorbench_actor_init(child_actor, &children[i]);
        actorbench_send(child_actor, &children[i], &family_tick, &actorbench_destroy_message);
    }
    child_actor *last = actorbench_actor_new(child_actor);
    tick *own = actorbench_message_new(tick, ACTORBENCH_DELETE);
    actorbench_send(child_actor, last, own, &actorbench_delete_message);
    for (unsigned i = 0; i < OWN_TICKS; i++)
        actorbench_send(parent_actor, self, &family_tick);
    actorbench_send(parent_actor, self, &actorbench_finished_message);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation parent_ticks(parent_actor *self, tick *message) {
    (void)message;
    self->ticks++;
    return ACTORBENCH_NODELETE;
}

/* The executor has been started. */
static void family_begin(unsigned count) {
    memset((void *)&parent, 0, sizeof parent);
    memset((void *)children, 0, sizeof children);
    atomic_initialise(&children_ticks, 0);
    atomic_initialise(&children_ended, 0);
    actorbench_message_init(tick, &family_tick, ACTORBENCH_NODELETE);
    actorbench_message_init(task, &family_task, ACTORBENCH_NODELETE);
    family_task.children = count;
    actorbench_actor_init(parent_actor, &parent);
    actorbench_send(parent_actor, &parent, &family_task);
}

/* Whether all of it is over, and was done; after actorbench_wait or actorbench_stop. */
static bool family_is_complete(void) {
    unsigned all = family_task.children + 1;
    return parent.ticks == OWN_TICKS && atomic_load_relaxed(&children_ticks) == all &&
           atomic_load_relaxed(&children_ended) == all;
}

#endif
