/* What balance-one and balance-multi share: executor's traffic on the mailboxes of some workers, and on the mailboxes of
 * the others dummies, actors without work that only draw the tickets (thesis, "Work Stealing" under "Performance").
 *
 * The clock starts before the first actor is made and stops when the last has ended, so that the dummies are a part of what is
 * measured: there "a few dummy actors are created for each of the extra cores", and without stealing the time rises slightly
 * with the cores. A dummy gets one message and ends. Operations are the messages of the loaded actors only. */
#ifndef ACTORBENCH_WORKLOADS_BALANCE_H
#define ACTORBENCH_WORKLOADS_BALANCE_H

#include "traffic.h"

/* clang-format off */
#define BALANCE_PARAMETERS                                                                                           \
    TRAFFIC_PARAMETERS,                                                                                              \
    {"work", &traffic_work_ns, NULL, 0, "nanoseconds of computation for each message"}
/* clang-format on */

enum { BALANCE_ROUNDS = 100 }; /* "fewer rounds" than executor */

/* Makes `actors` actors, each by a call of `add`, in the order in which tickets are drawn, and dummies in between: so that with
 * `step` 0 all are worker 0's, with `step` n every n-th worker's by turns. From main, which alone makes actors. */
void balance_lay_out(unsigned step, uint64_t actors, void (*add)(void));

/* The whole program: `step` 0 loads worker 0 only, `step` n loads every n-th worker, each with --actors actors. */
int balance_main(const struct workload *workload, unsigned step, int argc, char **argv);

#endif
