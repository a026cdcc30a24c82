//! Tells the programs which versions they are made of, for the record.

use std::{env, fs, process::Command};

fn main() {
    let manifest = fs::read_to_string("Cargo.toml").expect("the manifest can be read");
    for dependency in ["ractor", "tokio"] {
        let version = pinned(&manifest, dependency);
        println!("cargo::rustc-env=VERSION_OF_{}={version}", dependency.to_uppercase());
    }
    println!("cargo::rustc-env=VERSION_OF_RUSTC={}", compiler());
    println!("cargo::rerun-if-changed=Cargo.toml");
}

/// The version behind `dependency = { version = "=`.
fn pinned<'a>(manifest: &'a str, dependency: &str) -> &'a str {
    manifest
        .lines()
        .find(|line| line.starts_with(&format!("{dependency} =")))
        .and_then(|line| line.split("\"=").nth(1)?.split('"').next())
        .expect("the manifest pins the dependency")
}

/// The compiler's version: the second word of "rustc 1.85.0 (...)".
fn compiler() -> String {
    let rustc = env::var_os("RUSTC").expect("cargo names the compiler");
    let output = Command::new(rustc).arg("--version").output().expect("the compiler runs");
    let said = String::from_utf8(output.stdout).expect("the compiler speaks UTF-8");
    said.split_whitespace().nth(1).expect("the compiler tells its version").to_owned()
}
