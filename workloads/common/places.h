/* Places that become more, and how far the nearest of them is: what a quadrant of facility-location knows. */
#ifndef ACTORBENCH_WORKLOADS_PLACES_H
#define ACTORBENCH_WORKLOADS_PLACES_H

#include <stdint.h>

struct point {
    double x, y;
};

/* None of them if zeroed; `points` is released by free(3). */
struct places {
    struct point *points;
    uint64_t count, room;
};

/* If memory is out, the program ends with status 2. */
void places_add(struct places *places, struct point point);
void places_add_all(struct places *places, const struct places *others);

/* The distance from a point to the nearest place; infinite if there is none. */
double places_nearest(const struct places *places, struct point point);

#endif
