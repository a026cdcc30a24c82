/* Draws the numbers, keeps what comes out, sorts the same again. */
#include "sorted.h"

#include <stdlib.h>

#include "draw.h"

uint64_t sorted_bits = 60;

static uint64_t *taken, *due; /* numbers */
static uint64_t count, all;   /* how many were taken, of how many */

void sorted_prepare(uint64_t numbers) {
    if (sorted_bits > 64)
        workload_refuse("--bits %llu: choose 1 to 64", (unsigned long long)sorted_bits);
    if (numbers > UINT32_MAX)
        workload_refuse("the numbers must be under 2^32");
    taken = calloc(numbers, sizeof *taken);
    due = calloc(numbers, sizeof *due);
    if (taken == NULL || due == NULL)
        workload_refuse("--numbers %llu: there is not enough memory for so many", (unsigned long long)numbers);
    all = numbers;
}

uint64_t sorted_number(uint64_t position) {
    return draw(0, position) >> (64 - sorted_bits);
}

bool sorted_take(uint64_t number) {
    taken[count++] = number;
    return count == all;
}

static int ascending(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

void sorted_verify(void) {
    for (uint64_t i = 0; i < all; i++)
        due[i] = sorted_number(i);
    qsort(due, all, sizeof *due, ascending);
    for (uint64_t i = 0; i < all; i++)
        if (i >= count || taken[i] != due[i]) {
            workload_wrong("number %llu of %llu, of which %llu came, is not what it is when all are sorted",
                           (unsigned long long)i, (unsigned long long)all, (unsigned long long)count);
            break;
        }
    free(due);
    free(taken);
}
