//! How many messages each actor received, told by it when it stops, for main to check.

use std::sync::atomic::{AtomicU64, Ordering};

pub struct Counts(Vec<AtomicU64>);

impl Counts {
    pub fn of(actors: usize) -> &'static Self {
        Box::leak(Box::new(Self((0..actors).map(|_| AtomicU64::new(0)).collect())))
    }

    pub fn tell(&self, actor: usize, received: u64) {
        self.0[actor].store(received, Ordering::Relaxed);
    }

    /// What is wrong with them, if anything.
    pub fn problem(&self, expected: u64) -> Option<String> {
        self.problem_by(|_| expected)
    }

    /// The same, where not all actors are to have received as many.
    pub fn problem_by(&self, expected: impl Fn(usize) -> u64) -> Option<String> {
        let counts = self.0.iter().map(|count| count.load(Ordering::Relaxed));
        let (actor, count) = counts.enumerate().find(|(actor, count)| *count != expected(*actor))?;
        Some(format!("actor {actor} received {count} messages in place of {}", expected(actor)))
    }
}
