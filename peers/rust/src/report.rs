//! The record: one line of JSON for the driver, or a few aligned lines for people; and the line about a wrong result.

use std::fs;

use crate::options::COMMON;
use crate::peer;
use crate::run::Run;
use crate::workload::{Outcome, Workload};

pub fn print(workload: &Workload, run: &Run, outcome: &Outcome) {
    match run.options.json {
        true => println!("{}", json(workload, run, outcome)),
        false => print_text(workload, run, outcome),
    }
    if let Some(problem) = &outcome.problem {
        eprintln!("{}: wrong result: {problem}", workload.name);
    }
}

fn json(workload: &Workload, run: &Run, outcome: &Outcome) -> String {
    let mut options = run.options.json_of(&[peer::OPTIONS]);
    options.push(("runtime", quoted(peer::RUNTIME)));
    let mut parameters = run.options.json_of(&[workload.parameters, COMMON]);
    parameters.retain(|(name, _)| *name != "workers");
    let notes: Vec<_> = notes(run).iter().map(|note| quoted(note)).collect();
    object(&[
        ("schema", "1".to_owned()),
        ("system", quoted(peer::NAME)),
        ("version", quoted(peer::VERSION)),
        ("design", quoted("native")),
        ("build", quoted("release")),
        ("options", object(&options)),
        ("workload", quoted(workload.name)),
        ("parameters", object(&parameters)),
        ("workers", run.workers.to_string()),
        ("elapsed_ns", outcome.span.elapsed_ns.to_string()),
        ("cpu_ns", outcome.span.cpu_ns.to_string()),
        ("operations", outcome.operations.to_string()),
        ("unit", quoted(workload.unit)),
        ("peak_rss_bytes", peak_rss_bytes().to_string()),
        ("verified", outcome.problem.is_none().to_string()),
        ("notes", format!("[{}]", notes.join(","))),
    ])
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
    format!("{{{}}}", fields.join(","))
}

/// A string in JSON; ours have no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn print_text(workload: &Workload, run: &Run, outcome: &Outcome) {
    let (unit, ns) = (workload.unit, outcome.span.elapsed_ns as f64);
    let plural = if run.workers == 1 { "" } else { "s" };
    println!("{}, {} {}, {} worker{plural}", workload.name, peer::NAME, peer::VERSION, run.workers);
    let line = |name, value| println!("  {name:<16} {value}");
    line("work", format!("{} {unit}s", outcome.operations));
    line("time", format!("{:.3} s ({:.2} ns a {unit})", ns / 1e9, ns / outcome.operations as f64));
    line("CPU time", format!("{:.3} s", outcome.span.cpu_ns as f64 / 1e9));
    line("peak memory", format!("{:.1} MiB", peak_rss_bytes() as f64 / (1024.0 * 1024.0)));
    line("result", if outcome.problem.is_none() { "verified" } else { "WRONG" }.to_owned());
    for note in notes(run) {
        line("note", note.to_owned());
    }
}

fn notes(run: &Run) -> Vec<&'static str> {
    let mut notes = vec!["workers are the threads of tokio's multi-thread scheduler"];
    if run.workers > run.cpus {
        notes.push("oversubscribed: more workers than CPUs at hand");
    }
    notes
}

/// The peak of the process' resident memory, or 0 if the kernel does not tell.
fn peak_rss_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}
