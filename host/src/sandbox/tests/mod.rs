//! Guests held down, and the embedded one let run. Those that mean harm are in
//! `hostile/`.
#![expect(
    clippy::disallowed_methods,
    reason = "a test makes the files that the guest then meets"
)]

mod at_random;
mod intruders;
mod puppet;
mod readers;
mod scene;
mod sealed;
mod spendthrifts;

use super::*;

/// Runs a guest with these arguments over handles on what was opened, and returns
/// how it ended and what it printed.
fn run_guest(
    guest: &Module,
    engine: &Engine,
    arguments: &[&str],
    opened: handles::Opened,
    time: RunningTime,
) -> (Result<u8, SandboxError>, String) {
    let inputs = Inputs {
        arguments: arguments.iter().map(Into::into).collect(),
        ..Inputs::default()
    };
    let pipe = WritePipe::new_in_memory();
    let streams = Streams {
        stdout: Box::new(pipe.clone()),
        stderr: Box::new(pipe.clone()),
    };
    let wasi = wasi(&inputs, opened, streams).expect("it is given");
    let ended = execute(engine, wasi, guest, time);
    let printed = pipe.try_into_inner().unwrap_or_default().into_inner();
    (ended, String::from_utf8_lossy(&printed).into_owned())
}

/// As [`run_guest`], for the embedded guest.
fn run_embedded(
    arguments: &[&str],
    opened: handles::Opened,
    time: RunningTime,
) -> (Result<u8, SandboxError>, String) {
    let engine = engine::engine().expect("the configuration is sound");
    let guest = guest::load(&engine).expect("this build has a guest");
    let guest = guest.expect("it was compiled for this engine");
    run_guest(&guest, &engine, arguments, opened, time)
}

/// As [`run_guest`], for one of the hostile guests, over handles on these log
/// directories.
fn run_hostile(
    arguments: &[&str],
    log_directories: &[String],
    time: RunningTime,
) -> (Result<u8, SandboxError>, String) {
    run_hostile_over(arguments, handles::open(log_directories, false), time)
}

/// As [`run_guest`], for one of the hostile guests.
fn run_hostile_over(
    arguments: &[&str],
    opened: handles::Opened,
    time: RunningTime,
) -> (Result<u8, SandboxError>, String) {
    let engine = engine::engine().expect("the configuration is sound");
    let name = arguments.first().expect("the name of a guest");
    let guest = guest::load_hostile(&engine, name).expect("it was compiled for this engine");
    run_guest(&guest, &engine, arguments, opened, time)
}

#[test]
fn a_guest_that_ends_has_its_exit_code() {
    for (name, code) in [("returns", 0), ("exit", 7)] {
        let (ended, printed) = run_hostile(&[name], &[], RunningTime::default());
        assert_eq!(ended.expect(name), code);
        assert_eq!(printed, "");
    }
}

#[test]
fn the_embedded_guest_runs_to_its_own_end() {
    let arguments = ["krabka-format", "--version"];
    let opened = handles::open(&[], false);
    let (ended, printed) = run_embedded(&arguments, opened, RunningTime::default());
    assert_eq!(ended.expect("it ends"), 0);
    assert_eq!(
        printed,
        concat!("krabka-format ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn a_guest_steers_no_terminal() {
    let (ended, printed) = run_hostile(&["steerer"], &[], RunningTime::default());
    assert_eq!(ended.expect("it ends"), 0);
    assert_eq!(printed, "a?[2Jb\u{fffd}?c?é\n");
}

/// One terminal may show both streams, or each a terminal of its own.
#[test]
fn a_guest_steers_no_terminal_with_both_streams() {
    let mut puppet = puppet::Puppet::over(&[]);
    for (stream, written) in [
        (1, b"\xc2".as_slice()),
        (2, b"\x9b2J"),
        (1, b"\xc2"),
        (2, b"a"),
        (1, b"\x9b2J"),
    ] {
        assert_eq!(puppet.write(stream, written), 0);
    }
    assert_eq!(puppet.ended(), b"\xc2?2J\xc2a?2J");
}
