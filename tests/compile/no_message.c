/* A send of a pointer to something that is no message.
 * expect: actor type adder has no behaviour
 * expect: int
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
    int value = 3;
    actor_init(adder, &actor);
    actor_send(adder, &actor, &value);
    return 0;
}
