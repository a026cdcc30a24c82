/* Numbers that actors are to sort, and whether they did: what the sorting workloads share.
 *
 * Savina's generator yields numbers under 2^16 only, where there may be 2^60. Here they spread over all that there may be.
 */
#ifndef ACTORBENCH_WORKLOADS_SORTED_H
#define ACTORBENCH_WORKLOADS_SORTED_H

#include "workload.h"

/* The parameter: numbers are under 2^sorted_bits; 1 to 64. */
extern uint64_t sorted_bits;

/* Makes room for the sorted numbers: under 2^32 of them. Refuses what does not fit. */
void sorted_prepare(uint64_t count);

/* The number at a position, before they are sorted. */
uint64_t sorted_number(uint64_t position);

/* Takes the next one, after they were sorted; says whether that was the last. One caller at a time. */
bool sorted_take(uint64_t number);

/* Compares what was taken with the same numbers sorted by qsort(3), after actorbench_stop, and frees both. */
void sorted_verify(void);

#endif
