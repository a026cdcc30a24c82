/* The control: what the other programs spoil compiles without a warning. */
#include "types.h"

typedef struct {
    struct actorbench_actor actor;
    long sum;
} adder;
#define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds) ON(adder, actorbench_finished_pill, adder_ends)
ACTORBENCH_ACTOR_TYPE(adder)

static enum actorbench_allocation adder_adds(adder *self, number *message) {
    self->sum += message->value;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation adder_ends(adder *self, actorbench_finished_pill *pill) {
    (void)pill;
    return self->sum == 0 ? ACTORBENCH_DESTROY : ACTORBENCH_FINISHED;
}

int main(void) {
    adder actor;
    number one;
    if (actorbench_start(NULL) != NULL)
        return 1;
    actorbench_actor_init(adder, &actor);
    actorbench_message_init(number, &one, ACTORBENCH_NODELETE);
    actorbench_send(adder, &actor, &one, &one, &actorbench_finished_message);
    actorbench_stop();
    return actor.sum == 0;
}
