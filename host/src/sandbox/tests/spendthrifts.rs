//! Guests that use up what they can: each is stopped with one line, and a log
//! directory of a running node is as it was.

use std::time::Duration;

use super::scene::Scene;
use super::*;

/// Runs a guest over the log directory of a running node, and returns the line
/// that it is stopped with, and how much it printed.
#[track_caller]
fn stopped(arguments: &[&str], time: RunningTime) -> (String, usize) {
    let scene = Scene::new();
    let before = scene.seen();
    let (ended, printed) = run_hostile(arguments, &[scene.path("node")], time);
    let line = ended.expect_err("it is stopped").to_string();
    assert!(!line.contains('\n'), "{line}");
    assert_eq!(scene.seen(), before, "{arguments:?}");
    (line, printed.len())
}

#[track_caller]
fn assert_stopped(name: &str, cause: &str) {
    let (line, _) = stopped(&[name], RunningTime::default());
    assert_eq!(line, format!("stopped in the sandbox: {cause}"), "{name}");
}

#[test]
fn memory_is_bounded() {
    assert_stopped("greedy", "it needs more than 256 MiB of memory");
    assert_stopped("collector", "it needs a table of more than 10000 entries");
    assert_stopped("recursive", "wasm trap: call stack exhausted");
}

#[test]
fn handles_are_bounded() {
    assert_stopped("hoarder", "it opens too many files");
}

/// Each hands over as much as its memory holds, of which the host would make a
/// list several times as large.
#[test]
fn buffers_of_one_call_are_bounded() {
    for call in ["w", "r", "p", "P", "o", "s", "S"] {
        let (line, printed) = stopped(&["scatterer", call], RunningTime::default());
        assert_eq!(
            line, "stopped in the sandbox: it hands over more than 1024 buffers at once",
            "{call}"
        );
        assert_eq!(printed, 0, "{call}");
    }
}

#[test]
fn a_path_is_bounded() {
    let name_too_long = 37;
    let scene = Scene::new();
    for call in ["n", "i"] {
        let arguments = ["scatterer", call];
        let node = [scene.path("node")];
        let (ended, _) = run_hostile(&arguments, &node, RunningTime::default());
        assert_eq!(ended.expect("it ends by itself"), name_too_long, "{call}");
    }
}

/// The host makes a copy of what it prints.
#[test]
fn what_is_printed_at_once_is_bounded() {
    let time = RunningTime::default();
    let (ended, printed) = run_hostile(&["scatterer", "W"], &[], time);
    assert_eq!(ended.expect("it is told how much was printed"), 0);
    assert_eq!(printed.len(), 64 << 10);
}

#[test]
fn instructions_are_bounded() {
    let time = RunningTime {
        fuel: 1_000_000,
        ..RunningTime::default()
    };
    for name in ["endless", "dawdler"] {
        let (line, _) = stopped(&[name], time);
        assert_eq!(
            line, "stopped in the sandbox: it ran for too long",
            "{name}"
        );
    }
}

/// The most that one credential can take, and the run around it.
#[test]
fn instructions_for_a_credential_are_enough() {
    let time = RunningTime {
        fuel: limits::FUEL_PER_CREDENTIAL,
        ..RunningTime::default()
    };
    let scene = Scene::new();
    let absent = scene.path("absent/d");
    let credential = "SCRAM-SHA-512=[name=alice,password=secret,iterations=16384]";
    let arguments = [
        "krabka-format",
        "--dry-run",
        "--node-id",
        "1",
        "--log-dir",
        &absent,
        "--add-scram",
        credential,
    ];
    let opened = handles::open(std::slice::from_ref(&absent), true);
    let (ended, printed) = run_embedded(&arguments, opened, time);
    assert_eq!(ended.expect(&printed), 0, "{printed}");
}

/// What a run takes grows with the number of its log directories, and not with
/// its square: to compare each with each takes more than this.
#[test]
fn instructions_for_thousands_of_log_directories_are_few() {
    let time = RunningTime {
        fuel: 1_000_000_000,
        ..RunningTime::default()
    };
    let scene = Scene::new();
    let absent: Vec<String> = (0..2000)
        .map(|number| scene.path(&format!("absent/d{number}")))
        .collect();
    let mut arguments = vec!["krabka-format", "--dry-run", "--node-id", "1"];
    for path in &absent {
        arguments.extend(["--log-dir", path]);
    }
    let (ended, printed) = run_embedded(&arguments, handles::open(&absent, true), time);
    assert_eq!(ended.expect("it ends"), 0, "{printed}");
}

/// Without this, a guest that has the host work for it runs for as long as its
/// instructions last.
#[test]
fn time_is_bounded() {
    let time = RunningTime {
        longest: Duration::ZERO,
        ..RunningTime::default()
    };
    for name in ["endless", "dawdler"] {
        let (line, _) = stopped(&[name], time);
        assert_eq!(
            line, "stopped in the sandbox: it ran for too long",
            "{name}"
        );
    }
}

#[test]
fn a_guest_cannot_sleep() {
    let not_supported = 58;
    let (ended, _) = run_hostile(&["sleeper"], &[], RunningTime::default());
    assert_eq!(ended.expect("it gives up"), not_supported);
}

#[test]
fn output_is_bounded() {
    for arguments in [&["talker"][..], &["talker", "to standard error"]] {
        let (line, printed) = stopped(arguments, RunningTime::default());
        assert_eq!(line, "stopped in the sandbox: it prints more than 16 MiB");
        assert_eq!(printed, 16 << 20);
    }
}

#[test]
fn files_are_bounded() {
    let scene = Scene::new();
    scene.remove("unfinished/meta.properties.tmp");
    let unfinished = [scene.path("unfinished")];
    let (ended, _) = run_hostile(&["filler"], &unfinished, RunningTime::default());
    let line = ended.expect_err("it is stopped").to_string();
    assert_eq!(line, "stopped in the sandbox: it writes more than 256 MiB");
    let written = std::fs::metadata(scene.path("unfinished/meta.properties.tmp"));
    assert_eq!(written.expect("it was created").len(), 256 << 20);
}

#[test]
fn a_guest_that_may_create_nothing_fills_no_disk() {
    assert_stopped(
        "filler",
        "wasm trap: wasm `unreachable` instruction executed",
    );
}

#[test]
fn a_guest_that_aborts_is_reported() {
    assert_stopped(
        "unreachable",
        "wasm trap: wasm `unreachable` instruction executed",
    );
}
