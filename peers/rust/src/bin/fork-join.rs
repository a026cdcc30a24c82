//! fork-join: one source sends to many actors in turn.

use std::process::ExitCode;

use bench::{Clock, Counts, End, Ends, Outcome, Parameter, Run, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "fork-join",
    summary: "one source sends to many actors in turn",
    unit: "message",
    parameters: &[
        Parameter::count("actors", "1000", "that receive"),
        Parameter::amount("messages", "10000", "to each of them; --scale multiplies it"),
    ],
    run,
};

struct Start;
struct Task;

struct Receiver {
    number: usize,
    last: u64, // how many messages it receives
    counts: &'static Counts,
    _end: End,
}

impl Actor for Receiver {
    type Msg = Task;
    type State = u64; // received
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Task>, _: ()) -> Result<u64, ActorProcessingErr> {
        Ok(0)
    }

    async fn handle(&self, myself: ActorRef<Task>, _: Task, received: &mut u64) -> Result<(), ActorProcessingErr> {
        *received += 1;
        if *received == self.last {
            myself.stop(None);
        }
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Task>, received: &mut u64) -> Result<(), ActorProcessingErr> {
        self.counts.tell(self.number, *received);
        Ok(())
    }
}

struct Source {
    receivers: Vec<ActorRef<Task>>,
    messages: u64, // to each
    _end: End,
}

impl Actor for Source {
    type Msg = Start;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Start>, _: ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(&self, myself: ActorRef<Start>, _: Start, _: &mut ()) -> Result<(), ActorProcessingErr> {
        for _ in 0..self.messages {
            for receiver in &self.receivers {
                receiver.cast(Task)?;
            }
        }
        myself.stop(None);
        Ok(())
    }
}

fn run(run: &Run) -> Outcome {
    let (count, messages) = (run.options.number("actors"), run.options.scaled("messages"));
    let (ends, counts) = (Ends::of(count + 1), Counts::of(count as usize));
    let receiver = |number| run.spawn(Receiver { number, last: messages, counts, _end: ends.end() });
    let receivers = (0..count as usize).map(receiver).collect();
    let source = run.spawn(Source { receivers, messages, _end: ends.end() });

    let clock = Clock::start();
    source.cast(Start).expect("the source lives until it has sent all");
    ends.wait();
    let span = clock.stop();

    Outcome { operations: count * messages, span, problem: counts.problem(messages + run.falsify()) }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
