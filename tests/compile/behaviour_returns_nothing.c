/* A behaviour that does not say what becomes of the actor.
 * expect: adder_adds
 * expect in C: conflicting types
 * expect: void
 */
#include "types.h"

typedef struct {
    struct actorbench_actor actor;
} adder;
#define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds)
ACTORBENCH_ACTOR_TYPE(adder)

static void adder_adds(adder *self, number *message) {
    (void)self, (void)message;
}

int main(void) {
    adder actor;
    actorbench_actor_init(adder, &actor);
    return 0;
}
