/* A histogram of whole numbers over many orders of magnitude: HdrHistogram's buckets at two significant digits.
 *
 * A number is kept by its eight leading bits: numbers under 256 exactly, any other in a bucket that is no wider than 1/128 of
 * it. So adding is a shift and an increment, and no range is chosen beforehand. (Gil Tene, HdrHistogram.)
 * A histogram belongs to one thread at a time.
 */
#ifndef ACTORBENCH_PLATFORM_HISTOGRAM_H
#define ACTORBENCH_PLATFORM_HISTOGRAM_H

#include <stdint.h>

enum {
    HISTOGRAM_BITS = 44, /* larger numbers, of over an hour of cycles, count as the largest */
    HISTOGRAM_KEPT = 8,
    HISTOGRAM_HALF = 1 << (HISTOGRAM_KEPT - 1),
    HISTOGRAM_BUCKETS = (HISTOGRAM_BITS - HISTOGRAM_KEPT + 2) * HISTOGRAM_HALF,
};

/* All zero: empty. */
struct histogram {
    uint64_t buckets[HISTOGRAM_BUCKETS];
    uint64_t count;
    uint64_t largest; /* exactly */
};

/* How far a number is shifted so that its leading bits are left. */
static inline unsigned histogram_shift(uint64_t number) {
    return (unsigned)(64 - HISTOGRAM_KEPT - __builtin_clzll(number | (1u << (HISTOGRAM_KEPT - 1))));
}

static inline unsigned histogram_bucket(uint64_t number) {
    if (number >> HISTOGRAM_BITS != 0)
        return HISTOGRAM_BUCKETS - 1;
    unsigned shift = histogram_shift(number);
    return shift * HISTOGRAM_HALF + (unsigned)(number >> shift);
}

static inline void histogram_add(struct histogram *histogram, uint64_t number) {
    histogram->buckets[histogram_bucket(number)]++;
    histogram->count++;
    if (number > histogram->largest)
        histogram->largest = number;
}

/* Adds all that is in another. */
void histogram_merge(struct histogram *histogram, const struct histogram *other);

/* The number that `percent` of all, over 0 and at most 100, are no larger than: the upper end of its bucket, so never too little,
 * and at most 1/128 too much; at 100 exactly the largest. 0 of an empty histogram. */
uint64_t histogram_percentile(const struct histogram *histogram, double percent);

#endif
