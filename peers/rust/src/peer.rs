//! What is Ractor's own: its name and versions, its options, and the runtime that its actors run on.

use tokio::runtime::{Builder, Runtime};

use crate::parameter::Parameter;

pub const NAME: &str = "ractor";
pub const VERSION: &str = env!("VERSION_OF_RACTOR");
pub const RUNTIME: &str = concat!("rustc ", env!("VERSION_OF_RUSTC"), ", tokio ", env!("VERSION_OF_TOKIO"));

pub const OPTIONS: &[Parameter] = &[
    Parameter::choice(
        "spawn",
        &["awaited", "instant"],
        "how dynamic makes an actor: Actor::spawn and await, or spawn_instant",
    ),
    Parameter::whole(
        "global-queue-interval",
        "20000",
        0,
        u32::MAX as u64,
        "tasks that a worker takes of its own queue before it looks at the shared one; 0: tokio adapts it",
    ),
];

/// Tokio's work-stealing scheduler. Its drivers for timers and sockets stay off: no actor here uses them.
pub fn runtime(workers: usize, global_queue_interval: u32) -> Runtime {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(workers);
    if global_queue_interval > 0 {
        builder.global_queue_interval(global_queue_interval);
    }
    builder.build().expect("the threads can be made")
}
