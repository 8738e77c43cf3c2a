//! Kafka's classes, asked one question after the other: `java/Oracle.java` in a
//! process that lives as long as this one.

use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::release::{Release, repository};

/// The time after which an oracle is taken to hang. Its first answer waits for
/// Java to compile it.
const PATIENCE: Duration = Duration::from_mins(2);

/// What Kafka's classes threw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thrown {
    /// The class of the exception.
    pub class: String,
    /// Its message; empty where it has none.
    pub message: String,
    /// The messages of its causes, the nearest first.
    pub causes: Vec<String>,
}

/// What a tool of Kafka's did, as a shell would see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRun {
    /// The exit code.
    pub exit: i64,
    /// Standard output.
    pub stdout: String,
    /// Standard error, without the stack trace of `uncaught`; what Kafka logs
    /// is in it.
    pub stderr: String,
    /// What ended the tool because nobody caught it: Java prints its message
    /// behind `Exception in thread "main"`.
    pub uncaught: Option<Thrown>,
}

impl ToolRun {
    /// Why the tool failed, in its own words: the message of what it did not
    /// catch, or else the last line on standard error.
    pub fn message(&self) -> &str {
        let last = || self.stderr.lines().next_back().unwrap_or_default();
        let uncaught = self.uncaught.as_ref();
        uncaught.map_or_else(last, |thrown| thrown.message.as_str())
    }
}

/// Asks Kafka's classes of `release`. The questions, and what belongs to each,
/// are in `java/Oracle.java`.
///
/// # Errors
/// What the classes threw.
///
/// # Panics
/// Where there is no oracle, or it does not answer.
pub fn ask(release: Release, question: &Value) -> Result<Value, Thrown> {
    let mut reply = oracle(release)
        .lock()
        // A question and its answer are one step: no panic comes between them.
        .unwrap_or_else(PoisonError::into_inner)
        .reply(question);
    match reply.get("thrown") {
        Some(thrown) => Err(Thrown::read(thrown)),
        None => Ok(reply["answer"].take()),
    }
}

/// Runs the tool whose main method is in `class`, in the oracle's process.
///
/// # Panics
/// As [`ask`], and where the class has no main method.
pub fn run_tool(release: Release, class: &str, arguments: &[String]) -> ToolRun {
    let question = json!({"question": "run", "class": class, "arguments": arguments});
    let answer = ask(release, &question)
        .unwrap_or_else(|thrown| panic!("{class} of {release} can't be run: {thrown}"));
    let text = |name: &str| answer[name].as_str().expect("a text").to_owned();
    ToolRun {
        exit: answer["exit"].as_i64().expect("a number"),
        stdout: text("stdout"),
        stderr: text("stderr"),
        uncaught: answer.get("uncaught").map(Thrown::read),
    }
}

impl Thrown {
    fn read(thrown: &Value) -> Self {
        let message = |thrown: &Value| thrown["message"].as_str().unwrap_or_default().to_owned();
        let mut causes = Vec::new();
        let mut cause = thrown.get("cause");
        while let Some(thrown) = cause {
            causes.push(message(thrown));
            cause = thrown.get("cause");
        }
        Self {
            class: thrown["class"].as_str().expect("a class").to_owned(),
            message: message(thrown),
            causes,
        }
    }
}

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class, self.message)
    }
}

/// The oracle of a release: started by the first question, one for a process.
fn oracle(release: Release) -> &'static Mutex<Oracle> {
    type Started = LazyLock<Mutex<Oracle>>;
    static V4_3_1: Started = LazyLock::new(|| Mutex::new(Oracle::start(Release::V4_3_1)));
    static V4_4_0: Started = LazyLock::new(|| Mutex::new(Oracle::start(Release::V4_4_0)));
    match release {
        Release::V4_3_1 => &V4_3_1,
        Release::V4_4_0 => &V4_4_0,
    }
}

/// A JVM that answers. It ends when its standard input does, which is closed
/// when this process ends, be it by a panic.
#[derive(Debug)]
struct Oracle {
    release: Release,
    process: Child,
    questions: ChildStdin,
    answers: Receiver<String>,
}

impl Oracle {
    fn start(release: Release) -> Self {
        let mut process = release
            .java()
            // Dates are in UTC on both sides; what Kafka logs below an error is
            // not for tests.
            .args([
                "-Duser.timezone=UTC",
                "-Dfile.encoding=UTF-8",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                // A process of seconds: to start fast counts more than to run fast.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
            ])
            .arg(repository().join("tests/kafka/java/Oracle.java"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("java does not start: {error}"));
        let questions = process.stdin.take().expect("it is piped");
        let stdout = process.stdout.take().expect("it is piped");
        let (sender, answers) = channel();
        // Detached: it ends with the JVM.
        thread::spawn(move || {
            let lines = BufReader::new(stdout).lines();
            lines
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Self {
            release,
            process,
            questions,
            answers,
        }
    }

    fn reply(&mut self, question: &Value) -> Value {
        let sent = writeln!(self.questions, "{question}").and_then(|()| self.questions.flush());
        let answer = match sent {
            Ok(()) => self.answers.recv_timeout(PATIENCE),
            Err(error) => panic!("{} takes no question: {error}", self.description()),
        };
        let answer = answer.unwrap_or_else(|error| {
            panic!("{} does not answer {question}: {error}", self.description())
        });
        serde_json::from_str(&answer)
            .unwrap_or_else(|error| panic!("{} said {answer:?}: {error}", self.description()))
    }

    fn description(&mut self) -> String {
        let state = self.process.try_wait();
        format!("the oracle of {} ({state:?})", self.release)
    }
}
