/* The control: what the other programs spoil, and the rest of what a program writes, compiles without a warning. */
#include "types.h"

typedef struct {
    struct actorbench_message message;
    char *words;
} letter;
ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(letter, letter_ends)

typedef struct {
    struct actorbench_actor actor;
    long sum;
} adder;
#define BEHAVIOURS_adder(ON)       \
    ON(adder, number, adder_adds)  \
    ON(adder, letter, adder_reads) \
    ON(adder, actorbench_finished_pill, adder_ends) ON(adder, actorbench_error, adder_errs)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(adder, adder_goes)

static enum actorbench_allocation adder_adds(adder *self, number *message) {
    self->sum += message->value;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation adder_reads(adder *self, letter *message) {
    actorbench_message_set_allocation(&message->message, ACTORBENCH_DESTROY);
    return actorbench_fail(adder, self, "it cannot read");
}

static enum actorbench_allocation adder_ends(adder *self, actorbench_finished_pill *pill) {
    (void)pill;
    return self->sum == 0 ? ACTORBENCH_DESTROY : ACTORBENCH_FINISHED;
}

static enum actorbench_allocation adder_errs(adder *self, actorbench_error *error) {
    self->sum -= error->what[0] == 'i';
    return ACTORBENCH_NODELETE;
}

static void adder_goes(adder *self) {
    self->sum = 0;
}

static void letter_ends(letter *self) {
    self->words = NULL;
}

int main(void) {
    adder actor;
    adder *other;
    number one;
    if (actorbench_start(NULL) != NULL)
        return 1;
    actorbench_actor_init(adder, &actor);
    actorbench_actor_set_dispatch(adder, &actor, 10);
    actorbench_message_init(number, &one, ACTORBENCH_NODELETE);
    actorbench_send(adder, &actor, &one, &one, &actorbench_finished_message);
    other = actorbench_actor_new(adder);
    actorbench_send(adder, other, actorbench_message_new(letter, ACTORBENCH_DELETE), &actorbench_delete_message);
    actorbench_stop();
    return actor.sum == 0;
}
