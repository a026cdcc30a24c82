//! thread-ring: a token goes round a ring of actors; one message is in flight at a time.
//!
//! Timed until the last hop.

use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

use bench::{Clock, Counts, End, Ends, Outcome, Parameter, Run, Span, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "thread-ring",
    summary: "a token goes round a ring of actors",
    unit: "hop",
    parameters: &[
        Parameter::count("actors", "1000", "in the ring"),
        Parameter::amount("hops", "10000000", "of the token; --scale multiplies it"),
    ],
    run,
};

struct Token {
    hops_left: u64,
}

/// What all have in common; set when all are made, which is before the first message.
struct Ring {
    nodes: OnceLock<Vec<ActorRef<Token>>>,
    clock: OnceLock<Clock>,
    main: Sender<Span>, // who makes the last hop stops the clock
    counts: &'static Counts,
}

struct Node {
    number: usize,
    ring: &'static Ring,
    _end: End,
}

impl Actor for Node {
    type Msg = Token;
    type State = u64; // received
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Token>, _: ()) -> Result<u64, ActorProcessingErr> {
        Ok(0)
    }

    async fn handle(&self, _: ActorRef<Token>, token: Token, received: &mut u64) -> Result<(), ActorProcessingErr> {
        *received += 1;
        let nodes = self.ring.nodes.get().ok_or("the ring is not complete")?;
        if token.hops_left > 1 {
            nodes[(self.number + 1) % nodes.len()].cast(Token { hops_left: token.hops_left - 1 })?;
            return Ok(());
        }
        self.ring.main.send(self.ring.clock.get().ok_or("no clock runs")?.stop())?;
        for node in nodes {
            node.stop(None); // nothing else is in flight to it
        }
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Token>, received: &mut u64) -> Result<(), ActorProcessingErr> {
        self.ring.counts.tell(self.number, *received);
        Ok(())
    }
}

fn run(run: &Run) -> Outcome {
    let (count, hops) = (run.options.number("actors"), run.options.scaled("hops"));
    let (ends, counts) = (Ends::of(count), Counts::of(count as usize));
    let (main, spans) = channel();
    let ring: &'static Ring =
        Box::leak(Box::new(Ring { nodes: OnceLock::new(), clock: OnceLock::new(), main, counts }));
    let node = |number| run.spawn(Node { number, ring, _end: ends.end() });
    ring.nodes.set((0..count as usize).map(node).collect()).expect("it is set once");

    ring.clock.set(Clock::start()).ok().expect("it is set once");
    ring.nodes.get().expect("it is set")[0].cast(Token { hops_left: hops }).expect("the actor lives");
    let span = spans.recv().expect("one makes the last hop");
    ends.wait();

    let problem = counts.problem_by(|actor| hops / count + u64::from((actor as u64) < hops % count) + run.falsify());
    Outcome { operations: hops, span, problem }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
