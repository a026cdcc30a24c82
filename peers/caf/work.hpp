// Computation of a given length, for workloads whose messages have some.
#pragma once

#include <atomic>
#include <cstdint>

// Where the result goes when it is the one in 2^64 that is looked for, so that the chain must be computed.
inline std::atomic<std::uint64_t> never;

// A chain of multiplications, each of which needs the one before.
inline void compute(std::uint64_t steps) {
    std::uint64_t value = steps | 1;
    for (std::uint64_t i = 0; i < steps; i++)
        value = value * 6364136223846793005 + i;
    if (value == 0)
        never++;
}
