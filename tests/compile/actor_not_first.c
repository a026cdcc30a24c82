/* An actor type that does not embed struct actor first.
 * expect: adder must embed `struct actor actor` as its first member
 */
#include "types.h"

typedef struct {
    long sum;
    struct actor actor;
} adder;
#define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds)
ACTOR_TYPE(adder)

static enum allocation adder_adds(adder *self, number *message) {
    (void)self, (void)message;
    return NODELETE;
}

int main(void) {
    return 0;
}
