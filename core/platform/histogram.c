/* Histograms: merging and reading. */
#include "histogram.h"

#include <math.h>

void histogram_merge(struct histogram *histogram, const struct histogram *other) {
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        histogram->buckets[i] += other->buckets[i];
    histogram->count += other->count;
    if (other->largest > histogram->largest)
        histogram->largest = other->largest;
}

/* The largest number of a bucket. */
static uint64_t upper_end(unsigned bucket) {
    unsigned shift = bucket < 2 * HISTOGRAM_HALF ? 0 : bucket / HISTOGRAM_HALF - 1;
    uint64_t kept = bucket - shift * HISTOGRAM_HALF;
    return ((kept + 1) << shift) - 1;
}

uint64_t histogram_percentile(const struct histogram *histogram, double percent) {
    double rank = ceil(percent / 100.0 * (double)histogram->count);
    uint64_t seen = 0;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS - 1; i++) {
        seen += histogram->buckets[i];
        if (seen != 0 && (double)seen >= rank)
            return upper_end(i) < histogram->largest ? upper_end(i) : histogram->largest;
    }
    return histogram->largest;
}
