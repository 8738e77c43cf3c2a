//! A process of Kafka.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;

use super::wait::{PATIENCE, ended, until};
use super::{Settings, java};
use crate::release::Release;

/// What Kafka logs when a node serves.
const SERVES: &str = "Kafka Server started";

/// What it logs when somebody else has its port.
const PORT_TAKEN: &str = "Address already in use";

/// How often a node is started whose port is taken.
const ATTEMPTS: u32 = 3;

/// How many lines of a failed node's log are shown that tell of trouble.
const TROUBLES: usize = 60;

/// How many of its last lines are shown.
const LAST: usize = 20;

/// A node that runs, as a process of its own that is ended with this value.
/// Where that happens in a panic, the last of what it logged is shown.
#[derive(Debug)]
pub struct Node {
    release: Release,
    properties: PathBuf,
    log: PathBuf,
    /// Where this process's part of the log begins.
    begin: usize,
    process: Child,
    name: String,
}

impl Node {
    /// Starts a node. It may not serve for long: a voter waits for the others.
    pub fn start(release: Release, settings: &Settings) -> Self {
        let properties = settings.write();
        let log = settings.file("log");
        let begin = fs::metadata(&log).map_or(0, |log| log.len());
        Self {
            process: spawn(release, &properties, &log),
            release,
            properties,
            log,
            begin: usize::try_from(begin).expect("a log is small"),
            name: format!("node {} of Kafka {release}", settings.id()),
        }
    }

    /// Waits until it serves. Where its port is taken it is started again.
    #[must_use = "it is ended with its value"]
    #[track_caller]
    pub fn served(mut self) -> Self {
        let mut attempts = 1;
        until(&format!("{} serves", self.name), || {
            if self.log().contains(SERVES) {
                return Some(());
            }
            let status = self.process.try_wait().expect("a child is waited for");
            let taken = status.is_some() && self.log().contains(PORT_TAKEN);
            if taken && attempts < ATTEMPTS {
                attempts += 1;
                self.begin = self.all_logs().len();
                self.process = spawn(self.release, &self.properties, &self.log);
                return None;
            }
            assert!(status.is_none(), "{} has ended: {status:?}", self.name);
            None
        });
        self
    }

    /// Ends it in order, as SIGTERM does.
    #[track_caller]
    pub fn stop(mut self) {
        let mut input = self.process.stdin.take().expect("it is piped");
        input.write_all(b"\n").expect("the node reads it");
        let status = ended(&mut self.process, PATIENCE);
        assert!(status.is_some(), "{} does not stop", self.name);
    }

    /// Ends it at once, as SIGKILL does.
    pub fn kill(mut self) {
        self.end();
    }

    /// Leaves it alone, as a test does that is killed, and waits for its end.
    #[track_caller]
    pub fn abandon(mut self) {
        drop(self.process.stdin.take());
        let status = ended(&mut self.process, PATIENCE);
        assert!(status.is_some(), "{} goes on", self.name);
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        self.all_logs()
            .get(self.begin..)
            .unwrap_or_default()
            .to_owned()
    }

    fn all_logs(&self) -> String {
        let bytes = fs::read(&self.log).expect("it was made when the node was started");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn end(&mut self) {
        // It fails where the process has ended, which is as well.
        let _ended = self.process.kill();
        let _status = self.process.wait();
    }
}

impl Drop for Node {
    #[allow(clippy::print_stderr, reason = "the test framework shows it")]
    fn drop(&mut self) {
        self.end();
        if thread::panicking() {
            eprintln!("{} logged, at the end:\n{}", self.name, tail(&self.log()));
        }
    }
}

fn spawn(release: Release, properties: &Path, log: &Path) -> Child {
    let directory = log.parent().expect("it lies in a directory");
    let mut command = java::main_class(release, directory, "kafka.Kafka");
    command.arg(properties).stdout(Stdio::null());
    java::spawn(&mut command, log)
}

/// Whatever is no mere information, such as a stack trace, and the last lines;
/// without the settings that Kafka lists.
fn tail(log: &str) -> String {
    let lines = log
        .lines()
        .filter(|line| !line.is_empty() && !line.contains(" = "));
    let lines: Vec<&str> = lines.collect();
    let (before, last) = lines.split_at(lines.len().saturating_sub(LAST));
    let troubles = before.iter().filter(|line| !line.contains(" INFO "));
    let shown: Vec<&str> = troubles
        .take(TROUBLES)
        .chain(&["…"])
        .chain(last)
        .copied()
        .collect();
    shown.join("\n")
}
