//! matrix: Z = X Y, an actor a row of X: work for the workers, few messages.
//!
//! The inner loop is the plain one: a row of X times a column of Y.

use std::process::ExitCode;

use bench::{Clock, End, Ends, Matrices, Outcome, Parameter, Run, Workload};
use ractor::{Actor, ActorProcessingErr, ActorRef};

static WORKLOAD: Workload = Workload {
    name: "matrix",
    summary: "Z = X Y, an actor a row",
    unit: "row",
    parameters: &[Parameter::count("rows", "3072", "of each matrix, and as many columns; --scale multiplies its cube")],
    run,
};

struct RowWork {
    row: usize,
}

struct Multiplier {
    matrices: &'static Matrices,
    _end: End,
}

impl Actor for Multiplier {
    type Msg = RowWork;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<RowWork>, _: ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(&self, myself: ActorRef<RowWork>, work: RowWork, _: &mut ()) -> Result<(), ActorProcessingErr> {
        self.matrices.multiply_row(work.row);
        myself.stop(None);
        Ok(())
    }
}

/// The largest size whose products cannot overflow: elements are -9 to 9.
const MOST_ROWS: f64 = (i32::MAX / 81) as f64;

fn run(run: &Run) -> Outcome {
    let rows = (run.options.number("rows") as f64 * run.options.scale().cbrt()).round().max(1.0);
    if rows > MOST_ROWS {
        run.options
            .refuse(&format!("--rows: {rows} are too many: at most {MOST_ROWS} can be multiplied without overflow"));
    }
    let size = rows as usize;
    let Some(matrices) = Matrices::of(size, run.options.number("seed")) else {
        run.options.refuse(&format!("--rows: there is not enough memory for matrices of {size} rows"));
    };
    let ends = Ends::of(size as u64);
    let actors: Vec<_> = (0..size).map(|_| run.spawn(Multiplier { matrices, _end: ends.end() })).collect();

    let clock = Clock::start();
    for (row, actor) in actors.iter().enumerate() {
        actor.cast(RowWork { row }).expect("the actor lives until its message");
    }
    ends.wait();
    let span = clock.stop();

    let right = matrices.product_is_right(run.falsify());
    let problem = (!right).then(|| "Z is not the product of X and Y".to_owned());
    Outcome { operations: size as u64, span, problem }
}

fn main() -> ExitCode {
    WORKLOAD.main()
}
