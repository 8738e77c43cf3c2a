//! The crash suite would notice if two steps of a plan were swapped.

use std::collections::{BTreeMap, BTreeSet};

use krabka_format_core::format::{self, ExitCode, Journal, Plan, Step, apply, confirm, observe};
use krabka_format_core::ids::{Entropy, EntropyError};
use krabka_format_tests::memory::{Contents, CrashState, MemoryFilesystem};
use krabka_format_tests::platform::FIXED_MS;

use crate::expected::Expected;
use crate::runs;

/// How many states of one crash are visited.
const STATES_MAX: usize = 24;

/// The runs of which every two steps are swapped, not only neighbours.
const SMALL: [&str; 4] = [
    "an unreadable data directory",
    "static, one directory",
    "initial controllers, no voter",
    "killed when it had created a log directory",
];

/// The pairs of which some can be swapped and nothing is noticed, and why. A
/// pair is named by what its steps are for.
const EQUIVALENT: &[(&str, &[&str])] = &[
    (
        "what is staged counts for nothing before it is published, in whichever order it came",
        &["stage, stage", "sync above, stage"],
    ),
    (
        "the entry is synced again when it got its name",
        &["stage, sync data", "stage, sync metadata"],
    ),
    (
        "syncs of several directories have no order, nor has what is staged after one",
        &[
            "sync above, sync above",
            "sync above, sync data",
            "sync data, sync data",
            "sync metadata, stage",
            "sync metadata, sync data",
            "sync metadata, sync metadata",
        ],
    ),
    (
        "a data directory gets one entry: the sync that follows the rename is enough",
        &["sync data, publish data", "sync data, publish metadata"],
    ),
    (
        "the directory was taken before anything was written in it",
        &["lock, stage", "lock, sync above"],
    ),
];

/// The pairs whose order the invariants rest on, each noticed somewhere.
const NEEDED: &[&str] = &[
    "publish data, publish metadata",
    "publish data, sync data",
    "publish metadata, sync metadata",
    "stage, publish metadata",
    "sync above, stage",
    "sync metadata, publish data",
    "sync metadata, publish metadata",
];

const PARTITION: &str = "__cluster_metadata-0";

struct Silent;

impl Journal for Silent {
    fn announce(&mut self, _line: &str) {}
}

/// The same draws each time.
struct Draws(u8);

impl Entropy for Draws {
    fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
        self.0 += 1;
        Ok([self.0; 16])
    }
}

/// Runs a command with two steps of its plan swapped, and returns how it ended.
fn run_swapped(
    expected: &Expected,
    disk: &MemoryFilesystem,
    swapped: Option<(usize, usize)>,
) -> Result<Plan, ExitCode> {
    let request = expected.invocation.settings.clone().check().unwrap();
    let mut survey = observe(disk, &request).unwrap();
    survey.claim().unwrap();
    let mut plan = format::plan(&request, &survey, &mut Draws(0), FIXED_MS).unwrap();
    if let Some((one, other)) = swapped {
        plan.steps.swap(one, other);
    }
    confirm(&survey).map_err(|error| ExitCode::from(&error.into()))?;
    match apply(&plan, &survey, &mut Silent) {
        Ok(_) => Ok(plan),
        Err(error) => Err(ExitCode::from(&error.into())),
    }
}

/// Whether a run with two steps swapped fails by itself, leaves something else,
/// or does not survive a crash.
fn is_caught(expected: &Expected, whole: &Contents, swapped: (usize, usize)) -> bool {
    let disk = (expected.run.build)();
    if run_swapped(expected, &disk, Some(swapped)).is_err() || disk.contents() != *whole {
        return true;
    }
    let lost = |state: &CrashState| state.disk.contents() != *whole;
    if disk.crash_states_up_to(STATES_MAX).iter().any(lost) {
        return true;
    }
    (0..disk.steps().len()).any(|step| {
        let disk = (expected.run.build)();
        disk.crash_at(step);
        run_swapped(expected, &disk, Some(swapped)).expect_err("it crashed");
        let survives_power = disk
            .crash_states_up_to(STATES_MAX)
            .iter()
            .all(|state| expected.check(&state.disk, 2).is_ok());
        disk.revive();
        !survives_power || expected.check(&disk, 2).is_err()
    })
}

/// What a step is for: pairs are listed by it.
fn role(expected: &Expected, plan: &Plan, step: &Step) -> &'static str {
    let metadata = expected.run.directories[0];
    let of_metadata = |path: &str| path == metadata || path == format!("{metadata}/{PARTITION}");
    match step {
        Step::CreateDirectory { .. }
        | Step::WriteFile { .. }
        | Step::RemoveFile { .. }
        | Step::RemoveDirectory { .. } => "stage",
        Step::Lock { .. } => "lock",
        Step::SyncParent { .. } => "sync above",
        Step::SyncDirectory { directory, .. } => match plan.path(*directory) {
            path if of_metadata(path) => "sync metadata",
            path if expected.run.directories.contains(&path) => "sync data",
            _ => "sync above",
        },
        Step::Publish { directory, .. } if of_metadata(plan.path(*directory)) => "publish metadata",
        Step::Publish { .. } => "publish data",
        other => panic!("no step of a plan: {other:?}"),
    }
}

#[test]
fn every_swap_of_two_steps_that_depend_on_each_other_is_noticed() {
    let mut noticed: BTreeMap<String, usize> = BTreeMap::new();
    let mut unnoticed: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for run in runs::all() {
        let expected = Expected::of(run);
        let disk = (expected.run.build)();
        let plan = run_swapped(&expected, &disk, None).unwrap();
        let whole = disk.contents();
        let steps: Vec<usize> = (0..plan.steps.len())
            .filter(|index| !matches!(plan.steps[*index], Step::Announce(_)))
            .collect();
        let far = if SMALL.contains(&expected.run.name) {
            steps.len()
        } else {
            1
        };
        for (position, one) in steps.iter().enumerate() {
            for other in steps.iter().skip(position + 1).take(far) {
                let roles = [*one, *other].map(|step| role(&expected, &plan, &plan.steps[step]));
                let pair = roles.join(", ");
                if is_caught(&expected, &whole, (*one, *other)) {
                    *noticed.entry(pair).or_default() += 1;
                } else {
                    unnoticed.entry(pair).or_default().insert(expected.run.name);
                }
            }
        }
    }
    println!("noticed: {noticed:#?}");
    println!("not noticed: {unnoticed:#?}");
    let found: BTreeSet<&str> = unnoticed.keys().map(String::as_str).collect();
    let listed: BTreeSet<&str> = EQUIVALENT
        .iter()
        .flat_map(|(_, pairs)| *pairs)
        .copied()
        .collect();
    assert_eq!(found, listed);
    for pair in NEEDED {
        assert!(noticed.contains_key(*pair), "{pair} is never noticed");
    }
}
