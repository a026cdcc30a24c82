/* The executor workload's traffic, which the balance workloads put on some workers only (thesis, "Executor").
 *
 * Actors stand in groups of `group`. Each starts with one message; on every receipt it sends one on to the next member
 * of its group, itself included, in turn, until it has sent `rounds` to every member. So each actor receives
 * rounds x group + 1 messages, and ends with the last. On the first it sends `tokens` (the source: 1), which stay in flight: fewer
 * actors with more tokens keep mailboxes as long with less work.
 */
#ifndef ACTORBENCH_WORKLOADS_TRAFFIC_H
#define ACTORBENCH_WORKLOADS_TRAFFIC_H

#include "workload.h"

/* The parameters, for a program's table; the program gives `rounds` its default. */
extern uint64_t traffic_actors, traffic_group, traffic_tokens, traffic_rounds, traffic_work_ns;

/* clang-format off */
#define TRAFFIC_PARAMETERS                                                                                           \
    {"actors", &traffic_actors, NULL, 1, "actors that exchange messages"},                                           \
    {"group", &traffic_group, NULL, 1, "actors in a group; divides --actors"},                                   \
    {"tokens", &traffic_tokens, NULL, 1, "messages that each actor sends on its first"},                            \
    {"rounds", &traffic_rounds, NULL, 1, "messages from each actor to each of its group; --scale multiplies it"}
/* clang-format on */

/* After workload_begin: refuses parameters that do not fit, makes room for `actors` actors. */
void traffic_prepare(uint64_t actors);

/* Makes the next actor; call it `actors` times, in the order in which tickets shall be drawn. */
void traffic_add(void);

/* Lets all messages flow, and stops the clock, which the program has started, when every actor of the executor has ended. */
void traffic_run(void);

/* Checks every actor's count, after actorbench_stop; how many messages there were in all. */
uint64_t traffic_verify(void);

#endif
