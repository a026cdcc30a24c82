/* Random numbers to be sorted, and whether they are: what the two quicksorts share. */
#ifndef ACTORBENCH_WORKLOADS_NUMBERS_H
#define ACTORBENCH_WORKLOADS_NUMBERS_H

#include <stdint.h>

/* `count` numbers under `bound`, which is at most 2^32, drawn from the seed. Ends the program if memory is out; released
 * by free(3). */
uint32_t *numbers_new(uint64_t count, uint64_t bound);

/* Cuts two numbers or more in two parts, neither of them empty, none of the first over any of the second. How many the
 * first has. */
uint64_t numbers_part(uint32_t *numbers, uint64_t count);

/* Sorts by quicksort, in place. */
void numbers_sort(uint32_t *numbers, uint64_t count);

/* Finds the result wrong unless these are the numbers of numbers_new, sorted: other numbers pass if their hashes of 64 bits
 * add up to the same. */
void numbers_verify(const uint32_t *numbers, uint64_t count, uint64_t bound);

#endif
