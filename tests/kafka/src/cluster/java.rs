//! Processes of Java that end with the test.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::release::{Release, repository};

/// Small, and quick to start: no node of a test lives long.
const OPTIONS: [&str; 7] = [
    "-Xmx256m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    "-Djava.net.preferIPv4Stack=true",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
];

/// A command that runs a program of `tests/kafka/java`, which has to end with
/// its standard input. It unpacks its native libraries, which it leaves behind,
/// in `directory`.
pub(super) fn program(release: Release, directory: &Path, source: &str) -> Command {
    let mut command = release.java();
    command
        .args(OPTIONS)
        .arg(format!("-Djava.io.tmpdir={}", directory.display()))
        .arg(sources().join(source))
        .stdin(Stdio::piped());
    command
}

/// A command that runs the main class `main` of Kafka until it ends, or until
/// its standard input does.
pub(super) fn main_class(release: Release, directory: &Path, main: &str) -> Command {
    let mut command = program(release, directory, "Launch.java");
    command.arg(main);
    command
}

/// Starts `command`, which adds what it logs to the file `log`.
pub(super) fn spawn(command: &mut Command, log: &Path) -> Child {
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .unwrap_or_else(|error| panic!("cannot write to {}: {error}", log.display()));
    command.stderr(file);
    command
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"))
}

fn sources() -> PathBuf {
    repository().join("tests/kafka/java")
}
