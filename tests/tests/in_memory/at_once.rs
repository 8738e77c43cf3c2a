//! Two runs at once over the same directories: every order of their steps.
//!
//! A state is the disk and how far each run is. Orders that lead to one state
//! are followed from there once, so that all of them are covered.

use std::collections::{BTreeMap, BTreeSet};

use krabka_format_core::filesystem::join;
use krabka_format_core::ids::ClusterId;
use krabka_format_core::meta_properties::MetaProperties;
use krabka_format_tests::formatter::{Formatter, Planned, hash};
use krabka_format_tests::memory::{Content, Contents, MemoryFilesystem};
use krabka_format_tests::platform::{MemoryPlatform, invocation};

use crate::runs::{marker, unfinished, with_directories};

/// Two commands, and the disk that they meet.
struct Pair {
    name: &'static str,
    build: fn() -> MemoryFilesystem,
    commands: [&'static [&'static str]; 2],
}

const TWO: &[&str] = &["--node-id=1", "--log-dir=/d1,/d2"];

fn two() -> MemoryFilesystem {
    with_directories(&["/d1", "/d2"])
}

fn pairs() -> Vec<Pair> {
    let pair = |name, build, one, other| Pair {
        name,
        build,
        commands: [one, other],
    };
    let dynamic: &[&str] = &["--node-id=1", "--log-dir=/d1,/d2", "-N"];
    let absent: &[&str] = &["--node-id=1", "--log-dir=/x/d1,/x/d2"];
    vec![
        pair("equal, ids generated", two, TWO, TWO),
        pair("equal, with a zero checkpoint", two, dynamic, dynamic),
        pair(
            "equal, the cluster id given",
            two,
            &[
                "--node-id=1",
                "--log-dir=/d1,/d2",
                "--cluster-id=AQIDBAUGBwgJCgsMDQ4PEA",
            ],
            &[
                "--node-id=1",
                "--log-dir=/d1,/d2",
                "--cluster-id=AQIDBAUGBwgJCgsMDQ4PEA",
            ],
        ),
        pair(
            "different node ids",
            two,
            TWO,
            &["--node-id=2", "--log-dir=/d1,/d2"],
        ),
        pair("absent", || with_directories(&[]), absent, absent),
        pair(
            "interrupted",
            || unfinished(with_directories(&["/d2"]), "/d1"),
            dynamic,
            dynamic,
        ),
        pair(
            "interrupted while it published",
            || unfinished(with_directories(&[]), "/d1").file("/d2/meta.properties", marker(2)),
            dynamic,
            dynamic,
        ),
        pair(
            "another metadata log directory",
            two,
            TWO,
            &["--node-id=1", "--log-dir=/d1", "--metadata-log-dir=/d2"],
        ),
        pair(
            "one directory shared",
            || with_directories(&["/d1", "/d2", "/d3"]),
            TWO,
            &["--node-id=2", "--log-dir=/d3,/d2"],
        ),
        pair(
            "one directory of two is formatted",
            || with_directories(&["/d2"]).file("/d1/meta.properties", marker(1)),
            &["--node-id=1", "--log-dir=/d1,/d2", "-g"],
            &["--node-id=1", "--log-dir=/d1,/d2", "-g"],
        ),
    ]
}

/// What all orders of a pair's steps led to.
#[derive(Default)]
struct Explored {
    states: BTreeSet<u64>,
    /// The orders that ended wrongly, and how.
    wrong: Vec<String>,
    /// How the runs ended, and in how many states.
    endings: BTreeMap<String, usize>,
}

/// Follows every order of the steps of two runs.
fn explore(pair: &Pair, locks: bool) -> Explored {
    let mut explored = Explored::default();
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(order) = orders.pop() {
        let disk = (pair.build)();
        let disk = if locks {
            disk
        } else {
            disk.without_directory_locks()
        };
        let planned = [Planned::new(), Planned::new()];
        let mut runs = [0, 1].map(|index| {
            let process = u8::try_from(index + 1).unwrap();
            let settings = invocation(pair.commands[index]).settings;
            Formatter::new(&disk, process, settings.check().unwrap(), &planned[index])
        });
        for index in &order {
            runs[*index].go_on();
        }
        let state = hash(&(
            disk.contents(),
            runs[0].fingerprint(),
            runs[1].fingerprint(),
        ));
        if !explored.states.insert(state) {
            continue;
        }
        if let Err(violation) = check_state(&disk.contents()) {
            explored.wrong.push(format!("{order:?}: {violation}"));
            continue;
        }
        let mut at_end = true;
        for (index, run) in runs.iter().enumerate() {
            if run.ended().is_none() {
                at_end = false;
                orders.push([order.as_slice(), &[index]].concat());
            }
        }
        if at_end {
            let endings = runs.each_ref().map(|run| ending(run.ended().unwrap()));
            *explored.endings.entry(endings.join(" | ")).or_default() += 1;
            if let Err(violation) = check_end(pair, &disk) {
                explored.wrong.push(format!("{order:?}: {violation}"));
            }
        }
    }
    explored
}

