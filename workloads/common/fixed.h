/* Numbers with many binary places, of fixed point: what pi-precision's actors compute with.
 *
 * A number is an array of limbs of 32 bits: the first is the whole part, each further one the next 32 binary places. All have
 * the same number of limbs. Quotients are rounded down; sums and differences are exact modulo 2^32, so that a number may
 * pass below 0 in between, and their order does not matter.
 */
#ifndef ACTORBENCH_WORKLOADS_FIXED_H
#define ACTORBENCH_WORKLOADS_FIXED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limbs for so many decimals, and one more for what is lost by rounding down. */
size_t fixed_limbs(uint64_t decimals);

void fixed_add(size_t limbs, uint32_t *sum, const uint32_t *number);
void fixed_subtract(size_t limbs, uint32_t *difference, const uint32_t *number);

/* quotient = numerator / (divisor 2^shift); the divisor is not 0. */
void fixed_divide_whole(size_t limbs, uint32_t *quotient, uint32_t numerator, uint64_t shift, uint32_t divisor);

/* quotient = dividend / divisor; both may be the same. The divisor is not 0. */
void fixed_divide(size_t limbs, uint32_t *quotient, const uint32_t *dividend, uint32_t divisor);

/* Whether two numbers differ by less than 1 in the last limb but one, as they may after less than 2^32 roundings. */
bool fixed_is_near(size_t limbs, const uint32_t *one, const uint32_t *other);

/* number = pi, by Machin's formula; `scratch` is room for two numbers. */
void fixed_pi(size_t limbs, uint32_t *number, uint32_t *scratch);

#endif
