//! repeat: a client fans out to its servers, each answers, and again; all answers go to the client's mailbox.
//!
//! Timed until the last answer of the last round is there.

use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};

use bench::{Clock, Outcome, Parameter, Run, Span, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "repeat",
    summary: "a client fans out to its servers, each answers, again and again",
    unit: "message",
    parameters: &[
        Parameter::count("servers", "100000", "actors that answer the client"),
        Parameter::amount("rounds", "200", "requests to each server; --scale multiplies it"),
    ],
    run,
};

/// From the client to every server.
struct Request {
    round: u32, // from 1
}

/// What the client receives.
enum Event {
    Start { servers: Vec<ActorRef<Request>>, clock: Clock },
    Answer { server: u32, round: u32 },
}

/// What the client tells main at the end.
struct Summary {
    span: Span,
    answers: u64,
    wrong: u64, // answers of another round, or the second of one
}

struct Server {
    number: u32,
    client: ActorRef<Event>,
}

impl Actor for Server {
    type Msg = Request;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Request>, _: ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(&self, _: ActorRef<Request>, request: Request, _: &mut ()) -> Result<(), ActorProcessingErr> {
        self.client.cast(Event::Answer { server: self.number, round: request.round })?;
        Ok(())
    }
}

struct Client {
    last_round: u32,
    main: Sender<Summary>,
}

#[derive(Default)]
struct Rounds {
    servers: Vec<ActorRef<Request>>,
    clock: Option<Clock>,
    answered_round: Vec<u32>, // by server
    round: u32,
    missing: usize, // answers of this round
    answers: u64,   // in all
    wrong: u64,
}

impl Actor for Client {
    type Msg = Event;
    type State = Rounds;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Event>, _: ()) -> Result<Rounds, ActorProcessingErr> {
        Ok(Rounds::default())
    }

    async fn handle(
        &self,
        myself: ActorRef<Event>,
        event: Event,
        rounds: &mut Rounds,
    ) -> Result<(), ActorProcessingErr> {
        match event {
            Event::Start { servers, clock } => {
                rounds.answered_round = vec![0; servers.len()];
                rounds.servers = servers;
                rounds.clock = Some(clock);
            }
            Event::Answer { server, round } => rounds.take(server as usize, round),
        }
        if rounds.missing > 0 {
            return Ok(());
        }
        if rounds.round < self.last_round {
            return rounds.begin();
        }
        let span = rounds.clock.ok_or("no clock runs")?.stop();
        self.main.send(Summary { span, answers: rounds.answers, wrong: rounds.wrong })?;
        myself.stop(None);
        Ok(())
    }
}

impl Rounds {
    fn begin(&mut self) -> Result<(), ActorProcessingErr> {
        self.round += 1;
        self.missing = self.servers.len();
        for server in &self.servers {
            server.cast(Request { round: self.round })?;
        }
        Ok(())
    }

    fn take(&mut self, server: usize, round: u32) {
        self.answers += 1;
        if round != self.round || self.answered_round[server] == round {
            self.wrong += 1;
        }
        self.answered_round[server] = round;
        self.missing -= 1;
    }
}

fn run(run: &Run) -> Outcome {
    let count = run.options.number("servers");
    let last_round = run.options.scaled("rounds");
    let Ok(last) = u32::try_from(last_round) else {
        run.options.refuse(&format!("--rounds and --scale make {last_round} rounds: they must be under 2^32"));
    };
    let (main, summaries) = channel();
    let client = run.spawn(Client { last_round: last, main });
    let server = |number| run.spawn(Server { number, client: client.clone() });
    let servers = (0..count as u32).map(server).collect();

    let clock = Clock::start();
    client.cast(Event::Start { servers, clock }).expect("the client lives until the last round");
    let summary = summaries.recv().expect("the client tells what came of it");

    let expected = count * (last_round + run.falsify());
    let problem = if summary.wrong != 0 {
        Some(format!("{} answers were of another round, or came twice", summary.wrong))
    } else if summary.answers != expected {
        Some(format!("{} answers came in place of {expected}", summary.answers))
    } else {
        None
    };
    Outcome { operations: 2 * count * last_round, span: summary.span, problem }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
