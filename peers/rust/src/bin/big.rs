//! big: each actor of a group pings others at random, one ping at a time; many to many.
//!
//! Timed until the sink has heard of each that all its pongs have come; till then the others go on answering.

use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

use bench::draw::{draw, upper_below};
use bench::{Clock, Counts, End, Ends, Outcome, Parameter, Run, Span, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "big",
    summary: "each actor of a group pings others at random, one ping at a time",
    unit: "message",
    parameters: &[
        Parameter::whole("actors", "500", 2, 1_000_000_000, "in the group"),
        Parameter::amount("pings", "50000", "from each of them; --scale multiplies it"),
    ],
    run,
};

/// What a member receives; a ping or pong says whose it is.
enum Event {
    Begin,
    Ping(u32),
    Pong(u32),
}

struct Done;

/// What all members have in common; set when all are made, which is before the first message.
struct Group {
    seed: u64,
    last: u64, // how many pings each sends
    members: OnceLock<Vec<ActorRef<Event>>>,
    clock: OnceLock<Clock>,
    pinged: &'static Counts,
    wrong: &'static Counts,
}

/// Whom an actor pings at a time: any but itself.
fn recipient(seed: u64, sender: u64, number: u64, actors: u64) -> u64 {
    let other = upper_below(draw(seed, sender, number), actors - 1);
    other + u64::from(other >= sender)
}

struct Member {
    number: u32,
    group: &'static Group,
    sink: ActorRef<Done>,
    _end: End,
}

#[derive(Default)]
struct Tally {
    asked: u32, // whose pong is due
    sent: u64,
    pinged: u64,
    wrong: u64, // pongs of another than was asked
}

impl Member {
    fn ask(&self, tally: &mut Tally) -> Result<(), ActorProcessingErr> {
        let members = self.group.members.get().ok_or("the group is not complete")?;
        tally.asked = recipient(self.group.seed, self.number.into(), tally.sent, members.len() as u64) as u32;
        tally.sent += 1;
        members[tally.asked as usize].cast(Event::Ping(self.number))?;
        Ok(())
    }
}

impl Actor for Member {
    type Msg = Event;
    type State = Tally;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Event>, _: ()) -> Result<Tally, ActorProcessingErr> {
        Ok(Tally::default())
    }

    async fn handle(&self, _: ActorRef<Event>, event: Event, tally: &mut Tally) -> Result<(), ActorProcessingErr> {
        match event {
            Event::Begin => self.ask(tally)?,
            Event::Ping(from) => {
                tally.pinged += 1;
                let members = self.group.members.get().ok_or("the group is not complete")?;
                members[from as usize].cast(Event::Pong(self.number))?;
            }
            Event::Pong(from) => {
                tally.wrong += u64::from(from != tally.asked);
                if tally.sent < self.group.last {
                    self.ask(tally)?;
                } else {
                    self.sink.cast(Done)?;
                }
            }
        }
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Event>, tally: &mut Tally) -> Result<(), ActorProcessingErr> {
        self.group.pinged.tell(self.number as usize, tally.pinged);
        self.group.wrong.tell(self.number as usize, tally.wrong + self.group.last - tally.sent);
        Ok(())
    }
}

struct Sink {
    group: &'static Group,
    main: Sender<Span>,
}

impl Actor for Sink {
    type Msg = Done;
    type State = usize; // heard of so many members
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Done>, _: ()) -> Result<usize, ActorProcessingErr> {
        Ok(0)
    }

    async fn handle(&self, myself: ActorRef<Done>, _: Done, heard: &mut usize) -> Result<(), ActorProcessingErr> {
        *heard += 1;
        let members = self.group.members.get().ok_or("the group is not complete")?;
        if *heard == members.len() {
            self.main.send(self.group.clock.get().ok_or("no clock runs")?.stop())?;
            for member in members {
                member.stop(None);
            }
            myself.stop(None);
        }
        Ok(())
    }
}

fn run(run: &Run) -> Outcome {
    let (count, last) = (run.options.number("actors"), run.options.scaled("pings"));
    if last > u64::from(u32::MAX) {
        run.options.refuse(&format!("--pings and --scale make {last} pings: they must be under 2^32"));
    }
    let seed = run.options.number("seed");
    let (ends, pinged, wrong) = (Ends::of(count), Counts::of(count as usize), Counts::of(count as usize));
    let group: &'static Group =
        Box::leak(Box::new(Group { seed, last, members: OnceLock::new(), clock: OnceLock::new(), pinged, wrong }));
    let (main, spans) = channel();
    let sink = run.spawn(Sink { group, main });
    let member = |number| run.spawn(Member { number, group, sink: sink.clone(), _end: ends.end() });
    group.members.set((0..count as u32).map(member).collect()).expect("it is set once");

    group.clock.set(Clock::start()).ok().expect("it is set once");
    for member in group.members.get().expect("it is set") {
        member.cast(Event::Begin).expect("the member lives until all pongs have come");
    }
    let span = spans.recv().expect("the sink hears of all");
    ends.wait();

    let mut due = vec![run.falsify(); count as usize];
    for sender in 0..count {
        for number in 0..last {
            due[recipient(seed, sender, number, count) as usize] += 1;
        }
    }
    let problem = pinged.problem_by(|actor| due[actor]);
    let problem = problem.or_else(|| wrong.problem(0).map(|_| "a pong was missing, or another's".to_owned()));
    Outcome { operations: 2 * count * last, span, problem }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
