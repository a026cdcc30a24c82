/* Long addition and division by limbs; pi from two arcus tangents. */
#include "fixed.h"

#include <string.h>

size_t fixed_limbs(uint64_t decimals) {
    const uint64_t bits = (decimals * 3322 + 999) / 1000; /* a decimal is 3.3219... bits */
    return 1 + (bits + 31) / 32 + 1;
}

void fixed_add(size_t limbs, uint32_t *sum, const uint32_t *number) {
    uint64_t carry = 0;
    for (size_t i = limbs; i-- > 0; carry >>= 32) {
        carry += (uint64_t)sum[i] + number[i];
        sum[i] = (uint32_t)carry;
    }
}

void fixed_subtract(size_t limbs, uint32_t *difference, const uint32_t *number) {
    uint64_t borrow = 0;
    for (size_t i = limbs; i-- > 0;) {
        uint64_t limb = (uint64_t)difference[i] - number[i] - borrow;
        difference[i] = (uint32_t)limb;
        borrow = limb >> 63;
    }
}

/* The next limb of a quotient, and of what is left of the dividend. */
static uint32_t divide_limb(uint64_t *rest, uint32_t limb, uint32_t divisor) {
    uint64_t dividend = *rest << 32 | limb;
    *rest = dividend % divisor;
    return (uint32_t)(dividend / divisor);
}

void fixed_divide_whole(size_t limbs, uint32_t *quotient, uint32_t numerator, uint64_t shift, uint32_t divisor) {
    uint64_t first = shift / 32, shifted = (uint64_t)numerator << 32 >> shift % 32; /* lies in two limbs */
    uint64_t rest = 0;
    for (size_t i = 0; i < limbs; i++) {
        uint32_t limb = i == first ? (uint32_t)(shifted >> 32) : i == first + 1 ? (uint32_t)shifted : 0;
        quotient[i] = i < first ? 0 : divide_limb(&rest, limb, divisor);
    }
}

void fixed_divide(size_t limbs, uint32_t *quotient, const uint32_t *dividend, uint32_t divisor) {
    uint64_t rest = 0;
    for (size_t i = 0; i < limbs; i++)
        quotient[i] = divide_limb(&rest, dividend[i], divisor);
}

bool fixed_is_near(size_t limbs, const uint32_t *one, const uint32_t *other) {
    bool above = true, below = true;
    uint64_t borrow = 0;
    for (size_t i = limbs; i-- > 0;) {
        uint64_t limb = (uint64_t)one[i] - other[i] - borrow;
        borrow = limb >> 63;
        above = above && (i == limbs - 1 || (uint32_t)limb == 0);
        below = below && (i == limbs - 1 || (uint32_t)limb == UINT32_MAX);
    }
    return above || below;
}

static bool is_zero(size_t limbs, const uint32_t *number) {
    size_t i = 0;
    while (i < limbs && number[i] == 0)
        i++;
    return i == limbs;
}

/* Adds factor times the arcus tangent of 1 / x to a number, or subtracts it. */
static void add_arctangent(size_t limbs, uint32_t *number, bool subtracted, uint32_t factor, uint32_t x,
                           uint32_t *scratch) {
    uint32_t *power = scratch, *term = scratch + limbs;
    fixed_divide_whole(limbs, power, factor, 0, x);
    for (uint32_t i = 0; !is_zero(limbs, power); i++) {
        fixed_divide(limbs, term, power, 2 * i + 1);
        (subtracted == (i % 2 == 1) ? fixed_add : fixed_subtract)(limbs, number, term);
        fixed_divide(limbs, power, power, x * x);
    }
}

/* pi = 16 arctan(1/5) - 4 arctan(1/239). */
void fixed_pi(size_t limbs, uint32_t *number, uint32_t *scratch) {
    memset(number, 0, limbs * sizeof *number);
    add_arctangent(limbs, number, false, 16, 5, scratch);
    add_arctangent(limbs, number, true, 4, 239, scratch);
}
