//! An option that takes a value: a parameter of a workload, an option of the system, or one that every program has.

pub struct Parameter {
    pub name: &'static str, // without the dashes
    pub initial: &'static str,
    pub help: &'static str, // one line
    kind: Kind,
}

enum Kind {
    Whole { least: u64, most: u64 },
    Factor,
    Choice(&'static [&'static str]),
}

impl Parameter {
    pub const fn whole(name: &'static str, initial: &'static str, least: u64, most: u64, help: &'static str) -> Self {
        Self { name, initial, help, kind: Kind::Whole { least, most } }
    }

    /// How much of something: at least 1.
    pub const fn amount(name: &'static str, initial: &'static str, help: &'static str) -> Self {
        Self::whole(name, initial, 1, 1_000_000_000_000, help)
    }

    /// How many objects: at least 1, and no more than are worth trying to make.
    pub const fn count(name: &'static str, initial: &'static str, help: &'static str) -> Self {
        Self::whole(name, initial, 1, 1_000_000_000, help)
    }

    /// A number over 0, at first 1.
    pub const fn factor(name: &'static str, help: &'static str) -> Self {
        Self { name, initial: "1", help, kind: Kind::Factor }
    }

    /// One of some words, the first being the default.
    pub const fn choice(name: &'static str, words: &'static [&'static str], help: &'static str) -> Self {
        Self { name, initial: words[0], help, kind: Kind::Choice(words) }
    }

    /// The value that is given, in its plainest form; None if it is not allowed.
    pub fn read(&self, given: &str) -> Option<String> {
        match self.kind {
            Kind::Whole { least, most } => given
                .parse::<u64>()
                .ok()
                .filter(|number| (least..=most).contains(number))
                .map(|number| number.to_string()),
            Kind::Factor => given
                .parse::<f64>()
                .ok()
                .filter(|factor| factor.is_finite() && *factor > 0.0)
                .map(|factor| factor.to_string()),
            Kind::Choice(words) => words.contains(&given).then(|| given.to_owned()),
        }
    }

    /// What may be given, as help shows it: "N", "self|main".
    pub fn usage(&self) -> String {
        match self.kind {
            Kind::Whole { .. } => "N".to_owned(),
            Kind::Factor => "F".to_owned(),
            Kind::Choice(words) => words.join("|"),
        }
    }

    /// What may be given, for who gave something else.
    pub fn wanted(&self) -> String {
        match self.kind {
            Kind::Whole { least, most } => format!("a whole number from {least} to {most}"),
            Kind::Factor => "a number over 0, such as 0.02".to_owned(),
            Kind::Choice(words) => words.join("|"),
        }
    }

    /// A value that was read, in JSON.
    pub fn json(&self, value: &str) -> String {
        match self.kind {
            Kind::Choice(_) => format!("\"{value}\""),
            _ => value.to_owned(),
        }
    }
}
