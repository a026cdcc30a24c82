//! static: one actor and one message, both made before; how long does a send take?
//!
//! self: the actor sends the message on to itself. main: the main thread sends it again and again.

use std::process::ExitCode;

use bench::{Clock, Counts, End, Ends, Outcome, Parameter, Run, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "static",
    summary: "one actor, one message, made once",
    unit: "send",
    parameters: &[
        Parameter::amount("sends", "100000000", "messages in all"),
        Parameter::choice("source", &["self", "main"], "who sends: the actor to itself, or the main thread"),
    ],
    run,
};

/// It carries nothing, so that ractor, which boxes every message, allocates nothing.
struct Parcel;

struct Receiver {
    expected: u64,
    sends_on: bool,
    counts: &'static Counts,
    _end: End,
}

impl Actor for Receiver {
    type Msg = Parcel;
    type State = u64; // received
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Parcel>, _: ()) -> Result<u64, ActorProcessingErr> {
        Ok(0)
    }

    async fn handle(
        &self,
        myself: ActorRef<Parcel>,
        parcel: Parcel,
        received: &mut u64,
    ) -> Result<(), ActorProcessingErr> {
        *received += 1;
        if *received == self.expected {
            myself.stop(None);
        } else if self.sends_on {
            myself.cast(parcel)?;
        }
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Parcel>, received: &mut u64) -> Result<(), ActorProcessingErr> {
        self.counts.tell(0, *received);
        Ok(())
    }
}

fn run(run: &Run) -> Outcome {
    let expected = run.options.scaled("sends");
    let sends_on = run.options.text("source") == "self";
    let (ends, counts) = (Ends::of(1), Counts::of(1));
    let actor = run.spawn(Receiver { expected, sends_on, counts, _end: ends.end() });

    let clock = Clock::start();
    for _ in 0..if sends_on { 1 } else { expected } {
        actor.cast(Parcel).expect("the actor lives until the last message");
    }
    ends.wait();
    let span = clock.stop();

    let problem = counts.problem(expected + run.falsify());
    Outcome { operations: expected, span, problem }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
