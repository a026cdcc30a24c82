// Random numbers of --seed that can be drawn again: a workload draws them as it runs, and once more to verify.
#pragma once

#include <cstdint>

// The number at `position` of a stream, both under 2^32: a function without a state (the finaliser of splitmix64).
inline std::uint64_t draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t position) {
    std::uint64_t number = (stream << 32 | position) * 0x9e3779b97f4a7c15 + seed;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    return number ^ (number >> 31);
}

// 0 .. bound - 1, from the upper or the lower half of a number that was drawn; the bound is under 2^32.
inline std::uint64_t upper_below(std::uint64_t number, std::uint64_t bound) {
    return (number >> 32) * bound >> 32;
}
inline std::uint64_t lower_below(std::uint64_t number, std::uint64_t bound) {
    return (number & 0xffffffff) * bound >> 32;
}
