//! A system call that fails, with each error that it may have.

use std::os::unix::fs::symlink;

use krabka_format_tests::forms::{Form, Unavailable};
use krabka_format_tests::suite::{Context, Suite};
use krabka_format_tests::tree::Tree;

use crate::scene::{self, Scene};
use crate::strace;

/// Calls of both forms, what the message says was being done, and the errors.
const CALLS: [(&str, &str, &[&str]); 8] = [
    ("mkdirat", "create", OF_A_NEW_ENTRY),
    ("openat2", "create", OF_A_NEW_ENTRY),
    ("write", "write", OF_A_WRITE),
    ("writev", "write", OF_A_WRITE),
    ("fsync", "sync", OF_A_SYNC),
    ("unlinkat", "remove", OF_A_REMOVAL),
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
    "ENFILE",
    "ENOMEM",
    "EMLINK",
    "ENAMETOOLONG",
    "ESTALE",
    "ETIMEDOUT",
    "EINTR",
];
const OF_A_WRITE: &[&str] = &["ENOSPC", "EDQUOT", "EIO", "EFBIG", "ESTALE", "ENODEV"];
const OF_A_SYNC: &[&str] = &["EIO", "ENOSPC", "EDQUOT", "ESTALE", "ETIMEDOUT"];
const OF_A_REMOVAL: &[&str] = &[
    "EIO", "EACCES", "EROFS", "EPERM", "EBUSY", "ENOMEM", "ESTALE", "ENOTCONN", "EINTR",
];
const OF_A_RENAME: &[&str] = &[
    "ENOSPC", "EDQUOT", "EIO", "EACCES", "EROFS", "EBUSY", "EUCLEAN", "EBADMSG", "EINTR",
];

/// What the message says of an error number.
fn cause(errno: &str) -> &'static str {
    match errno {
        "ENOSPC" => "no space left on the device",
        "EDQUOT" => "the disk quota is exceeded",
        "EIO" => "input/output error",
        "EACCES" | "EPERM" => "permission denied",
        "EROFS" => "the file system is read-only",
        "EMFILE" | "ENFILE" => "too many open files",
        "ENOMEM" => "out of memory",
        "EMLINK" => "there are too many directories beside it",
        "ENAMETOOLONG" => "the file name is too long",
        "EFBIG" => "the file is too large",
        "EBUSY" => "the resource is busy",
        "EUCLEAN" | "EBADMSG" => "the file system is damaged",
        "ESTALE" => "stale file handle",
        "ETIMEDOUT" => "timed out",
        "ENOTCONN" => "the file system is not connected",
        "ENODEV" => "no such device",
        "EINTR" => "interrupted",
        other => panic!("no message for {other}"),
    }
}

pub(crate) fn add(suite: Suite, traced: &Result<(), Unavailable>) -> Suite {
    let reason = "a foreign runtime has calls of its own besides";
    let forms = [Form::Native, Form::Sandboxed];
    let name = "each_call_may_fail_and_the_same_command_then_finishes_the_job";
    let interrupted = "an_interrupted_open_says_nothing_about_the_disk";
    suite
        .case_where(traced, &forms, reason, name, each_call_may_fail)
        .case_where(traced, &forms, reason, interrupted, interrupted_opens)
        .case_where(
            traced,
            &forms,
            reason,
            "a_lock_that_was_interrupted_is_taken",
            interrupted_locks,
        )
        .case_where(
            traced,
            &forms,
            reason,
            "what_lies_inside_another_is_refused_whatever_fails",
            nested,
        )
}

/// Each lock is asked for once more, and all are taken.
fn interrupted_locks(context: &Context) {
    let whole = scene::undisturbed();
    for scene in Scene::ALL {
        scene.set(context);
        let invocation = scene::invocation(context);
        let calls = strace::calls(context, &invocation, "flock").len();
        assert!(calls >= 2, "{calls} locks");
        for number in 1..=calls {
            scene.set(context);
            let (run, traced) =
                strace::inject_and_trace(context, &invocation, "flock", "error=EINTR", number);
            let what = format!("flock {number} of {calls} is interrupted");
            assert_eq!(run.code, 0, "{what}\n{run}");
            let ended = |end: &str| traced.lines().filter(|line| line.ends_with(end)).count();
            assert_eq!(ended("(INJECTED)"), 1, "{what}: {traced}");
            assert_eq!(ended(" = 0"), calls, "{what}: {traced}");
            scene::check_left(context, &whole, &what);
        }
    }
}

/// A link leads into the other log directory, which is told by what is above.
/// Where that cannot be looked at, the run ends.
fn nested(context: &Context) {
    let inner = "outer/__cluster_metadata-0";
    context.create(inner);
    symlink(inner, context.dir().join("link")).expect("a link is made");
    let (outer, link) = (context.path("outer"), context.path("link"));
    let arguments = ["--node-id", "7", "--log-dir", &outer, "--log-dir", &link];
    let invocation = context.invocation(&arguments);
    let before = Tree::of(&context.dir().join("outer"));
    let mut failed = 0;
    for call in ["openat", "openat2", "statx"] {
        for errno in ["EMFILE", "ENOMEM", "EINTR"] {
            for number in 1.. {
                let what = format!("error={errno}");
                let (run, traced) =
                    strace::inject_and_trace(context, &invocation, call, &what, number);
                if !traced.contains("(INJECTED)") {
                    break;
                }
                assert_ne!(run.code, 0, "{call} {number}: {errno}\n{run}");
                failed += 1;
            }
        }
    }
    let differences = before.differences(&Tree::of(&context.dir().join("outer")));
    assert!(differences.is_empty(), "it changed:\n{differences}");
    assert!(failed >= 50, "only {failed} calls failed");
}

/// A call that was interrupted is no state of a directory: a retry may help.
/// What tells directories apart is looked at as far as it can be.
fn interrupted_opens(context: &Context) {
    let whole = scene::undisturbed();
    let scene = Scene::Interrupted;
    scene.set(context);
    let invocation = scene::invocation(context);
    let calls = strace::calls(context, &invocation, "openat2").len();
    let mut ended = 0;
    for number in 1..=calls {
        scene.set(context);
        let run = strace::inject(&invocation, "openat2", "error=EINTR", number);
        let what = format!("openat2 {number} of {calls} is interrupted");
        let last = run.stderr.lines().last().unwrap_or_default();
        assert!(
            run.code == 0 || run.code == 4 && last.ends_with(": interrupted"),
            "{what}\n{run}"
        );
        ended += usize::from(run.code == 4);
        scene::check_left(context, &whole, &what);
        scene::check_finished(context, &whole, &what);
    }
    assert!(ended >= 10, "only {ended} of {calls} calls end a run");
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
