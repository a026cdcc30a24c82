//! ping-pong: pairs of actors; in each a message goes to and fro, `rounds` times. All pairs at once.

use std::process::ExitCode;
use std::sync::OnceLock;

use bench::{Clock, Counts, End, Ends, Outcome, Parameter, Run, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "ping-pong",
    summary: "a message goes to and fro between two actors, in each of some pairs",
    unit: "message",
    parameters: &[
        Parameter::count("pairs", "1", "pairs of actors"),
        Parameter::amount("rounds", "10000000", "times that the message goes to and fro; --scale multiplies it"),
    ],
    run,
};

struct Ball;

/// Its two players, set when both are made, which is before the first message.
type Pair = OnceLock<[ActorRef<Ball>; 2]>;

struct Player {
    number: usize, // even: the one who serves, and keeps the last ball
    last: u64,     // how many balls it receives
    pair: &'static Pair,
    counts: &'static Counts,
    _end: End,
}

impl Actor for Player {
    type Msg = Ball;
    type State = u64; // received
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Ball>, _: ()) -> Result<u64, ActorProcessingErr> {
        Ok(0)
    }

    async fn handle(&self, myself: ActorRef<Ball>, ball: Ball, received: &mut u64) -> Result<(), ActorProcessingErr> {
        *received += 1;
        let last = *received == self.last;
        let serves = self.number % 2 == 0;
        if !last || !serves {
            let pair = self.pair.get().ok_or("the pair is not complete")?;
            pair[usize::from(serves)].cast(ball)?;
        }
        if last {
            myself.stop(None);
        }
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Ball>, received: &mut u64) -> Result<(), ActorProcessingErr> {
        self.counts.tell(self.number, *received);
        Ok(())
    }
}

fn run(run: &Run) -> Outcome {
    let count = run.options.number("pairs");
    let last = run.options.scaled("rounds");
    let (ends, counts) = (Ends::of(2 * count), Counts::of(2 * count as usize));
    let pairs: &'static [Pair] = (0..count).map(|_| Pair::new()).collect::<Vec<_>>().leak();
    for (at, pair) in pairs.iter().enumerate() {
        let player = |number| run.spawn(Player { number, last, pair, counts, _end: ends.end() });
        pair.set([player(2 * at), player(2 * at + 1)]).expect("it is set once");
    }

    let clock = Clock::start();
    for [_, receives] in pairs.iter().map(|pair| pair.get().expect("it is set")) {
        receives.cast(Ball).expect("the actor lives until its last message"); // as if the first had served
    }
    ends.wait();
    let span = clock.stop();

    let problem = counts.problem(last + run.falsify());
    Outcome { operations: 2 * count * last, span, problem }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
