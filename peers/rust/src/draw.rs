//! Random numbers of --seed that can be drawn again: a workload draws them as it runs, and once more to verify.

/// The number at a position of a stream, both under 2^32: a function without a state (the finaliser of splitmix64).
pub fn draw(seed: u64, stream: u64, position: u64) -> u64 {
    let number = (stream << 32 | position).wrapping_mul(0x9e3779b97f4a7c15).wrapping_add(seed);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d049bb133111eb);
    number ^ (number >> 31)
}

/// 0 .. bound - 1, from the upper half of a number that was drawn; the bound is under 2^32.
pub fn upper_below(number: u64, bound: u64) -> u64 {
    ((number >> 32) * bound) >> 32
}

/// The same from its lower half.
pub fn lower_below(number: u64, bound: u64) -> u64 {
    ((number & 0xffff_ffff) * bound) >> 32
}
