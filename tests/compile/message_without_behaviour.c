/* A send of a message that the actor type has no behaviour for.
 * expect: actor type adder has no behaviour
 * expect: text
 */
#include "types.h"

typedef struct {
    struct actor actor;
} adder;
#define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds)
ACTOR_TYPE(adder)

static enum allocation adder_adds(adder *self, number *message) {
    (void)self, (void)message;
    return NODELETE;
}

int main(void) {
    adder actor;
    text words;
    actor_init(adder, &actor);
    message_init(text, &words, NODELETE);
    actor_send(adder, &actor, &words);
    return 0;
}
