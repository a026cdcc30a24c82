//! counting: a producer streams increments to a counter, then asks it for its count.
//!
//! Timed until the producer has the answer.

use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};

use bench::{Clock, Outcome, Parameter, Run, Span, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "counting",
    summary: "a producer streams increments to a counter, then asks it for its count",
    unit: "message",
    parameters: &[Parameter::amount("messages", "10000000", "increments; --scale multiplies it")],
    run,
};

/// What the counter receives.
enum Command {
    Increment,
    HowMany(ActorRef<Event>),
}

/// What the producer receives.
enum Event {
    Start(Clock),
    Count(u64),
}

struct Counter;

impl Actor for Counter {
    type Msg = Command;
    type State = u64;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Command>, _: ()) -> Result<u64, ActorProcessingErr> {
        Ok(0)
    }

    async fn handle(
        &self,
        myself: ActorRef<Command>,
        command: Command,
        count: &mut u64,
    ) -> Result<(), ActorProcessingErr> {
        match command {
            Command::Increment => *count += 1,
            Command::HowMany(from) => {
                from.cast(Event::Count(*count))?;
                myself.stop(None);
            }
        }
        Ok(())
    }
}

struct Producer {
    counter: ActorRef<Command>,
    increments: u64,
    main: Sender<(u64, Span)>,
}

impl Actor for Producer {
    type Msg = Event;
    type State = Option<Clock>;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Event>, _: ()) -> Result<Option<Clock>, ActorProcessingErr> {
        Ok(None)
    }

    async fn handle(
        &self,
        myself: ActorRef<Event>,
        event: Event,
        clock: &mut Option<Clock>,
    ) -> Result<(), ActorProcessingErr> {
        match event {
            Event::Start(started) => {
                *clock = Some(started);
                for _ in 0..self.increments {
                    self.counter.cast(Command::Increment)?;
                }
                self.counter.cast(Command::HowMany(myself))?;
            }
            Event::Count(count) => {
                self.main.send((count, clock.ok_or("no clock runs")?.stop()))?;
                myself.stop(None);
            }
        }
        Ok(())
    }
}

fn run(run: &Run) -> Outcome {
    let increments = run.options.scaled("messages");
    let (main, answers) = channel();
    let counter = run.spawn(Counter);
    let producer = run.spawn(Producer { counter, increments, main });

    producer.cast(Event::Start(Clock::start())).expect("the producer lives until it has the answer");
    let (count, span) = answers.recv().expect("the producer tells the answer");

    let expected = increments + run.falsify();
    let problem = (count != expected).then(|| format!("the counter answered {count} in place of {expected}"));
    Outcome { operations: increments, span, problem }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
