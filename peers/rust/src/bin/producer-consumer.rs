//! producer-consumer: many producers stream to one consumer.
//!
//! A producer sends a batch in a behaviour, and then itself one message, to go on.

use std::process::ExitCode;

use bench::{Clock, Counts, End, Ends, Outcome, Parameter, Run, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "producer-consumer",
    summary: "many producers stream to one consumer",
    unit: "message",
    parameters: &[
        Parameter::count("producers", "32", "actors that send to the consumer"),
        Parameter::amount("messages", "1000000", "from each of them; --scale multiplies it"),
        Parameter::amount("batch", "100", "messages that a producer sends in one behaviour"),
    ],
    run,
};

struct Item {
    producer: usize,
}

struct Turn;

struct Consumer {
    producers: usize,
    all: u64, // items, of all producers
    counts: &'static Counts,
    _end: End,
}

struct Received {
    missing: u64,
    by_producer: Vec<u64>,
}

impl Actor for Consumer {
    type Msg = Item;
    type State = Received;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Item>, _: ()) -> Result<Received, ActorProcessingErr> {
        Ok(Received { missing: self.all, by_producer: vec![0; self.producers] })
    }

    async fn handle(&self, myself: ActorRef<Item>, item: Item, state: &mut Received) -> Result<(), ActorProcessingErr> {
        state.by_producer[item.producer] += 1;
        state.missing -= 1;
        if state.missing == 0 {
            myself.stop(None);
        }
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Item>, state: &mut Received) -> Result<(), ActorProcessingErr> {
        for (producer, count) in state.by_producer.iter().enumerate() {
            self.counts.tell(producer, *count);
        }
        Ok(())
    }
}

struct Producer {
    number: usize,
    messages: u64,
    batch: u64,
    consumer: ActorRef<Item>,
    _end: End,
}

impl Actor for Producer {
    type Msg = Turn;
    type State = u64; // to be sent
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Turn>, _: ()) -> Result<u64, ActorProcessingErr> {
        Ok(self.messages)
    }

    async fn handle(&self, myself: ActorRef<Turn>, turn: Turn, left: &mut u64) -> Result<(), ActorProcessingErr> {
        let portion = self.batch.min(*left);
        *left -= portion;
        for _ in 0..portion {
            self.consumer.cast(Item { producer: self.number })?;
        }
        if *left == 0 {
            myself.stop(None);
        } else {
            myself.cast(turn)?;
        }
        Ok(())
    }
}

fn run(run: &Run) -> Outcome {
    let (count, batch) = (run.options.number("producers"), run.options.number("batch"));
    let messages = run.options.scaled("messages");
    let (ends, counts) = (Ends::of(count + 1), Counts::of(count as usize));
    let consumer = run.spawn(Consumer { producers: count as usize, all: count * messages, counts, _end: ends.end() });
    let producers: Vec<_> = (0..count as usize)
        .map(|number| run.spawn(Producer { number, messages, batch, consumer: consumer.clone(), _end: ends.end() }))
        .collect();

    let clock = Clock::start();
    for producer in &producers {
        producer.cast(Turn).expect("the producer lives until it has sent all");
    }
    ends.wait();
    let span = clock.stop();

    Outcome { operations: count * messages, span, problem: counts.problem(messages + run.falsify()) }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
