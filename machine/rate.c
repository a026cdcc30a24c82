/* A ring of windows, each with the lines that it has served. */
#include "rate.h"

enum { WINDOW = 1000000 }; /* ps: short beside what it delays, long enough to hold several lines */

void rate_make(struct rate *rate, time_ps share) {
    rate->room = share < WINDOW ? (uint32_t)(WINDOW / share) : 1;
}

time_ps rate_take(struct rate *rate, time_ps now) {
    for (uint64_t number = now / WINDOW;; number++) {
        uint64_t place = number % RATE_WINDOWS;
        if (rate->windows[place].number > number)
            return now;
        if (rate->windows[place].number < number) {
            rate->windows[place].number = number;
            rate->windows[place].used = 0;
        }
        if (rate->windows[place].used < rate->room) {
            rate->windows[place].used++;
            time_ps begins = number * WINDOW;
            return begins > now ? begins : now;
        }
    }
}
