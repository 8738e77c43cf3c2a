//! What the rows have in common: ids, lines, and runs that are done or refused.

use krabka_format_core::ids::Uuid;
use krabka_format_tests::forms::{Form, Run};
use krabka_format_tests::suite::Context;

/// The cluster id of the golden Kafka directories.
pub(crate) const CLUSTER: &str = "4L6g3nShT-eMCtK--X86sw";

/// An id, 01 02 … 10, in the form that is written.
pub(crate) const ID: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

/// The same id, hyphenated.
pub(crate) const ID_HYPHENATED: &str = "01020304-0506-0708-090a-0b0c0d0e0f10";

/// The zero checkpoint, by its path below the metadata log directory.
pub(crate) const CHECKPOINT: &str =
    "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

pub(crate) const ALL_FORMATTED: &str = "All of the log directories are already formatted.";

/// The forms of a case with a long table about values: each of them, the .wasm in
/// the runtime that starts sooner.
pub(crate) const TABLE_FORMS: [Form; 3] = [Form::Native, Form::Sandboxed, Form::Node];

pub(crate) const TABLE_REASON: &str =
    "a long table: the .wasm is run in one foreign runtime, not in two";

const CANNOT_SYNC: &str = "Note: directories cannot be synced here. The files are synced, but \
    their names are only as durable as the file system makes them by itself.";

/// What standard error has at the end of a run that synced something, besides
/// what the run is about: wasmtime cannot sync a directory.
pub(crate) fn notes(form: Form) -> Vec<String> {
    match form {
        Form::Wasmtime => vec![CANNOT_SYNC.to_owned()],
        Form::Native | Form::Sandboxed | Form::Node => Vec::new(),
    }
}

/// Runs what is to succeed with these lines on standard output and nothing to
/// say on standard error.
#[track_caller]
pub(crate) fn done(context: &Context, arguments: &[&str], stdout: &[impl AsRef<str>]) -> Run {
    done_with(context, arguments, stdout, &[] as &[&str])
}

/// The same, with these lines on standard error.
#[track_caller]
pub(crate) fn done_with(
    context: &Context,
    arguments: &[&str],
    stdout: &[impl AsRef<str>],
    stderr: &[impl AsRef<str>],
) -> Run {
    let run = context.run(arguments);
    let mut lines: Vec<String> = stderr.iter().map(|line| line.as_ref().to_owned()).collect();
    lines.extend(notes(context.form()));
    run.assert_code(0)
        .assert_stdout_lines(stdout)
        .assert_stderr_lines(&lines);
    run
}

/// Runs what is to be refused with these lines on standard error, and nothing
/// on standard output or on disk (INV-4).
#[track_caller]
pub(crate) fn refused(
    context: &Context,
    arguments: &[&str],
    code: i32,
    stderr: &[impl AsRef<str>],
) {
    let before = context.tree();
    let run = context.run(arguments);
    run.assert_code(code)
        .assert_stdout("")
        .assert_stderr_lines(stderr);
    context.assert_unchanged(&before);
}

/// Runs what is a usage error, exit 2, with this message.
#[track_caller]
pub(crate) fn misused(context: &Context, arguments: &[&str], message: &str) {
    let error = format!("error: {message}");
    let lines = [&error, "", "For more information, try '--help'."];
    refused(context, arguments, 2, &lines);
}

/// The progress line of a directory at the default metadata.version.
pub(crate) fn formatting(kind: &str, path: &str) -> String {
    format!("Formatting {kind} {path} with metadata.version 4.3-IV0.")
}

/// The last line of a run that formatted `count` directories, the metadata log
/// directory among them, at the default features.
pub(crate) fn formatted(count: usize, cluster_id: &str) -> String {
    let noun = if count == 1 {
        "directory"
    } else {
        "directories"
    };
    format!("Formatted {count} log {noun} with cluster id {cluster_id} (6 seed records).")
}

/// Asserts that `text` is an id as Kafka's `Uuid.randomUuid` makes them: its
/// canonical text, version 4, variant 2, not reserved, not beginning with `-`.
#[track_caller]
pub(crate) fn assert_random(text: &str) {
    let id = Uuid::parse(text).unwrap_or_else(|error| panic!("{text:?} is no id: {error}"));
    assert_eq!(id.to_string(), text);
    let [.., version, _, variant, _, _, _, _, _, _, _] = id.as_bytes();
    assert_eq!(version >> 4, 4, "the version of {text}");
    assert_eq!(variant >> 6, 0b10, "the variant of {text}");
    assert!(!text.starts_with('-'), "{text}");
    assert!(!id.is_reserved(), "{text}");
}
