/* The types that the programs of this folder are about. */
#ifndef ACTORBENCH_TESTS_COMPILE_TYPES_H
#define ACTORBENCH_TESTS_COMPILE_TYPES_H

#include "actor.h"
#include "executor.h"

typedef struct {
    struct actorbench_message message;
    int value;
} number;
ACTORBENCH_MESSAGE_TYPE(number)

typedef struct {
    struct actorbench_message message;
    char letters[8];
} text;
ACTORBENCH_MESSAGE_TYPE(text)

#endif
