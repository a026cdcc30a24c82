/* Computation of a given length, for workloads whose messages have some (--work NS). */
#ifndef ACTORBENCH_WORKLOADS_WORK_H
#define ACTORBENCH_WORKLOADS_WORK_H

#include <stdint.h>

/* How many steps take `nanoseconds` on this machine now; 0 for 0. Takes about 20 ms. */
uint64_t work_calibrate(uint64_t nanoseconds);

/* Computes for that many steps: work of the processor, which cannot be done by waiting. From any thread. */
void work_do(uint64_t steps);

#endif
