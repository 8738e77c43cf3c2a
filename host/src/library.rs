//! What brokers and restore tools call: a format whose lines and exit code
//! come back, instead of being printed and taken for the end of the process.

use std::ffi::OsString;

use krabka_format_cli::{
    FormatInvocation, Inputs, Invocation, Line, Outcome, Platform, RunOptions, Stream, ThisProcess,
    execute, execute_request, execute_with_records, prepare_for_sandbox, print_usage,
};
use krabka_format_core::format::{ExitCode, Request};
use krabka_format_core::records::MetadataRecord;

use crate::native::NativeFilesystem;
use crate::sandbox::{self, SandboxError};
use crate::version;

/// Formats the log directories that the arguments name. The first argument is
/// the name of a program, as in [`std::env::args_os`]; the others are those of
/// the command line. `SOURCE_DATE_EPOCH` and `KRABKA_FORMAT_FAIL_AFTER` are read
/// from the environment of this process.
///
/// Nothing is printed, and the process does not end: what would have been
/// printed and the exit code are in the [`Outcome`].
///
/// ```
/// use krabka_format::{Stream, run_from_args};
///
/// let outcome = run_from_args(["krabka-format", "--node-id", "1"]);
/// assert_eq!(outcome.exit_code.number(), 2);
/// let usage = outcome.lines_of(Stream::Stderr).next().unwrap();
/// assert!(usage.contains("--log-dir"));
/// ```
pub fn run_from_args<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Outcome {
    run_from_args_with_records(arguments, Vec::new())
}

/// As [`run_from_args`], with records that the caller hands in, such as restored
/// topics and their partitions: each topic before its partitions. In both
/// encodings they go after the feature levels, which decide how they are read,
/// and before the credentials and the access control entries.
///
/// With `--sandbox` no records are taken: they would have to be handed to the
/// guest. That is a usage error.
///
/// Node ids in the records are 0 to 2147483647; a partition's directories need
/// metadata.version 3.7-IV2 or later. A record that cannot be written ends the
/// run with exit code 4, and nothing is changed.
///
/// ```
/// use krabka_format::core::ids::Uuid;
/// use krabka_format::core::records::Topic;
/// use krabka_format::core::records::krabka::read_records_file;
/// use krabka_format::{ExitCode, MetadataRecord, run_from_args_with_records};
///
/// let directory = tempfile::tempdir()?;
/// let topic = MetadataRecord::Topic(Topic {
///     name: "orders".to_owned(),
///     topic_id: Uuid::from_bytes([1; 16]),
///     partitions: 3,
///     replication_factor: 1,
/// });
/// let path = directory.path().to_str().ok_or("it is not UTF-8")?;
/// let arguments = ["restore-tool", "--node-id", "1", "--log-dir", path];
/// let outcome = run_from_args_with_records(arguments, vec![topic.clone()]);
/// assert_eq!(outcome.exit_code, ExitCode::Success, "{outcome:?}");
///
/// let written = std::fs::read(directory.path().join("bootstrap.records.bin"))?;
/// assert!(read_records_file(&written)?.contains(&topic));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_from_args_with_records<A: Into<OsString>>(
    arguments: impl IntoIterator<Item = A>,
    records: Vec<MetadataRecord>,
) -> Outcome {
    let inputs = Inputs {
        arguments: arguments.into_iter().map(Into::into).collect(),
        ..Inputs::of_this_process()
    };
    let mut platform = ThisProcess::new(NativeFilesystem);
    match Invocation::parse(&inputs) {
        Ok(Invocation::Format(invocation)) if invocation.sandbox && records.is_empty() => {
            run_sandboxed(&inputs, &invocation, &mut platform)
        }
        Ok(Invocation::Format(invocation)) if invocation.sandbox => Outcome::new(
            ExitCode::Usage,
            vec![Line::new(
                Stream::Stderr,
                "error: --sandbox takes no records from the caller",
            )],
        ),
        Ok(Invocation::Format(invocation)) => Outcome::of(&mut platform, |platform| {
            execute_with_records(&invocation, records, platform)
        }),
        Ok(Invocation::Dump(invocation)) if invocation.sandbox => {
            let outcome = Outcome::new(ExitCode::Success, Vec::new());
            ended(sandbox::dump_quietly(&inputs, &invocation), outcome)
        }
        Ok(invocation) => Outcome::of(&mut platform, |platform| execute(&invocation, platform)),
        Err(usage) => {
            let usage = version::with_details(usage, &inputs);
            Outcome::of(&mut platform, |platform| print_usage(&usage, platform))
        }
    }
}

/// Does what a request says on the file system of the operating system. A
/// request is made by [`Settings::check`](crate::Settings::check) and
/// [`Request::with_seed`].
///
/// ```
/// use krabka_format::core::ids::NodeId;
/// use krabka_format::{ExitCode, RunOptions, Settings, run_request};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().to_str().ok_or("it is not UTF-8")?;
/// let request = Settings::new([path], NodeId::new(1)?).check()?;
/// let mut options = RunOptions::default();
/// options.dry_run = true;
/// let outcome = run_request(&request, &options);
/// assert_eq!(outcome.exit_code, ExitCode::Success, "{outcome:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_request(request: &Request, options: &RunOptions) -> Outcome {
    run_request_on(request, options, &mut ThisProcess::new(NativeFilesystem))
}

/// As [`run_request`], on a platform of the caller's: another file system, a
/// clock or entropy that can be foreseen. Its two methods that print are never
/// called: the lines are in the [`Outcome`].
///
/// ```
/// use krabka_format::core::ids::NodeId;
/// use krabka_format::{ExitCode, NativeFilesystem, RunOptions, Settings};
/// use krabka_format::{ThisProcess, run_request_on};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().to_str().ok_or("it is not UTF-8")?;
/// let request = Settings::new([path], NodeId::new(1)?).check()?;
/// let mut platform = ThisProcess::new(NativeFilesystem);
/// let outcome = run_request_on(&request, &RunOptions::default(), &mut platform);
/// assert_eq!(outcome.exit_code, ExitCode::Success, "{outcome:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_request_on(
    request: &Request,
    options: &RunOptions,
    platform: &mut dyn Platform,
) -> Outcome {
    Outcome::of(platform, |platform| {
        execute_request(request, options, platform)
    })
}

fn run_sandboxed(
    inputs: &Inputs,
    invocation: &FormatInvocation,
    platform: &mut dyn Platform,
) -> Outcome {
    let mut prepared = None;
    let outcome = Outcome::of(platform, |platform| {
        match prepare_for_sandbox(invocation, platform) {
            Ok(ready) => {
                prepared = Some(ready);
                ExitCode::Success
            }
            Err(code) => code,
        }
    });
    let Some(prepared) = prepared else {
        return outcome;
    };
    ended(
        sandbox::run_quietly(inputs, &prepared, &invocation.options),
        outcome,
    )
}

/// Adds what a guest said, or why it did not run to its end.
fn ended(result: Result<(u8, Vec<Line>), SandboxError>, mut outcome: Outcome) -> Outcome {
    match result {
        Ok((code, lines)) => {
            outcome.exit_code = ExitCode::from_number(code).unwrap_or(ExitCode::Write);
            outcome.lines.extend(lines);
        }
        Err(error) => {
            outcome.exit_code = ExitCode::Write;
            outcome
                .lines
                .push(Line::new(Stream::Stderr, error.to_string()));
        }
    }
    outcome
}
