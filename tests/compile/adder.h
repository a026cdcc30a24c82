/* An actor type that knows numbers only. */
#ifndef ACTORBENCH_TESTS_COMPILE_ADDER_H
#define ACTORBENCH_TESTS_COMPILE_ADDER_H

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

#endif
