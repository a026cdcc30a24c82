/* A behaviour that is listed for one message type and takes another.
 * expect: adder_adds
 * expect: number
 * expect: text
 */
#include "types.h"

typedef struct {
    struct actor actor;
} adder;
#define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds)
ACTOR_TYPE(adder)

static enum allocation adder_adds(adder *self, text *message) {
    (void)self, (void)message;
    return NODELETE;
}

int main(void) {
    adder actor;
    actor_init(adder, &actor);
    return 0;
}
