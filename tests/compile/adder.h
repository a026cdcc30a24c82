/* An actor type that knows numbers only. */
#ifndef ACTORBENCH_TESTS_COMPILE_ADDER_H
#define ACTORBENCH_TESTS_COMPILE_ADDER_H

#include "types.h"

typedef struct {
    struct actorbench_actor actor;
} adder;
#define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds)
ACTORBENCH_ACTOR_TYPE(adder)

static enum actorbench_allocation adder_adds(adder *self, number *message) {
    (void)self, (void)message;
    return ACTORBENCH_NODELETE;
}

#endif
