//! Runs the embedded guest, which can do no more than a formatter must.
//!
//! The guest gets its arguments, two variables, a clock, entropy, standard
//! output, standard error, one handle per log directory, and, where a flag
//! names a file of credentials, that file's content as standard input.

mod arguments;
mod config;
mod directory;
mod engine;
mod errno;
mod file;
mod filestat;
mod grant;
mod guest;
mod handles;
mod limits;
mod refused;
mod scheduler;
mod stream;

use std::io::Cursor;
use std::sync::Arc;

use krabka_format_cli::{Inputs, Line, Prepared, RunOptions, Stream};
use wasi_common::pipe::{ReadPipe, WritePipe};
use wasi_common::sync::clocks::clocks_ctx;
use wasi_common::sync::snapshots::preview_1::add_wasi_snapshot_preview1_to_linker;
use wasi_common::sync::{random_ctx, stdio};
use wasi_common::{I32Exit, StringArrayError, Table, WasiCtx, WasiFile};
use wasmtime::{Engine, Linker, Module, Trap};

use engine::{Alarm, RunningTime, State};
use limits::{Allowances, Limit};
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
    let streams = Streams {
        stdout: Box::new(stdio::stdout()),
        stderr: Box::new(stdio::stderr()),
    };
    run_printing(inputs, prepared, options, streams)
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
    let stdout = WritePipe::new_in_memory();
    let stderr = WritePipe::new_in_memory();
    let streams = Streams {
        stdout: Box::new(stdout.clone()),
        stderr: Box::new(stderr.clone()),
    };
    let code = run_printing(inputs, prepared, options, streams)?;
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

fn run_printing(
    inputs: &Inputs,
    prepared: &Prepared,
    options: &RunOptions,
    streams: Streams,
) -> Result<u8, SandboxError> {
    let engine = engine::engine().map_err(SandboxError::Setup)?;
    let guest = guest::load(&engine).ok_or(SandboxError::NoGuest)?;
    let guest = guest.map_err(SandboxError::Setup)?;
    let log_directories = handles::open(prepared.request.log_directories(), options.dry_run);
    let wasi = wasi(inputs, log_directories, streams)?;
    if let Some(bytes) = &prepared.scram_file {
        // The guest is given the content, and no more authority.
        wasi.set_stdin(Box::new(ReadPipe::from(bytes.as_slice())));
    }
    execute(&engine, wasi, &guest, RunningTime::default())
}

/// Collects what the guest is given.
fn wasi(
    inputs: &Inputs,
    log_directories: handles::Opened,
    streams: Streams,
) -> Result<WasiCtx, SandboxError> {
    let allowances = Allowances::new(log_directories.most_handles());
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
    give_handles(&wasi, log_directories, &allowances)
        .map_err(|error| SandboxError::Setup(error.into()))?;
    wasi.set_stdout(Box::new(GuestStream::new(streams.stdout, &allowances)));
    wasi.set_stderr(Box::new(GuestStream::new(streams.stderr, &allowances)));
    Ok(wasi)
}

fn give_handles(
    wasi: &WasiCtx,
    log_directories: handles::Opened,
    allowances: &Arc<Allowances>,
) -> Result<(), wasi_common::Error> {
    for (name, handle) in log_directories.into_handles(allowances)? {
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