fn ending(outcome: &Result<(), (u8, String)>) -> String {
    match outcome {
        Ok(()) => "done".to_owned(),
        Err((code, text)) => format!("{code} {text}"),
    }
}

/// The `meta.properties` of the directories that have one.
fn markers(contents: &Contents) -> BTreeMap<&str, MetaProperties> {
    let mut markers = BTreeMap::new();
    for (path, content) in contents {
        if let Content::File(bytes) = content
            && let Some(directory) = path.strip_suffix("/meta.properties")
        {
            let properties = MetaProperties::parse(bytes).expect("written whole");
            markers.insert(directory, properties);
        }
    }
    markers
}

/// INV-1 and INV-6, at any time: what is formatted is whole and of one cluster
/// and one node, and no two have one id.
fn check_state(contents: &Contents) -> Result<(), String> {
    let markers = markers(contents);
    let clusters: BTreeSet<ClusterId> = markers.values().map(MetaProperties::cluster_id).collect();
    let nodes: BTreeSet<i32> = markers.values().map(MetaProperties::node_id).collect();
    let ids: BTreeSet<_> = markers.values().map(MetaProperties::directory_id).collect();
    if clusters.len() > 1 || nodes.len() > 1 || ids.len() < markers.len() {
        return Err(format!("INV-6: {markers:?}"));
    }
    for (directory, properties) in &markers {
        if let Some(Content::File(manifest)) = contents.get(&join(directory, "bootstrap.json")) {
            let text = String::from_utf8_lossy(manifest);
            let records = contents.contains_key(&join(directory, "bootstrap.records.bin"));
            if !text.contains(properties.cluster_id_text()) || !records {
                return Err(format!("INV-1: {directory} is of two clusters: {text}"));
            }
        }
    }
    Ok(())
}

/// INV-2: one of the two commands finishes the job.
fn check_end(pair: &Pair, disk: &MemoryFilesystem) -> Result<(), String> {
    let left = disk.contents();
    let mut answers = Vec::new();
    for command in pair.commands {
        let mut platform = MemoryPlatform::new(disk).seeded(3);
        let code = platform.run(command);
        let answer = platform.stderr.last().cloned().unwrap_or_default();
        check_state(&disk.contents())?;
        if code == 0 || code == 3 && answer.contains("already formatted") {
            return Ok(());
        }
        answers.push(format!("{code} {answer}"));
    }
    Err(format!("INV-2: {answers:?} over {:?}", left.keys()))
}

/// The pairs that may end wrongly where directories cannot be locked, and why.
const WRONG_WITHOUT_LOCKS: [(&str, &str); 1] = [(
    "another metadata log directory",
    "one run writes bootstrap files into the directory that the other publishes as a data \
     directory",
)];

#[expect(clippy::print_stdout, reason = "how much was explored")]
fn report(pair: &Pair, explored: &Explored) {
    let (states, wrong) = (explored.states.len(), explored.wrong.len());
    println!("{states:6} states, {wrong} wrong: {}", pair.name);
    for (ending, count) in &explored.endings {
        println!("       {count:4} {ending}");
    }
}

/// What is said says that there is another run, or what that has done.
fn check_words(pair: &Pair, explored: &Explored) {
    for ending in explored.endings.keys() {
        for outcome in ending.split(" | ") {
            let clear = outcome == "done"
                || outcome.contains("another process")
                || outcome.contains("Another process")
                || outcome.contains("is already formatted")
                || outcome.starts_with("3 Stored node id");
            assert!(clear, "{}: {outcome}", pair.name);
        }
    }
}

#[test]
fn two_runs_at_once_leave_one_set_in_every_order_of_their_steps() {
    for pair in pairs() {
        let explored = explore(&pair, true);
        report(&pair, &explored);
        check_words(&pair, &explored);
        let wrong = explored.wrong.first();
        assert!(wrong.is_none(), "{}: {wrong:?}", pair.name);
        assert!(explored.endings.len() >= 2, "{}: they never met", pair.name);
    }
}

/// As in a WASI runtime. A step that looks before it changes something is one
/// step here, and not there.
#[test]
fn without_locks_equal_commands_leave_one_set_too() {
    let mut wrong = Vec::new();
    for pair in pairs() {
        let explored = explore(&pair, false);
        report(&pair, &explored);
        check_words(&pair, &explored);
        if let Some(first) = explored.wrong.first() {
            println!("{first}");
            wrong.push(pair.name);
        }
    }
    let listed: Vec<&str> = WRONG_WITHOUT_LOCKS.iter().map(|(name, _)| *name).collect();
    assert_eq!(wrong, listed);
}
