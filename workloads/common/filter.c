/* A ring is multiplied as the source does it, product after product. */
#include "filter.h"

#include <stdlib.h>

bool filter_make_delay(struct filter *filter, uint64_t size) {
    *filter = (struct filter){.places = calloc(size, sizeof *filter->places), .size = size};
    return filter->places != NULL;
}

bool filter_make(struct filter *filter, uint64_t size, enum which_filter which, uint64_t channels, uint64_t channel) {
    if (!filter_make_delay(filter, size))
        return false;
    filter->coefficients = calloc(size, sizeof *filter->coefficients);
    if (filter->coefficients == NULL)
        return false;
    double j = (double)channel;
    for (uint64_t place = 0; place < size; place++) {
        double i = (double)place;
        filter->coefficients[place] =
            which == FIRST_FILTER ? i * (double)size + j * (double)channels + j + i + j + 1 : i * j + j * j + j + i;
    }
    return true;
}

void filter_release(struct filter *filter) {
    free(filter->places);
    free(filter->coefficients);
}

static double replace(struct filter *filter, double value) {
    double old = filter->places[filter->at];
    filter->places[filter->at] = value;
    filter->at = (filter->at + 1) % filter->size;
    filter->full |= filter->at == 0;
    return old;
}

double filter_delay(struct filter *filter, double value) {
    return replace(filter, value);
}

bool filter_keep(struct filter *filter, double *value) {
    (void)replace(filter, *value);
    if (!filter->full)
        return false;
    double sum = 0;
    for (uint64_t i = 0; i < filter->size; i++)
        sum += filter->places[i] * filter->coefficients[filter->size - 1 - i];
    *value = sum;
    return true;
}

/* Each product from the one before, in place of from all of a ring. */
static uint64_t filter_again(const struct filter *filter, double *values, uint64_t count, double *total) {
    uint64_t size = filter->size, given = 0;
    double sum = 0, leaving = 0;
    *total = 0;
    for (uint64_t i = 0; i < count; i++) {
        sum += (values[i] - leaving) * filter->coefficients[size - 1 - i % size];
        if (i + 1 < size)
            continue;
        leaving = values[given];
        values[given++] = sum;
        *total += sum;
    }
    return given;
}

static void delay_again(uint64_t size, double *values, uint64_t count) {
    for (uint64_t i = count; i-- > 0;)
        values[i] = i < size ? 0 : values[i - size];
}

uint64_t filter_channel_again(const struct filter *first, const struct filter *second, double *values, uint64_t count,
                              double totals[2]) {
    delay_again(first->size - 1, values, count);
    count = filter_again(first, values, count, &totals[0]);
    for (uint64_t i = 0; i < count; i++)
        if (i % first->size != 0)
            values[i] = 0;
    delay_again(second->size - 1, values, count);
    return filter_again(second, values, count, &totals[1]);
}
