//! Runs the embedded guest, which can do no more than a formatter must.
//!
//! The guest gets its arguments, two variables, a clock, entropy, standard
//! output, standard error, one handle per log directory, and, where a flag
//! names a file of credentials, that file's content as standard input.

mod arguments;
mod buffers;
mod config;
mod directory;
mod engine;
mod errno;
mod file;
mod filestat;
mod grant;
mod guest;
mod handles;
mod input_file;
mod limits;
mod locks;
mod refused;
mod scheduler;
mod seal;
mod stream;

use std::io::Cursor;
use std::sync::Arc;

use krabka_format_cli::{DumpInvocation, Inputs, Line, Prepared, RunOptions, Stream};
use wasi_common::pipe::{ReadPipe, WritePipe};
use wasi_common::sync::clocks::clocks_ctx;
use wasi_common::sync::snapshots::preview_1::add_wasi_snapshot_preview1_to_linker;
use wasi_common::sync::{random_ctx, stdio};
use wasi_common::{I32Exit, StringArrayError, Table, WasiCtx, WasiFile};
use wasmtime::{Engine, Linker, Module, Trap};

use engine::{Alarm, RunningTime, State};
use limits::{Allowances, Limit, Work};
use scheduler::NoSleep;
use stream::GuestStream;

/// Why the guest did not run to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// There is no guest in this build.
    #[error(
        "this build of krabka-format has no sandbox: it was built with KRABKA_FORMAT_SKIP_GUEST"
    )]
    NoGuest,
    /// Arguments are handed to the guest as UTF-8.
    #[error("an argument is not valid UTF-8")]
    NotUtf8,
    /// There are too many, or one holds a NUL.
    #[error("the arguments can't be handed to the sandbox: {0}")]
    Arguments(#[from] StringArrayError),
    /// The machine for the guest could not be made.
    #[error("the sandbox can't be set up: {0}")]
    Setup(wasmtime::Error),
    /// The guest ran into a bound.
    #[error("stopped in the sandbox: {0}")]
    Limit(#[from] Limit),
    /// The guest did what no program may.
    #[error("stopped in the sandbox: {0}")]
    Trapped(wasmtime::Error),
    /// No program of ours has such a code.
    #[error("stopped in the sandbox: it ended with the exit code {0}")]
    ExitCode(i32),
}

/// Says which guest is embedded, as a line.
pub fn which_guest() -> String {
    match guest::sha256() {
        Some(digest) => format!("sandbox guest: sha256 {digest}"),
        None => "sandbox guest: none in this build".to_owned(),
    }
}

/// Runs the guest over the log directories of a request, and returns its exit
/// code. It prints to the streams of this process.
///
/// # Errors
/// [`SandboxError`], where the guest did not run to its end.
pub fn run(inputs: &Inputs, prepared: &Prepared, options: &RunOptions) -> Result<u8, SandboxError> {
    run_printing(inputs, Given::to_format(prepared, options), Streams::own())
}

/// Runs the guest over the files and directories of a dump, and returns its exit
/// code. It prints to the streams of this process.
///
/// # Errors
/// As [`run`].
pub fn dump(inputs: &Inputs, invocation: &DumpInvocation) -> Result<u8, SandboxError> {
    run_printing(inputs, Given::to_dump(invocation), Streams::own())
}

/// As [`run`], and returns what the guest printed: the lines of its standard
/// output, then those of its standard error.
///
/// # Errors
/// As [`run`].
pub fn run_quietly(
    inputs: &Inputs,
    prepared: &Prepared,
    options: &RunOptions,
) -> Result<(u8, Vec<Line>), SandboxError> {
    run_keeping(inputs, Given::to_format(prepared, options))
}

/// As [`dump`], and returns what the guest printed, as [`run_quietly`] does.
///
/// # Errors
/// As [`run`].
pub fn dump_quietly(
    inputs: &Inputs,
    invocation: &DumpInvocation,
) -> Result<(u8, Vec<Line>), SandboxError> {
    run_keeping(inputs, Given::to_dump(invocation))
}

fn run_keeping(inputs: &Inputs, given: Given<'_>) -> Result<(u8, Vec<Line>), SandboxError> {
    let stdout = WritePipe::new_in_memory();
    let stderr = WritePipe::new_in_memory();
    let streams = Streams {
        stdout: Box::new(stdout.clone()),
        stderr: Box::new(stderr.clone()),
    };
    let code = run_printing(inputs, given, streams)?;
    let lines = lines(stdout, Stream::Stdout).chain(lines(stderr, Stream::Stderr));
    Ok((code, lines.collect()))
}

/// What was printed to a pipe that nobody writes to any more.
fn lines(pipe: WritePipe<Cursor<Vec<u8>>>, stream: Stream) -> impl Iterator<Item = Line> {
    let printed = pipe.try_into_inner().unwrap_or_default().into_inner();
    let lines: Vec<Line> = String::from_utf8_lossy(&printed)
        .lines()
        .map(|line| Line::new(stream, line))
        .collect();
    lines.into_iter()
}

/// Where the guest prints to.
struct Streams {
    stdout: Box<dyn WasiFile>,
    stderr: Box<dyn WasiFile>,
}

impl Streams {
    /// The streams of this process.
    fn own() -> Self {
        Self {
            stdout: Box::new(stdio::stdout()),
            stderr: Box::new(stdio::stderr()),
        }
    }
}

/// What the guest is given of the disk, and its standard input.
struct Given<'a> {
    opened: handles::Opened,
    stdin: Option<&'a [u8]>,
    credentials: usize,
}

