//! dynamic: a new actor and a new message for every send, both given up after it.
//!
//! self: each behaviour makes the next actor and message, so that one message is in flight. main: the main thread makes all.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use bench::{Clock, End, Ends, Outcome, Parameter, Run, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef, ActorRuntime};

static WORKLOAD: Workload = Workload {
    name: "dynamic",
    summary: "a new actor and a new message for every send",
    unit: "send",
    parameters: &[
        Parameter::amount("sends", "20000000", "messages, and actors, in all"),
        Parameter::choice("source", &["self", "main"], "who sends: each actor to the next, or the main thread"),
    ],
    run,
};

struct Parcel {
    number: u64, // of the send, from 1
}

/// What all actors share.
struct Plan {
    last: u64,     // up to which number each actor makes the next
    instant: bool, // spawn_instant
    received: AtomicU64,
    ends: &'static Ends,
}

struct Receiver {
    plan: &'static Plan,
    _end: End,
}

impl Actor for Receiver {
    type Msg = Parcel;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Parcel>, _: ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(&self, myself: ActorRef<Parcel>, parcel: Parcel, _: &mut ()) -> Result<(), ActorProcessingErr> {
        self.plan.received.fetch_add(1, Ordering::Relaxed);
        if parcel.number < self.plan.last {
            self.plan.send(parcel.number + 1).await?;
        }
        myself.stop(None);
        Ok(())
    }
}

impl Plan {
    /// Makes an actor and sends it its message.
    async fn send(&'static self, number: u64) -> Result<(), ActorProcessingErr> {
        let receiver = Receiver { plan: self, _end: self.ends.end() };
        let actor = if self.instant {
            ActorRuntime::spawn_instant(None, receiver, ())?.0
        } else {
            Actor::spawn(None, receiver, ()).await?.0
        };
        actor.cast(Parcel { number })?;
        Ok(())
    }
}

fn run(run: &Run) -> Outcome {
    let expected = run.options.scaled("sends");
    let (last, first) = match run.options.text("source") {
        "self" => (expected, 1),
        _ => (0, expected),
    };
    let ends = Ends::of(expected);
    let instant = run.options.text("spawn") == "instant";
    let plan: &'static Plan = Box::leak(Box::new(Plan { last, instant, received: AtomicU64::new(0), ends }));

    let clock = Clock::start();
    run.runtime.block_on(async {
        for number in 1..=first {
            plan.send(number).await.expect("the actor starts");
        }
    });
    ends.wait();
    let span = clock.stop();

    let wanted = expected + run.falsify();
    let received = plan.received.load(Ordering::Relaxed);
    let problem = if received != wanted {
        Some(format!("{received} messages were received in place of {wanted}"))
    } else if ends.counted() != wanted {
        Some(format!("{} actors ended in place of {wanted}", ends.counted()))
    } else {
        None
    };
    Outcome { operations: expected, span, problem }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
