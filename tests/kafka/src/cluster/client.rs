//! Kafka's own clients.

use std::fmt;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::{Value, json};

use super::java;
use super::wait::PATIENCE;
use crate::release::Release;

/// A JVM that makes the calls of `java/Client.java`, and ends with this value.
#[derive(Debug)]
pub struct Client {
    process: Child,
    calls: Option<ChildStdin>,
    answers: Receiver<String>,
}

/// An error that a client of Kafka raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The name of its class, without the package.
    pub error: String,
    /// Its message.
    pub message: String,
}

impl Client {
    /// Starts the JVM, which logs in `directory`.
    pub fn start(release: Release, directory: &Path) -> Self {
        let mut command = java::program(release, directory, "Client.java");
        command.stdout(Stdio::piped());
        let mut process = java::spawn(&mut command, &directory.join("client.log"));
        let output = process.stdout.take().expect("it is piped");
        let (send, answers) = channel();
        // It ends with the process.
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let calls = process.stdin.take();
        Self {
            process,
            calls,
            answers,
        }
    }

    /// Makes the call `call` with its members, as a client with `config`.
    ///
    /// # Errors
    /// What Kafka's client raised.
    #[track_caller]
    pub fn call(&mut self, config: &Value, call: &str, members: Value) -> Result<Value, Refusal> {
        let mut request = members;
        request["call"] = json!(call);
        request["config"] = config.clone();
        let input = self.calls.as_mut().expect("it is open till the end");
        writeln!(input, "{request}").expect("the client reads calls");
        let answer = self.answers.recv_timeout(PATIENCE);
        let answer = answer.unwrap_or_else(|error| panic!("no answer to {request}: {error}"));
        let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
        let text = |member: &str| answer[member].as_str().unwrap_or_default().to_owned();
        match answer.get("error") {
            None => Ok(answer["value"].clone()),
            Some(_) => Err(Refusal {
                error: text("error"),
                message: text("message"),
            }),
        }
    }

    /// Makes a call that has to succeed.
    #[track_caller]
    pub fn succeed(&mut self, config: &Value, call: &str, members: Value) -> Value {
        let members_shown = members.to_string();
        self.call(config, call, members)
            .unwrap_or_else(|refusal| panic!("{call} {members_shown}: {refusal}"))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It fails where the process has ended, which is as well.
        let _ended = self.process.kill();
        let _status = self.process.wait();
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.error, self.message)
    }
}
