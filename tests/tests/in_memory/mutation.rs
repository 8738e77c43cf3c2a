//! The crash suite would notice if any one sync were left out.

use std::collections::BTreeSet;

use krabka_format_core::filesystem::ErrorKind;
use krabka_format_tests::memory::MemoryFilesystem;
use krabka_format_tests::platform::MemoryPlatform;

use crate::crash::{check_end, states};
use crate::expected::{Expected, check_durable};
use crate::runs;

/// How many states of one crash are visited.
const STATES_MAX: usize = 32;

/// The syncs that can be left out of a run without a crash showing it, and why.
const EQUIVALENT: [(&str, &[&str]); 5] = [
    (
        "the log directory was built durable; the runs over what a killed run left have it \
         otherwise",
        &[
            "a marker of krabka 0.x: sync_parent /d1",
            "an unreadable data directory: sync_parent /d1",
            "initial controllers, a voter, a metadata log directory apart: sync_parent /d2",
            "initial controllers, five directories: sync_parent /d1",
            "initial controllers, no voter: sync_parent /d1",
            "interrupted when a data directory was the metadata log directory: sync_parent /d2",
            "interrupted while it published: sync_parent /d1",
            "interrupted while it resumed: sync_parent /d1",
            "interrupted: sync_parent /d1",
            "killed when it had created the second log directory: sync_parent /d1",
            "no initial controllers: sync_parent /d1",
            "resumed in another quorum mode: sync_parent /d1",
            "resumed with another metadata log directory: sync_parent /d3",
            "standalone, ids given: sync_parent /d1",
            "standalone, two directories: sync_parent /d1",
            "static, one directory: sync_parent /d1",
            "static, three directories: sync_parent /d1",
        ],
    ),
    (
        "a data directory gets one entry, under one name and then another: the sync that follows \
         the rename is enough for both. The rule that every directory is synced before anything \
         is published is kept all the same, for it needs no such argument",
        &[
            "static, three directories: sync /d2",
            "static, three directories: sync /d3",
            "initial controllers, five directories: sync /d2",
            "initial controllers, five directories: sync /d3",
            "initial controllers, five directories: sync /d4",
            "initial controllers, five directories: sync /d5",
            "standalone, two directories: sync /d2",
            "standalone, ids given: sync /d2",
            "initial controllers, a voter, a metadata log directory apart: sync /d1",
            "no initial controllers: sync /d2",
            "an unreadable data directory: sync /d2",
            "absent, missing parents shared: sync /x/y/d2",
            "absent, missing parents shared: sync /x/z/d3",
            "mixed, a data directory is formatted: sync /d3",
            "mixed, the metadata log directory is formatted: sync /d2",
            "interrupted: sync /d2",
            "interrupted while it published: sync /d3",
            "resumed in another quorum mode: sync /d3",
            "resumed with one more directory: sync /d3",
            "resumed with one more directory: sync /d4",
            "killed when it had created the second log directory: sync /x/d2",
        ],
    ),
    (
        "the directory was synced after all but its marker was replaced, and so it is as above",
        &[
            "interrupted while it published: sync /d1 (2)",
            "resumed in another quorum mode: sync /d1 (2)",
            "resumed with another metadata log directory: sync /d3 (2)",
            "resumed with one more directory: sync /d1 (2)",
        ],
    ),
    (
        "the directory was built durable; \
         a_formatted_directory_is_synced_for_the_run_that_failed_to has it otherwise",
        &[
            "mixed, a data directory is formatted: sync_file /d2/meta.properties",
            "mixed, a data directory is formatted: sync /d2",
            "mixed, the metadata log directory is formatted: sync_file /d1/meta.properties",
            "mixed, the metadata log directory is formatted: sync /d1",
            "all are formatted: sync_file /d1/meta.properties",
            "all are formatted: sync /d1",
            "all are formatted: sync_file /d2/meta.properties",
            "all are formatted: sync /d2",
            "interrupted while it published: sync_file /d2/meta.properties",
            "interrupted while it published: sync /d2",
            "resumed in another quorum mode: sync_file /d2/meta.properties",
            "resumed in another quorum mode: sync /d2",
            "resumed with another metadata log directory: sync_file /d2/meta.properties",
            "resumed with another metadata log directory: sync /d2",
            "resumed with one more directory: sync_file /d2/meta.properties",
            "resumed with one more directory: sync /d2",
            "interrupted while it resumed: sync_file /d2/meta.properties",
            "interrupted while it resumed: sync /d2",
        ],
    ),
    (
        "the platform does nothing there",
        &[
            "standalone, directories can't be synced: sync_parent /d1",
            "standalone, directories can't be synced: sync /d1",
            "standalone, directories can't be synced: sync /d1/__cluster_metadata-0",
            "standalone, directories can't be synced: sync /d2",
            "standalone, directories can't be synced: sync /d2 (2)",
            "standalone, directories can't be synced: sync /d1 (2)",
        ],
    ),
];

