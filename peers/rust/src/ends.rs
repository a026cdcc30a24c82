//! How main knows that every actor has ended: each holds an `End`, which ractor drops with it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, Thread};

pub struct Ends {
    expected: u64,
    counted: AtomicU64,
    main: Thread,
}

impl Ends {
    /// For so many actors, made by the thread that will wait for them. As what else they share, it stays until the
    /// process ends: a plain reference then does, which no one must count.
    pub fn of(actors: u64) -> &'static Self {
        Box::leak(Box::new(Self { expected: actors, counted: AtomicU64::new(0), main: thread::current() }))
    }

    /// For an actor to hold.
    pub fn end(&'static self) -> End {
        End(self)
    }

    pub fn counted(&self) -> u64 {
        self.counted.load(Ordering::Acquire)
    }

    /// Waits for the last; what the actors did before is seen after.
    pub fn wait(&self) {
        while self.counted() < self.expected {
            thread::park();
        }
    }
}

/// An actor's end, counted when it is dropped.
pub struct End(&'static Ends);

impl Drop for End {
    fn drop(&mut self) {
        if self.0.counted.fetch_add(1, Ordering::AcqRel) + 1 == self.0.expected {
            self.0.main.unpark();
        }
    }
}
