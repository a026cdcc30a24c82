//! A workload: its name and parameters, its run, and the course of its program.

use std::env;
use std::process::ExitCode;

use crate::options::Options;
use crate::parameter::Parameter;
use crate::report;
use crate::run::Run;
use crate::span::Span;

pub struct Workload {
    pub name: &'static str,
    pub summary: &'static str, // one line for --help
    pub unit: &'static str,    // what is counted
    pub parameters: &'static [Parameter],
    /// Makes the actors, times their work, checks what came of it.
    pub run: fn(&Run) -> Outcome,
}

pub struct Outcome {
    pub operations: u64,
    pub span: Span,
    pub problem: Option<String>, // what is wrong with the result
}

impl Workload {
    /// The program: the options, the run, the record, the exit status.
    pub fn main(&'static self) -> ExitCode {
        let run = Run::new(Options::read(self, env::args().skip(1)));
        let outcome = (self.run)(&run);
        report::print(self, &run, &outcome);
        ExitCode::from(u8::from(outcome.problem.is_some()))
    }
}
