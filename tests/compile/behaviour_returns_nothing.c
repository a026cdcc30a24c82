/* A behaviour that does not say what becomes of the actor.
 * expect: adder_adds
 * expect: conflicting types
 * expect: void
 */
#include "types.h"

typedef struct {
    struct actor actor;
} adder;
#define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds)
ACTOR_TYPE(adder)

static void adder_adds(adder *self, number *message) {
    (void)self, (void)message;
}

int main(void) {
    adder actor;
    actor_init(adder, &actor);
    return 0;
}
