//! executor: floods the executor with messages among groups of actors.
//!
//! Each actor starts with one message; on every receipt it sends one on to the next member of its group, itself included,
//! in turn, until it has sent `rounds` to every member.

use std::process::ExitCode;
use std::sync::OnceLock;

use bench::{Clock, Counts, End, Ends, Outcome, Parameter, Run, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "executor",
    summary: "groups of actors whose members send to each other in turn",
    unit: "message",
    parameters: &[
        Parameter::count("actors", "40000", "actors that exchange messages"),
        Parameter::count("group", "100", "actors in a group; divides --actors"),
        Parameter::amount("rounds", "400", "messages from each actor to each of its group; --scale multiplies it"),
    ],
    run,
};

struct Token;

/// Its members, set when all are made, which is before the first message.
type Group = OnceLock<Vec<ActorRef<Token>>>;

struct Member {
    number: usize,
    last: u64, // how many messages it receives
    group: &'static Group,
    counts: &'static Counts,
    _end: End,
}

#[derive(Default)]
struct State {
    received: u64,
    next: usize, // whom of its group it sends to next
}

impl Actor for Member {
    type Msg = Token;
    type State = State;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Token>, _: ()) -> Result<State, ActorProcessingErr> {
        Ok(State::default())
    }

    async fn handle(&self, myself: ActorRef<Token>, token: Token, state: &mut State) -> Result<(), ActorProcessingErr> {
        state.received += 1;
        if state.received == self.last {
            myself.stop(None);
            return Ok(());
        }
        let group = self.group.get().ok_or("the group is not complete")?;
        group[state.next].cast(token)?;
        state.next += 1;
        if state.next == group.len() {
            state.next = 0;
        }
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Token>, state: &mut State) -> Result<(), ActorProcessingErr> {
        self.counts.tell(self.number, state.received);
        Ok(())
    }
}

fn run(run: &Run) -> Outcome {
    let (actors, size) = (run.options.number("actors"), run.options.number("group"));
    if actors % size != 0 {
        run.options.refuse(&format!("--actors {actors} --group {size}: the group must divide the actors"));
    }
    let last = run.options.scaled("rounds") * size + 1;
    let (ends, counts) = (Ends::of(actors), Counts::of(actors as usize));
    let groups: &'static [Group] = (0..actors / size).map(|_| Group::new()).collect::<Vec<_>>().leak();
    for (number, group) in groups.iter().enumerate() {
        let first = number * size as usize;
        let member = |number| run.spawn(Member { number, last, group, counts, _end: ends.end() });
        let members = (first..first + size as usize).map(member).collect();
        group.set(members).expect("it is set once");
    }

    let clock = Clock::start();
    for actor in groups.iter().flat_map(|group| group.get().expect("it is set")) {
        actor.cast(Token).expect("the actor lives until its last message");
    }
    ends.wait();
    let span = clock.stop();

    let problem = counts.problem(last + run.falsify());
    Outcome { operations: actors * last, span, problem }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
