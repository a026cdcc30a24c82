//! concdict: entities read and write a dictionary that one actor keeps, each a request at a time.
//!
//! Which entity is served when is up to the scheduler, so the keeper notes whom it serves. Afterwards the same requests go
//! in that order to a model, which must give the same answers and hold the same values.

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

use bench::draw::{draw, lower_below, upper_below};
use bench::{Clock, Counts, End, Ends, Outcome, Parameter, Run, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "concdict",
    summary: "entities read and write a dictionary that one actor keeps",
    unit: "request",
    parameters: &[
        Parameter::whole("entities", "100", 1, u32::MAX as u64, "actors that send requests"),
        Parameter::amount("messages", "50000", "requests of each; --scale multiplies it"),
        Parameter::whole("writes", "10", 0, 100, "percent of the requests that write"),
        Parameter::whole("keys", "524287", 1, u32::MAX as u64, "that can be asked for: 0, 1, 2, ..."),
    ],
    run,
};

/// How requests are drawn.
#[derive(Clone, Copy)]
struct Source {
    seed: u64,
    writes: u64,
    keys: u64,
}

struct Question {
    key: u64,
    value: Option<u64>, // to be written, if it writes
}

impl Source {
    fn question(&self, entity: u32, number: u64) -> Question {
        let drawn = draw(self.seed, entity.into(), number);
        let writes = lower_below(drawn, 100) < self.writes;
        Question { key: upper_below(drawn, self.keys), value: writes.then_some(drawn) }
    }

    fn contents(&self) -> HashMap<u64, u64> {
        (0..self.keys).map(|key| (key, key)).collect()
    }
}

fn sum(checksum: u64, answer: u64) -> u64 {
    checksum.wrapping_mul(0x9e3779b97f4a7c15).wrapping_add(answer).wrapping_add(1)
}

/// The answer: the key's value, the former one for a write.
fn serve(dictionary: &mut HashMap<u64, u64>, question: &Question) -> u64 {
    match question.value {
        None => dictionary[&question.key],
        Some(value) => dictionary.insert(question.key, value).unwrap_or_default(),
    }
}

struct Request {
    entity: u32,
    question: Question,
}

/// What an entity receives.
enum Event {
    Begin,
    Answer(u64),
}

type Entities = OnceLock<Vec<ActorRef<Event>>>;

/// What the keeper tells main at the end.
struct Kept {
    dictionary: HashMap<u64, u64>,
    served: Vec<u32>, // by request: which entity's
}

struct Keeper {
    source: Source,
    requests: usize,
    entities: &'static Entities,
    main: Sender<Kept>,
    _end: End,
}

impl Actor for Keeper {
    type Msg = Request;
    type State = Kept;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Request>, _: ()) -> Result<Kept, ActorProcessingErr> {
        Ok(Kept { dictionary: self.source.contents(), served: Vec::with_capacity(self.requests) })
    }

    async fn handle(
        &self,
        myself: ActorRef<Request>,
        request: Request,
        kept: &mut Kept,
    ) -> Result<(), ActorProcessingErr> {
        kept.served.push(request.entity);
        let answer = serve(&mut kept.dictionary, &request.question);
        let entities = self.entities.get().ok_or("the entities are not complete")?;
        entities[request.entity as usize].cast(Event::Answer(answer))?;
        if kept.served.len() == self.requests {
            myself.stop(None);
        }
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Request>, kept: &mut Kept) -> Result<(), ActorProcessingErr> {
        let all = Kept { dictionary: std::mem::take(&mut kept.dictionary), served: std::mem::take(&mut kept.served) };
        self.main.send(all)?;
        Ok(())
    }
}

struct Entity {
    number: u32,
    messages: u64,
    source: Source,
    keeper: ActorRef<Request>,
    checksums: &'static Counts,
    _end: End,
}

#[derive(Clone, Default)]
struct Asked {
    count: u64,
    checksum: u64, // of the answers, in order
}

impl Actor for Entity {
    type Msg = Event;
    type State = Asked;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Event>, _: ()) -> Result<Asked, ActorProcessingErr> {
        Ok(Asked::default())
    }

    async fn handle(&self, myself: ActorRef<Event>, event: Event, asked: &mut Asked) -> Result<(), ActorProcessingErr> {
        if let Event::Answer(answer) = event {
            asked.checksum = sum(asked.checksum, answer);
            if asked.count == self.messages {
                myself.stop(None);
                return Ok(());
            }
        }
        let question = self.source.question(self.number, asked.count);
        asked.count += 1;
        self.keeper.cast(Request { entity: self.number, question })?;
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Event>, asked: &mut Asked) -> Result<(), ActorProcessingErr> {
        self.checksums.tell(self.number as usize, asked.checksum);
        Ok(())
    }
}

fn run(run: &Run) -> Outcome {
    let options = &run.options;
    let (count, messages) = (options.number("entities"), options.scaled("messages"));
    if messages > u64::from(u32::MAX) {
        options.refuse(&format!("--messages and --scale make {messages} requests of each: they must be under 2^32"));
    }
    let source =
        Source { seed: options.number("seed"), writes: options.number("writes"), keys: options.number("keys") };
    let (ends, checksums) = (Ends::of(count + 1), Counts::of(count as usize));
    let entities: &'static Entities = Box::leak(Box::new(OnceLock::new()));
    let (main, ended) = channel();
    let requests = (count * messages) as usize;
    let keeper = run.spawn(Keeper { source, requests, entities, main, _end: ends.end() });
    let entity =
        |number| run.spawn(Entity { number, messages, source, keeper: keeper.clone(), checksums, _end: ends.end() });
    entities.set((0..count as u32).map(entity).collect()).expect("it is set once");

    let clock = Clock::start();
    for entity in entities.get().expect("it is set") {
        entity.cast(Event::Begin).expect("the entity lives until its last answer");
    }
    ends.wait();
    let span = clock.stop();

    let kept = ended.recv().expect("the keeper tells what it has");
    let problem = check(&kept, source, checksums, messages + run.falsify(), count);
    Outcome { operations: count * messages, span, problem }
}

fn check(kept: &Kept, source: Source, checksums: &Counts, messages: u64, entities: u64) -> Option<String> {
    let mut model = source.contents();
    let mut due = vec![Asked::default(); entities as usize];
    for entity in &kept.served {
        let asked = &mut due[*entity as usize];
        let answer = serve(&mut model, &source.question(*entity, asked.count));
        asked.count += 1;
        asked.checksum = sum(asked.checksum, answer);
    }
    if let Some((entity, asked)) = due.iter().enumerate().find(|(_, asked)| asked.count != messages) {
        return Some(format!("entity {entity} was served {} times in place of {messages}", asked.count));
    }
    if checksums.problem_by(|entity| due[entity].checksum).is_some() {
        return Some("an entity was given a wrong answer".to_owned());
    }
    (kept.dictionary != model).then(|| "the dictionary holds a wrong value".to_owned())
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
