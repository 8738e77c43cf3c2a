//! A crash at every step of every run, with everything that it may leave.

use krabka_format_tests::memory::{CrashState, MemoryFilesystem};
use krabka_format_tests::platform::MemoryPlatform;

use crate::expected::{Expected, check_durable};
use crate::runs;

/// How many states of one crash are visited.
const STATES_MAX: usize = 4096;

/// What is on the disk after a crash at step `step`, with step `skipped` left
/// out.
pub(crate) fn states(
    expected: &Expected,
    skipped: Option<usize>,
    step: usize,
    most: usize,
) -> Vec<CrashState> {
    let disk = disk(expected, skipped);
    disk.crash_at(step);
    let code = MemoryPlatform::new(&disk).execute(&expected.invocation);
    assert_eq!(code, 4, "{}, step {step}", expected.run.name);
    disk.crash_states_up_to(most)
}

/// Checks that a run that said that it is done leaves nothing to lose.
pub(crate) fn check_end(expected: &Expected, skipped: Option<usize>) -> Result<(), String> {
    let disk = disk(expected, skipped);
    let code = MemoryPlatform::new(&disk).execute(&expected.invocation);
    assert_eq!(code, 0, "{}", expected.run.name);
    check_durable(&disk)
}

fn disk(expected: &Expected, skipped: Option<usize>) -> MemoryFilesystem {
    let disk = (expected.run.build)();
    if let Some(skipped) = skipped {
        disk.skip_at(skipped);
    }
    disk
}

/// The variable that has the crash test visit one state only: the id that a
/// failure printed.
const REPLAY_VARIABLE: &str = "KRABKA_FORMAT_REPLAY";

/// One crash state: the number of the run in the table, and the state's own id,
/// which begins with the number of steps that were begun.
fn id(run: usize, state: &CrashState) -> String {
    format!("{run}:{}", state.id)
}

/// Brings about the state of an id.
fn replay(id: &str) -> Option<(Expected, CrashState)> {
    let (run, state) = id.split_once(':')?;
    let run = runs::all().into_iter().nth(run.parse().ok()?)?;
    let begun: usize = state.split('.').next()?.parse().ok()?;
    let expected = Expected::of(run);
    let disk = disk(&expected, None);
    disk.crash_at(begun.checked_sub(1)?);
    MemoryPlatform::new(&disk).execute(&expected.invocation);
    let state = disk.crash_state(state)?;
    Some((expected, state))
}

fn check_state(run: usize, expected: &Expected, state: &CrashState) {
    if let Err(violation) = expected.check(&state.disk, 2) {
        panic!(
            "{}: {violation}\n{REPLAY_VARIABLE}={} visits this state alone",
            expected.run.name,
            id(run, state),
        );
    }
}

#[test]
fn after_a_crash_at_any_step_the_same_command_finishes_the_job() {
    if let Ok(id) = std::env::var(REPLAY_VARIABLE) {
        let (expected, state) = replay(&id).expect("an id that a failure printed");
        println!("{}: {:#?}", expected.run.name, state.disk.contents().keys());
        return check_state(0, &expected, &state);
    }
    let mut visited = 0;
    for (number, run) in runs::all().into_iter().enumerate() {
        let expected = Expected::of(run);
        let mut of_this_run = 0;
        check_end(&expected, None).unwrap();
        for step in 0..expected.steps.len() {
            for state in states(&expected, None, step, STATES_MAX) {
                of_this_run += 1;
                check_state(number, &expected, &state);
            }
        }
        println!("{of_this_run:6} crash states: {}", expected.run.name);
        assert!(of_this_run >= expected.steps.len(), "{}", expected.run.name);
        visited += of_this_run;
    }
    println!("{visited:6} crash states in all");
    assert!(visited > 4000, "only {visited} states were visited");
}

#[test]
fn an_id_brings_its_state_about_again() {
    let mut replayed = 0;
    for (number, run) in runs::all().into_iter().enumerate() {
        let expected = Expected::of(run);
        let step = expected.steps.len() / 2;
        for state in states(&expected, None, step, 8) {
            let (again, found) = replay(&id(number, &state)).expect("its own id");
            assert_eq!(again.run.name, expected.run.name);
            assert_eq!(found.disk.contents(), state.disk.contents());
            replayed += 1;
        }
    }
    assert!(replayed > 50, "only {replayed} states were replayed");
    for unknown in ["", "0", "0:", "99:1.0.", "0:1.11111111.", "0:0..", "x:1.."] {
        assert!(replay(unknown).is_none(), "{unknown}");
    }
}
