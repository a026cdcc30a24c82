/* The finaliser of splitmix64. */
#include "draw.h"

#include "run.h"

uint64_t draw(uint64_t stream, uint64_t position) {
    uint64_t number = (stream << 32 | position) * UINT64_C(0x9e3779b97f4a7c15) + run_seed();
    number = (number ^ (number >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ (number >> 27)) * UINT64_C(0x94d049bb133111eb);
    return number ^ (number >> 31);
}

uint64_t upper_below(uint64_t number, uint64_t bound) {
    return (number >> 32) * bound >> 32;
}

uint64_t lower_below(uint64_t number, uint64_t bound) {
    return (uint32_t)number * bound >> 32;
}

uint64_t draw_recipient(uint64_t sender, uint64_t number, uint64_t actors) {
    uint64_t other = upper_below(draw(sender, number), actors - 1);
    return other + (other >= sender);
}
