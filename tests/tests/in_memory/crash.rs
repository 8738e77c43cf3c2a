//! A crash at every step of every run, with everything that it may leave.

use krabka_format_tests::memory::{CrashState, MemoryFilesystem, SEED_VARIABLE};
use krabka_format_tests::platform::MemoryPlatform;

use crate::expected::{Expected, check_durable};
use crate::runs;

/// How many states of one crash are visited.
const STATES_MAX: usize = 512;

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

#[test]
fn after_a_crash_at_any_step_the_same_command_finishes_the_job() {
    let mut visited = 0;
    for run in runs::all() {
        let expected = Expected::of(run);
        let mut of_this_run = 0;
        check_end(&expected, None).unwrap();
        for step in 0..expected.steps.len() {
            for state in states(&expected, None, step, STATES_MAX) {
                of_this_run += 1;
                if let Err(violation) = expected.check(&state.disk, 2) {
                    panic!(
                        "{}: crash state {} ({SEED_VARIABLE} as printed above, else unset), \
                         before {:?}: {violation}",
                        expected.run.name, state.id, expected.steps[step],
                    );
                }
            }
        }
        println!("{of_this_run:6} crash states: {}", expected.run.name);
        assert!(of_this_run >= expected.steps.len(), "{}", expected.run.name);
        visited += of_this_run;
    }
    println!("{visited:6} crash states in all");
    assert!(visited > 4000, "only {visited} states were visited");
}