#[test]
fn every_sync_is_missed_when_it_is_left_out() {
    let mut missed = 0;
    let mut not_missed = BTreeSet::new();
    for run in runs::all() {
        let expected = Expected::of(run);
        for (index, step) in expected.steps.iter().enumerate() {
            if !step.starts_with("sync") {
                continue;
            }
            if is_missed(&expected, index) {
                missed += 1;
            } else {
                not_missed.insert(name(&expected, index));
            }
        }
    }
    println!("{missed} syncs are missed");
    let listed: BTreeSet<String> = EQUIVALENT
        .iter()
        .flat_map(|(_, syncs)| syncs.iter().map(|&sync| sync.to_owned()))
        .collect();
    let unlisted: Vec<_> = not_missed.symmetric_difference(&listed).collect();
    assert!(
        unlisted.is_empty(),
        "listed or missed, not both: {unlisted:#?}"
    );
    assert!(missed > 100, "only {missed} syncs are missed");
}

/// The run and the sync, with its number where it comes again.
fn name(expected: &Expected, index: usize) -> String {
    let (before, step) = (&expected.steps[..index], &expected.steps[index]);
    let number = before.iter().filter(|earlier| *earlier == step).count() + 1;
    let number = if number == 1 {
        String::new()
    } else {
        format!(" ({number})")
    };
    format!("{}: {step}{number}", expected.run.name)
}

/// Whether a crash later on, or once the run said that it is done, shows that a
/// sync did nothing.
fn is_missed(expected: &Expected, skipped: usize) -> bool {
    check_end(expected, Some(skipped)).is_err()
        || (skipped + 1..expected.steps.len()).any(|step| {
            states(expected, Some(skipped), step, STATES_MAX)
                .iter()
                .any(|state| expected.check(&state.disk, 2).is_err())
        })
}

/// A run fails at its last sync, and the next one says "already formatted".
/// Without its syncs, a crash would make that untrue.
#[test]
fn a_formatted_directory_is_synced_for_the_run_that_failed_to() {
    let arguments = ["--node-id=1", "--log-dir=/d1"];
    for syncs_directories in [true, false] {
        let build = || {
            let disk = MemoryFilesystem::new().directory("/d1");
            if syncs_directories {
                disk
            } else {
                disk.without_directory_sync()
            }
        };
        // Of the second run's two syncs, the file's or the directory's.
        let needed = [!syncs_directories, syncs_directories];
        let whole = build();
        assert_eq!(MemoryPlatform::new(&whole).run(&arguments), 0);
        let steps = whole.steps().len();
        for skipped in [None, Some(0), Some(1)] {
            let disk = build();
            disk.fail_at(steps - 1, ErrorKind::InputOutput);
            assert_eq!(MemoryPlatform::new(&disk).run(&arguments), 4);
            assert!(check_durable(&disk).is_err(), "the first run had to fail");
            if let Some(skipped) = skipped {
                disk.skip_at(steps + skipped);
            }
            assert_eq!(MemoryPlatform::new(&disk).run(&arguments), 3);
            let holds = skipped.is_none_or(|skipped| !needed[skipped]);
            assert_eq!(check_durable(&disk).is_ok(), holds, "{skipped:?}");
        }
    }
}
