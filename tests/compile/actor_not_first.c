/* An actor type that does not embed struct actorbench_actor first.
 * expect: adder must embed `struct actorbench_actor actor` as its first member
 */
#include "types.h"

typedef struct {
    long sum;
    struct actorbench_actor actor;
} adder;
#define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds)
ACTORBENCH_ACTOR_TYPE(adder)

static enum actorbench_allocation adder_adds(adder *self, number *message) {
    (void)self, (void)message;
    return ACTORBENCH_NODELETE;
}

int main(void) {
    return 0;
}
