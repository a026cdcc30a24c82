//! What is Ractor's own: its name and versions, its options, and the runtime that its actors run on.

use tokio::runtime::{Builder, Runtime};

use crate::parameter::Parameter;

pub const NAME: &str = "ractor";
pub const VERSION: &str = env!("VERSION_OF_RACTOR");
pub const RUNTIME: &str = concat!("rustc ", env!("VERSION_OF_RUSTC"), ", tokio ", env!("VERSION_OF_TOKIO"));

pub const OPTIONS: &[Parameter] = &[Parameter::choice(
    "spawn",
    &["awaited", "instant"],
    "how dynamic makes an actor: Actor::spawn and await, or spawn_instant",
)];

/// Tokio's work-stealing scheduler. Its drivers for timers and sockets stay off: no actor here uses them.
pub fn runtime(workers: usize) -> Runtime {
    Builder::new_multi_thread().worker_threads(workers).build().expect("the threads can be made")
}
