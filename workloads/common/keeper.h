/* A structure that one actor keeps, and entities that ask for it, each a request at a time (Savina, "Concurrent
 * Dictionary" and "Concurrent Sorted Linked-List"; the locality work on CAF, "The Delicate Difference Between Data and
 * Communication Intensive Applications").
 *
 * Which entity is served when is up to the scheduler, so the keeper notes whom it serves. Afterwards the same requests
 * go in that order to a model, which must give the same answers.
 */
#ifndef ACTORBENCH_WORKLOADS_KEEPER_H
#define ACTORBENCH_WORKLOADS_KEEPER_H

#include "workload.h"

/* The parameters, for a program's table; the program gives those their defaults that the workloads differ in. */
extern uint64_t keeper_entities, keeper_messages, keeper_writes, keeper_sizes, keeper_keys;

/* clang-format off */
#define KEEPER_PARAMETERS                                                                                            \
    {"entities", &keeper_entities, NULL, 1, "actors that send requests"},                                            \
    {"messages", &keeper_messages, NULL, 1, "requests of each; --scale multiplies it"},                              \
    {"writes", &keeper_writes, NULL, 0, "percent of the requests that write"},                                       \
    {"keys", &keeper_keys, NULL, 1, "that can be asked for: 0, 1, 2, ..."}
/* clang-format on */

/* What can be asked of the structure, and of its model. */
struct structure {
    uint64_t (*read)(uint64_t key);
    uint64_t (*write)(uint64_t key, uint64_t value);
    uint64_t (*size)(void);
};

/* After workload_begin: refuses parameters that do not fit, makes room for the entities. How many requests there will
 * be in all. */
uint64_t keeper_prepare(void);

/* Makes the actors, starts the clock, lets all requests be answered, stops the clock. */
void keeper_run(const struct structure *structure);

/* Asks the model the same, and compares all answers, after actorbench_stop. Then the model's contents must equal the
 * structure's: that is for the program to check. */
void keeper_verify(const struct structure *model);

#endif
