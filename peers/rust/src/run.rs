//! One run of a workload: its options, and the runtime on which its actors are made and run.

use std::thread::available_parallelism;

use ractor::{Actor, ActorRef};
use tokio::runtime::Runtime;

use crate::options::Options;
use crate::peer;

pub struct Run {
    pub options: Options,
    pub runtime: Runtime,
    pub workers: usize,
    pub cpus: usize, // that may be used
}

impl Run {
    pub fn new(options: Options) -> Self {
        let cpus = available_parallelism().map_or(1, usize::from);
        let workers = match options.number("workers") as usize {
            0 => cpus,
            some => some,
        };
        let runtime = peer::runtime(workers, options.number("global-queue-interval") as u32);
        Self { options, runtime, workers, cpus }
    }

    /// How much more is expected than there will be: 1 to see the check fail, or 0.
    pub fn falsify(&self) -> u64 {
        u64::from(self.options.falsify)
    }

    /// Makes an actor, before the timed span.
    pub fn spawn<A: Actor<Arguments = ()>>(&self, actor: A) -> ActorRef<A::Msg> {
        self.runtime.block_on(Actor::spawn(None, actor, ())).expect("the actor starts").0
    }
}
