//! The timed span: wall time by the monotonic clock, and CPU time of the whole process.

use std::time::{Duration, Instant};

/// A clock that runs.
#[derive(Clone, Copy)]
pub struct Clock {
    started: Instant,
    cpu_started: Duration,
}

#[derive(Clone, Copy)]
pub struct Span {
    pub elapsed_ns: u64,
    pub cpu_ns: u64,
}

impl Clock {
    pub fn start() -> Self {
        let cpu_started = cpu_time();
        Self { started: Instant::now(), cpu_started }
    }

    pub fn stop(self) -> Span {
        let elapsed = self.started.elapsed();
        let cpu = cpu_time() - self.cpu_started;
        Span { elapsed_ns: (elapsed.as_nanos() as u64).max(1), cpu_ns: cpu.as_nanos() as u64 }
    }
}

fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // Safety: the clock is one that Linux has, and the time is ours to write.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "the process has a clock of its CPU time");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
