//! Runs under `strace`.

use std::fs;
use std::process::{Command, Stdio};

use krabka_format_tests::forms::{Invocation, Run, Unavailable};
use krabka_format_tests::suite::Context;

/// Whether a process can be traced here.
///
/// # Errors
/// What is missing.
pub(crate) fn available() -> Result<(), Unavailable> {
    let traced = Command::new("strace")
        .args(["-f", "-o", "/dev/null", "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match traced {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Unavailable {
            missing: "no ptrace",
            remedy: "this user may not trace a process".to_owned(),
        }),
        Err(error) => Err(Unavailable {
            missing: "no strace",
            remedy: format!("{error}; install the package strace"),
        }),
    }
}

/// The calls of one kind that a run makes, as `strace` writes them.
pub(crate) fn calls(context: &Context, invocation: &Invocation, call: &str) -> Vec<String> {
    let log = context.path("trace");
    let filter = format!("trace={call}");
    let run = invocation
        .clone()
        .under(["strace", "-f", "-o", &log, "-e", &filter])
        .run();
    run.assert_code(0);
    let text = fs::read_to_string(&log).expect("strace wrote its log");
    let is_call = |line: &&str| line.contains(&format!("{call}("));
    text.lines().filter(is_call).map(str::to_owned).collect()
}

/// A run in which something happens at the call of one kind with this number,
/// counted from 1.
pub(crate) fn inject(invocation: &Invocation, call: &str, what: &str, number: usize) -> Run {
    inject_into(invocation, "/dev/null", call, what, number)
}

/// The same, and what `strace` wrote of the calls of this kind.
pub(crate) fn inject_and_trace(
    context: &Context,
    invocation: &Invocation,
    call: &str,
    what: &str,
    number: usize,
) -> (Run, String) {
    let log = context.path("trace");
    let run = inject_into(invocation, &log, call, what, number);
    let traced = fs::read_to_string(&log).expect("strace wrote its log");
    fs::remove_file(&log).expect("it is ours");
    (run, traced)
}

fn inject_into(invocation: &Invocation, log: &str, call: &str, what: &str, number: usize) -> Run {
    let trace = format!("trace={call}");
    let inject = format!("inject={call}:{what}:when={number}");
    invocation
        .clone()
        .under([
            "strace", "-f", "-qq", "-o", log, "-e", &trace, "-e", &inject,
        ])
        .run()
}
