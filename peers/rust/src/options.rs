//! The command line of a workload's program: read, checked, and explained by --help.

use std::process::exit;

use crate::parameter::Parameter;
use crate::peer;
use crate::workload::Workload;

const BAD_USAGE: i32 = 2;

/// What every program takes.
pub const COMMON: &[Parameter] = &[
    Parameter::factor("scale", "multiplies the amount of work"),
    Parameter::whole("seed", "1", 0, u64::MAX, "of its random numbers"),
    Parameter::whole("workers", "0", 0, 4096, "0: as many as CPUs may be used"),
];

pub struct Options {
    pub json: bool,
    pub falsify: bool, // hidden: expect one more than there will be, so that a test sees the check fail
    workload: &'static Workload,
    values: Vec<(&'static Parameter, String)>,
}

impl Options {
    /// Reads the command line; does not return from --help or bad usage.
    pub fn read(workload: &'static Workload, mut arguments: impl Iterator<Item = String>) -> Self {
        let known = [workload.parameters, peer::OPTIONS, COMMON];
        let values = known.into_iter().flatten().map(|one| (one, one.initial.to_owned())).collect();
        let mut options = Self { json: false, falsify: false, workload, values };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--json" => options.json = true,
                "--falsify" => options.falsify = true,
                "--help" => {
                    options.print_help();
                    exit(0);
                }
                _ => options.set(&argument, arguments.next()),
            }
        }
        options
    }

    fn set(&mut self, argument: &str, given: Option<String>) {
        let Some(name) = argument.strip_prefix("--") else {
            self.refuse(&format!("{argument:?} is no option: see --help"));
        };
        let Some(at) = self.values.iter().position(|(parameter, _)| parameter.name == name) else {
            let names: Vec<_> = self.values.iter().map(|(one, _)| format!("--{}", one.name)).collect();
            let names = names.join(", ");
            self.refuse(&format!("there is no option {argument:?}: the options are {names}, --json, --help"));
        };
        let Some(given) = given else {
            self.refuse(&format!("{argument} needs a value: see --help"));
        };
        let parameter = self.values[at].0;
        let Some(value) = parameter.read(&given) else {
            self.refuse(&format!("{argument} cannot be {given:?}: it is {}", parameter.wanted()));
        };
        self.values[at].1 = value;
    }

    /// Ends the program with one line on standard error.
    pub fn refuse(&self, why: &str) -> ! {
        eprintln!("{}: {why}", self.workload.name);
        exit(BAD_USAGE)
    }

    /// An option's value, as it was read.
    pub fn text(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(parameter, _)| parameter.name == name);
        &found.expect("the program has the option").1
    }

    pub fn number(&self, name: &str) -> u64 {
        self.text(name).parse().expect("it was read as a whole number")
    }

    pub fn scale(&self) -> f64 {
        self.text("scale").parse().expect("it was read as a number")
    }

    /// An amount of work times --scale, rounded, at least 1.
    pub fn scaled(&self, name: &str) -> u64 {
        let scaled = (self.number(name) as f64 * self.scale()).round();
        if scaled > 1e15 {
            self.refuse(&format!("--scale {} is too large: it makes --{name} {scaled:e}", self.scale()));
        }
        (scaled as u64).max(1)
    }

    /// Names and values, in JSON, of some of the options.
    pub fn json_of(&self, some: &[&[Parameter]]) -> Vec<(&'static str, String)> {
        let wanted = |name| some.iter().copied().flatten().any(|one| one.name == name);
        let chosen = self.values.iter().filter(|(parameter, _)| wanted(parameter.name));
        chosen.map(|(parameter, value)| (parameter.name, parameter.json(value))).collect()
    }

    fn print_help(&self) {
        println!("{}: {}", self.workload.name, self.workload.summary);
        println!("\nIts parameters");
        print(self.workload.parameters);
        println!("\nOptions of every program");
        print(COMMON);
        println!("  {:<38} print the record, one line of JSON", "--json");
        println!("  {:<38} print this", "--help");
        println!("\nOptions of {}", peer::NAME);
        print(peer::OPTIONS);
    }
}

fn print(parameters: &[Parameter]) {
    for one in parameters {
        let usage = format!("--{} {}", one.name, one.usage());
        println!("  {usage:<38} {} ({})", one.help, one.initial);
    }
}
