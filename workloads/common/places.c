/* An array, of twice the size whenever it is full. */
#include "places.h"

#include <math.h>
#include <stdlib.h>

#include "workload.h"

void places_add(struct places *places, struct point point) {
    if (places->count == places->room) {
        places->room = places->room == 0 ? 16 : 2 * places->room;
        places->points = realloc(places->points, places->room * sizeof *places->points);
        if (places->points == NULL)
            workload_refuse("there is not enough memory for %llu places", (unsigned long long)places->room);
    }
    places->points[places->count++] = point;
}

void places_add_all(struct places *places, const struct places *others) {
    for (uint64_t i = 0; i < others->count; i++)
        places_add(places, others->points[i]);
}

double places_nearest(const struct places *places, struct point point) {
    double least = HUGE_VAL;
    for (uint64_t i = 0; i < places->count; i++) {
        double x = places->points[i].x - point.x, y = places->points[i].y - point.y;
        least = fmin(least, x * x + y * y);
    }
    return sqrt(least);
}
