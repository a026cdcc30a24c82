/* Draws numbers, sorts them, and checks that they are the same, in order. */
#include "numbers.h"

#include <stdlib.h>

#include "draw.h"

/* A position under 2^32 of one of the streams 0, 1, ...: there may be more numbers than one stream has. */
static uint32_t number_at(uint64_t position, uint64_t bound) {
    return (uint32_t)upper_below(draw(position >> 32, (uint32_t)position), bound);
}

uint32_t *numbers_new(uint64_t count, uint64_t bound) {
    uint32_t *numbers = calloc(count, sizeof *numbers);
    if (numbers == NULL)
        workload_refuse("there is not enough memory for %llu numbers", (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++)
        numbers[i] = number_at(i, bound);
    return numbers;
}

/* Hoare's: from both ends towards each other, around the number in the middle, which goes to the front first, so that
 * the first part never has all. Numbers equal to it go to either part, so that equal ones do not make it lopsided. */
uint64_t numbers_part(uint32_t *numbers, uint64_t count) {
    uint32_t pivot = numbers[count / 2];
    numbers[count / 2] = numbers[0];
    numbers[0] = pivot;
    uint64_t low = 0, high = count - 1;
    for (;;) {
        while (numbers[low] < pivot)
            low++;
        while (numbers[high] > pivot)
            high--;
        if (low >= high)
            return high + 1;
        uint32_t greater = numbers[low];
        numbers[low++] = numbers[high];
        numbers[high--] = greater;
    }
}

/* Calls itself for the shorter part: so its depth is at most 64. */
void numbers_sort(uint32_t *numbers, uint64_t count) {
    while (count > 1) {
        uint64_t first = numbers_part(numbers, count);
        if (first < count - first) {
            numbers_sort(numbers, first);
            numbers += first;
            count -= first;
        } else {
            numbers_sort(numbers + first, count - first);
            count = first;
        }
    }
}

/* A hash of a number: one that is drawn, of a stream that numbers are not drawn from. */
static uint64_t hash(uint32_t number) {
    return draw(UINT32_MAX, number);
}

void numbers_verify(const uint32_t *numbers, uint64_t count, uint64_t bound) {
    uint64_t found = 0, drawn = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0 && numbers[i - 1] > numbers[i]) {
            workload_wrong("number %llu, %u, is over the one behind it, %u", (unsigned long long)(i - 1),
                           numbers[i - 1], numbers[i]);
            return;
        }
        found += hash(numbers[i]);
        drawn += hash(number_at(i, bound));
    }
    if (found != drawn)
        workload_wrong("the sorted numbers are not those that were to be sorted");
}
