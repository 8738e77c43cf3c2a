//! A crash of the run that finishes what a crash left.

use std::collections::BTreeSet;

use krabka_format_tests::memory::{Contents, CrashState, MemoryFilesystem};
use krabka_format_tests::platform::MemoryPlatform;

use crate::crash::states;
use crate::expected::Expected;
use crate::runs;

/// How many states of the first crash are visited, for each of its steps.
const FIRST_MAX: usize = 16;

/// How many of the second.
const SECOND_MAX: usize = 6;

/// The runs whose reruns are crashed: one that stages, one that clears, and
/// one that resumes.
const CRASHED_TWICE: [&str; 3] = [
    "standalone, two directories",
    "interrupted when a data directory was the metadata log directory",
    "interrupted while it published",
];

#[test]
fn a_crash_of_the_rerun_is_finished_too() {
    let mut visited = 0;
    let mut runs = runs::all();
    runs.retain(|run| CRASHED_TWICE.contains(&run.name));
    assert_eq!(runs.len(), CRASHED_TWICE.len());
    for run in runs {
        let expected = Expected::of(run);
        let mut met: BTreeSet<Contents> = BTreeSet::new();
        for step in 0..expected.steps.len() {
            for first in states(&expected, None, step, FIRST_MAX) {
                if met.insert(first.disk.contents()) {
                    visited += crash_again(&expected, &first);
                }
            }
        }
    }
    println!("{visited} crash states after two crashes");
    assert!(visited > 10_000, "only {visited} states were visited");
}

/// Crashes the same command at each of its steps over a disk that a first crash
/// left, and returns how many states were checked.
fn crash_again(expected: &Expected, first: &CrashState) -> usize {
    let mut visited = 0;
    for step in 0.. {
        let disk = copy(&first.disk);
        disk.crash_at(step);
        MemoryPlatform::new(&disk)
            .seeded(2)
            .execute(&expected.invocation);
        if disk.steps().len() <= step {
            break;
        }
        for second in disk.crash_states_up_to(SECOND_MAX) {
            visited += 1;
            if let Err(violation) = expected.check(&second.disk, 3) {
                panic!(
                    "{}: crash state {}, then {}, before {:?}: {violation}",
                    expected.run.name,
                    first.id,
                    second.id,
                    disk.steps().last(),
                );
            }
        }
    }
    visited
}

/// A durable disk, copied: the only state that a crash of it leaves.
fn copy(disk: &MemoryFilesystem) -> MemoryFilesystem {
    let mut states = disk.crash_states();
    assert_eq!(states.len(), 1, "only a durable disk is copied");
    states.remove(0).disk
}
