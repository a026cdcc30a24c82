//! The three matrices of `matrix`, which all actors share; each writes its own row of Z.
//!
//! The elements are small integers, so that Z is exact, and the check is a proof but for one case in 2^31.

use std::sync::atomic::{AtomicI32, Ordering};

const PRIME: u64 = 0x7fff_ffff;

pub struct Matrices {
    size: usize,
    seed: u64,
    x: Vec<i32>,
    y: Vec<i32>,
    z: Vec<AtomicI32>, // a relaxed store costs what a plain one does
}

impl Matrices {
    /// X and Y filled with the seed's numbers; None if the memory does not suffice.
    pub fn of(size: usize, seed: u64) -> Option<&'static Self> {
        let elements = size * size;
        let (mut x, mut y, mut z) = (Vec::new(), Vec::new(), Vec::new());
        x.try_reserve_exact(elements).ok()?;
        y.try_reserve_exact(elements).ok()?;
        z.try_reserve_exact(elements).ok()?;
        let element = |position| (scramble(seed, position) % 19) as i32 - 9;
        x.extend((0..elements as u64).map(element));
        y.extend((elements as u64..2 * elements as u64).map(element));
        z.extend((0..elements).map(|_| AtomicI32::new(0)));
        Some(Box::leak(Box::new(Self { size, seed, x, y, z })))
    }

    pub fn multiply_row(&self, row: usize) {
        let start = row * self.size;
        let x_row = &self.x[start..start + self.size];
        let z_row = &self.z[start..start + self.size];
        for (column, z) in z_row.iter().enumerate() {
            let y_column = self.y[column..].iter().step_by(self.size);
            z.store(x_row.iter().zip(y_column).map(|(x, y)| x * y).sum(), Ordering::Relaxed);
        }
    }

    /// Freivalds' check: X (Y r) = Z r for a random vector r, modulo the prime 2^31 - 1.
    pub fn product_is_right(&self, falsify: u64) -> bool {
        let first = 2 * (self.size * self.size) as u64;
        let r: Vec<_> = (0..self.size as u64).map(|i| scramble(self.seed, first + i) % PRIME).collect();
        let z: Vec<_> = self.z.iter().map(|element| element.load(Ordering::Relaxed)).collect();
        let mut expected = times(&self.x, &times(&self.y, &r));
        expected[0] = (expected[0] + falsify) % PRIME;
        times(&z, &r) == expected
    }
}

fn times(matrix: &[i32], vector: &[u64]) -> Vec<u64> {
    let term = |(element, factor): (&i32, &u64)| i64::from(*element).rem_euclid(PRIME as i64) as u64 * factor;
    let product = |row: &[i32]| row.iter().zip(vector).map(term).fold(0, |sum, term| (sum + term) % PRIME);
    matrix.chunks_exact(vector.len()).map(product).collect()
}

/// A number that depends on the seed and the position (the finaliser of splitmix64).
fn scramble(seed: u64, position: u64) -> u64 {
    let mut value = position.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
