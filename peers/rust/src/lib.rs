//! What the programs share: the command line, the runtime, the timed span, the actors' ends, and the record.

mod counts;
pub mod draw;
mod ends;
mod matrices;
mod options;
mod parameter;
mod peer;
mod report;
mod run;
mod span;
mod workload;

pub use counts::Counts;
pub use ends::{End, Ends};
pub use matrices::Matrices;
pub use parameter::Parameter;
pub use run::Run;
pub use span::{Clock, Span};
pub use workload::{Outcome, Workload};
