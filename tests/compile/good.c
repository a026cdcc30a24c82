/* The control: what the other programs spoil compiles without a warning. */
#include "types.h"

typedef struct {
    struct actor actor;
    long sum;
} adder;
#define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds) ON(adder, finished_pill, adder_ends)
ACTOR_TYPE(adder)

static enum allocation adder_adds(adder *self, number *message) {
    self->sum += message->value;
    return NODELETE;
}

static enum allocation adder_ends(adder *self, finished_pill *pill) {
    (void)pill;
    return self->sum == 0 ? DESTROY : FINISHED;
}

int main(void) {
    adder actor;
    number one;
    if (executor_start(NULL) != NULL)
        return 1;
    actor_init(adder, &actor);
    message_init(number, &one, NODELETE);
    actor_send(adder, &actor, &one, &one, &finished_message);
    executor_stop();
    return actor.sum == 0;
}
