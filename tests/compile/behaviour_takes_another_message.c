/* A behaviour that is listed for one message type and takes another.
 * expect: adder_adds
 * expect: number
 * expect in C: text
 */
#include "types.h"

typedef struct {
    struct actorbench_actor actor;
} adder;
#define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds)
ACTORBENCH_ACTOR_TYPE(adder)

static enum actorbench_allocation adder_adds(adder *self, text *message) {
    (void)self, (void)message;
    return ACTORBENCH_NODELETE;
}

int main(void) {
    adder actor;
    actorbench_actor_init(adder, &actor);
    return 0;
}
