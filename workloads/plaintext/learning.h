/* What another server answers, learnt by asking it: its headers are its own, the text must be ours. */
#ifndef ACTORBENCH_PLAINTEXT_LEARNING_H
#define ACTORBENCH_PLAINTEXT_LEARNING_H

#include <stdbool.h>
#include <stdint.h>

#include "dialogue.h"

/* Asks a server on 127.0.0.1 once, as `asking` does, and writes to `learnt` what it is to answer from then on; that lives until the
 * next call. False: there is no answer within `timeout_s`, or not "Hello, World!" with a status of 200, its length and a date. For
 * one thread. */
bool dialogue_learn(struct dialogue *learnt, const struct dialogue *asking, uint16_t port, uint64_t timeout_s);

#endif
