/* Rings of samples that delay and filter, and the same computed in another way: the arithmetic of filter-bank.
 *
 * A filter gives nothing before its ring is full. Then it multiplies the ring, from its first place, by its coefficients:
 * as Savina's does, whose coefficients these are, too.
 */
#ifndef ACTORBENCH_WORKLOADS_FILTER_H
#define ACTORBENCH_WORKLOADS_FILTER_H

#include <stdbool.h>
#include <stdint.h>

struct filter {
    double *places;       /* `size` of them */
    double *coefficients; /* as many; a delay has none */
    uint64_t size;
    uint64_t at; /* the next place */
    bool full;
};

/* The two filters of a channel. */
enum which_filter { FIRST_FILTER, SECOND_FILTER };

/* False if memory is out. `channels` and `channel` are what the coefficients depend on. Released by filter_release. */
bool filter_make_delay(struct filter *filter, uint64_t size);
bool filter_make(struct filter *filter, uint64_t size, enum which_filter which, uint64_t channels, uint64_t channel);
void filter_release(struct filter *filter);

/* Keeps a value, and gives the one that came `size` values before; at first zeros. */
double filter_delay(struct filter *filter, double value);

/* Keeps a value; false if the ring is not full yet. Otherwise the value becomes what the filter gives. */
bool filter_keep(struct filter *filter, double *value);

/* Changes `count` values as a channel of filter-bank does that has these two filters, in another way, and says how many
 * are left; and what each filter gave in all. */
uint64_t filter_channel_again(const struct filter *first, const struct filter *second, double *values, uint64_t count,
                              double totals[2]);

#endif