impl<'a> Given<'a> {
    fn to_format(prepared: &'a Prepared, options: &RunOptions) -> Self {
        Self {
            opened: handles::open(prepared.request.log_directories(), options.dry_run),
            stdin: prepared.scram_file.as_ref().map(|bytes| bytes.as_slice()),
            credentials: prepared.request.seed().credentials.len(),
        }
    }

    fn to_dump(invocation: &DumpInvocation) -> Self {
        Self {
            opened: handles::open_to_read(&invocation.paths),
            stdin: None,
            credentials: 0,
        }
    }
}

fn run_printing(inputs: &Inputs, given: Given<'_>, streams: Streams) -> Result<u8, SandboxError> {
    let engine = engine::engine().map_err(SandboxError::Setup)?;
    let guest = guest::load(&engine).ok_or(SandboxError::NoGuest)?;
    let guest = guest.map_err(SandboxError::Setup)?;
    let time = RunningTime::to_do(Work {
        bytes_to_read: given.opened.bytes_to_read(),
        credentials: u64::try_from(given.credentials).unwrap_or(u64::MAX),
    });
    let wasi = wasi(inputs, given.opened, streams)?;
    if let Some(bytes) = given.stdin {
        // The guest is given the content, and no more authority.
        wasi.set_stdin(Box::new(ReadPipe::from(bytes)));
    }
    execute(&engine, wasi, &guest, time)
}

/// Collects what the guest is given.
fn wasi(
    inputs: &Inputs,
    opened: handles::Opened,
    streams: Streams,
) -> Result<WasiCtx, SandboxError> {
    let allowances = Allowances::new(opened.most_handles(), opened.bytes_to_read());
    let table = Table::new();
    let mut wasi = WasiCtx::new(random_ctx(), clocks_ctx(), Box::new(NoSleep), table);
    for argument in arguments::for_the_guest(&inputs.arguments)? {
        wasi.push_arg(argument)?;
    }
    for (name, value) in [
        ("SOURCE_DATE_EPOCH", &inputs.source_date_epoch),
        ("KRABKA_FORMAT_FAIL_AFTER", &inputs.fail_after),
    ] {
        if let Some(value) = value {
            // What is not UTF-8 is no number and no file's name either way.
            wasi.push_env(name, &value.to_string_lossy())?;
        }
    }
    give_handles(&wasi, opened, &allowances).map_err(|error| SandboxError::Setup(error.into()))?;
    let [stdout, stderr] = GuestStream::each([streams.stdout, streams.stderr], &allowances);
    wasi.set_stdout(Box::new(stdout));
    wasi.set_stderr(Box::new(stderr));
    Ok(wasi)
}

fn give_handles(
    wasi: &WasiCtx,
    opened: handles::Opened,
    allowances: &Arc<Allowances>,
) -> Result<(), wasi_common::Error> {
    for (name, handle) in opened.into_handles(allowances)? {
        wasi.push_preopened_dir(handle, name)?;
    }
    Ok(())
}

/// Runs the guest to its end.
fn execute(
    engine: &Engine,
    wasi: WasiCtx,
    guest: &Module,
    time: RunningTime,
) -> Result<u8, SandboxError> {
    let mut store = engine::store(engine, wasi, time.fuel).map_err(SandboxError::Setup)?;
    let mut linker = Linker::new(engine);
    add_wasi_snapshot_preview1_to_linker(&mut linker, |state: &mut State| &mut state.wasi)
        .map_err(SandboxError::Setup)?;
    buffers::bound(&mut linker).map_err(SandboxError::Setup)?;
    let _alarm = Alarm::set(engine, time.longest).map_err(SandboxError::Setup)?;
    let ended = linker
        .instantiate(&mut store, guest)
        .and_then(|instance| instance.get_typed_func::<(), ()>(&mut store, "_start"))
        .and_then(|start| start.call(&mut store, ()));
    match ended {
        Ok(()) => Ok(0),
        Err(error) => exit_code(error),
    }
}

/// Finds out why the guest ended early: its own exit code is no failure.
fn exit_code(error: wasmtime::Error) -> Result<u8, SandboxError> {
    if let Some(I32Exit(code)) = error.downcast_ref() {
        return u8::try_from(*code).map_err(|_| SandboxError::ExitCode(*code));
    }
    if let Some(limit) = error.downcast_ref::<Limit>() {
        return Err((*limit).into());
    }
    match error.downcast_ref() {
        Some(Trap::OutOfFuel | Trap::Interrupt) => Err(Limit::Time.into()),
        _ => Err(SandboxError::Trapped(error)),
    }
}

#[cfg(test)]
mod tests;
