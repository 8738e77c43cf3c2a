//! A system call that fails, with each error that it may have.

use krabka_format_tests::forms::{Form, Unavailable};
use krabka_format_tests::suite::{Context, Suite};

use crate::scene::{self, Scene};
use crate::strace;

/// Calls of both forms, what the message says was being done, and the errors.
const CALLS: [(&str, &str, &[&str]); 8] = [
    ("mkdirat", "create", OF_A_NEW_ENTRY),
    ("openat2", "create", OF_A_NEW_ENTRY),
    ("write", "write", OF_A_WRITE),
    ("writev", "write", OF_A_WRITE),
    ("fsync", "sync", &["EIO", "ENOSPC", "EDQUOT"]),
    ("unlinkat", "remove", &["EIO", "EACCES", "EROFS", "EPERM"]),
    ("renameat", "rename", OF_A_RENAME),
    ("renameat2", "rename", OF_A_RENAME),
];

const OF_A_NEW_ENTRY: &[&str] = &[
    "ENOSPC",
    "EDQUOT",
    "EIO",
    "EACCES",
    "EROFS",
    "EMFILE",
    "EMLINK",
    "ENAMETOOLONG",
];
const OF_A_WRITE: &[&str] = &["ENOSPC", "EDQUOT", "EIO", "EFBIG"];
const OF_A_RENAME: &[&str] = &["ENOSPC", "EDQUOT", "EIO", "EACCES", "EROFS"];

/// What the message says of an error number.
fn cause(errno: &str) -> &'static str {
    match errno {
        "ENOSPC" => "no space left on the device",
        "EDQUOT" => "the disk quota is exceeded",
        "EIO" => "input/output error",
        "EACCES" | "EPERM" => "permission denied",
        "EROFS" => "the file system is read-only",
        "EMFILE" => "too many open files",
        "EMLINK" => "too many levels of symbolic links",
        "ENAMETOOLONG" => "the file name is too long",
        "EFBIG" => "the file is too large",
        other => panic!("no message for {other}"),
    }
}

pub(crate) fn add(suite: Suite, traced: &Result<(), Unavailable>) -> Suite {
    let reason = "a foreign runtime has calls of its own besides";
    let forms = [Form::Native, Form::Sandboxed];
    let name = "each_call_may_fail_and_the_same_command_then_finishes_the_job";
    suite.case_where(traced, &forms, reason, name, each_call_may_fail)
}

fn each_call_may_fail(context: &Context) {
    let whole = scene::undisturbed();
    let scene = Scene::Interrupted;
    let mut failed = 0;
    for (call, operation, errors) in CALLS {
        scene.set(context);
        let invocation = scene::invocation(context);
        let calls = strace::calls(context, &invocation, call);
        let ours: Vec<usize> = (1..)
            .zip(&calls)
            .filter(|(_, line)| is_ours(call, line))
            .map(|(number, _)| number)
            .collect();
        // Each error once, at one call after the other.
        for (errno, number) in errors.iter().zip(ours.iter().cycle()) {
            scene.set(context);
            let run = strace::inject(&invocation, call, &format!("error={errno}"), *number);
            let what = format!("{call} {number} fails with {errno}");
            let last = run.stderr.lines().last().unwrap_or_default();
            assert_eq!(run.code, 4, "{what}\n{run}");
            assert!(
                last.starts_with(&format!("cannot {operation} {}", context.path("above")))
                    && last.ends_with(cause(errno)),
                "{what}\n{run}"
            );
            scene::check_left(context, &whole, &what);
            scene::check_finished(context, &whole, &what);
            failed += 1;
        }
    }
    assert!(failed >= 20, "only {failed} calls failed");
}

/// Whether a call is one that changes a log directory.
fn is_ours(call: &str, line: &str) -> bool {
    let is_stream = ["(1,", "(2,"].iter().any(|stream| line.contains(stream));
    match call {
        "openat2" => line.contains("O_CREAT"),
        "write" | "writev" => !is_stream,
        _ => true,
    }
}
