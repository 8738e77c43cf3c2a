//! The rows about directories: sets in every mixture of states, sound and
//! damaged, formatted by both programs.

use std::collections::BTreeSet;

use krabka_format_kafka_tests::node::Node;
use krabka_format_kafka_tests::release::Release;
use krabka_format_tests::forms::{Form, Run};
use krabka_format_tests::tree::Tree;

use crate::both::{Both, Scene};
use crate::state::State::{
    Absent, Damaged, Empty, FileIsDirectory, Foreign, Formatted, Interrupted, Malformed,
    NoDirectoryId, Version0,
};
use crate::state::{CLUSTER, STATES, Set, State, name};
use crate::support::Comparison;

impl Set {
    /// What the product is to do by Kafka's answer to the set as
    /// [`State::for_kafka`] makes it: an exit code, and the last line on
    /// standard error or the lines on standard output that are Kafka's.
    fn right(&self, scene: &Scene, both: &Both) -> Outcome {
        let path = |number: usize| scene.path(&name(number));
        // Listed: a foreign directory is refused.
        if let Some(number) = self.first(|state| state == Foreign) {
            let path = path(number);
            return Outcome::Refused(format!(
                "Log directory {path} is not empty, and has no meta.properties: it holds data, \
                 which krabka-format did not write. Check the path, or empty the directory."
            ));
        }
        // Listed: so is a metadata log directory that does not read, with the
        // message of a node's start.
        let metadata = self.metadata.unwrap_or(0);
        if self.states[metadata].is_unreadable() {
            return Outcome::Refused(format!(
                "Encountered I/O error in metadata log directory {}. Cannot continue.",
                path(metadata)
            ));
        }
        if both.kafka.exit != 0 {
            let message = both.kafka.message();
            let already = |number| {
                format!(
                    "Log directory {} is already formatted. Use --ignore-formatted to ignore \
                     this directory and format the others.",
                    path(number)
                )
            };
            // Listed: the first of the set in its order, not of a hash map.
            let names_one = (0..self.states.len()).any(|number| message == already(number));
            let first = self.first(State::is_formatted);
            return Outcome::Refused(match first {
                Some(first) if names_one => already(first),
                _ => message.to_owned(),
            });
        }
        Outcome::Done(kafkas_lines(&both.kafka.stdout))
    }
}

#[derive(Debug, PartialEq)]
enum Outcome {
    /// Exit 3, with this last line on standard error.
    Refused(String),
    /// Exit 0, with these lines on standard output, in any order: listed.
    Done(BTreeSet<String>),
    Other(i32),
}

/// The lines that the programs have in common.
fn kafkas_lines(stdout: &str) -> BTreeSet<String> {
    let common = ["Formatting ", "I/O error ", "All of the "];
    let lines = stdout.lines();
    lines
        .filter(|line| common.iter().any(|start| line.starts_with(start)))
        .map(str::to_owned)
        .collect()
}

fn ours(both: &Both) -> Outcome {
    match both.ours.code {
        0 => Outcome::Done(kafkas_lines(&both.ours.stdout)),
        3 => Outcome::Refused(
            both.ours
                .stderr
                .lines()
                .next_back()
                .unwrap_or_default()
                .to_owned(),
        ),
        code => Outcome::Other(code),
    }
}

/// The pairs of a `meta.properties`, without the id that is drawn.
fn pairs(tree: &Tree, path: &str) -> Option<BTreeSet<String>> {
    let file = tree.bytes(path)?;
    let text = String::from_utf8_lossy(file);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Some(
        lines
            .filter(|line| !line.starts_with("directory.id="))
            .map(str::to_owned)
            .collect(),
    )
}

/// Compares one set in both programs: what they say, and what they leave.
fn compare(comparison: &mut Comparison, scene: &Scene, release: Release, set: &Set) {
    let node = set.node(scene);
    scene.prepare(|directory| set.build(directory, State::for_kafka));
    let kafka = scene.kafka(release, &set.for_kafka().node(scene));
    let kafka_tree = Tree::of(&scene.set());
    scene.prepare(|directory| set.build(directory, |state| state));
    let before = Tree::of(&scene.set());
    let ours_run = scene.ours(Form::Native, &node);
    let our_tree = Tree::of(&scene.set());
    let both = Both {
        kafka,
        kafka_tree,
        ours: ours_run,
        our_tree,
    };

    let case = || format!("{release}: {set:?}\n{both}");
    let (right, ours) = (set.right(scene, &both), ours(&both));
    let done = matches!(right, Outcome::Done(_));
    comparison.equal(case(), &right, &ours);
    if comparison.cases().is_multiple_of(20) {
        scene.prepare(|directory| set.build(directory, |state| state));
        let sandboxed = scene.ours(Form::Sandboxed, &node);
        let said = |run: &Run| (run.code, run.stdout.clone(), run.stderr.clone());
        comparison.equal(case(), &said(&both.ours), &said(&sandboxed));
    }
    if !done {
        let touched = before.differences(&both.our_tree);
        comparison.holds(case(), touched.is_empty(), || format!("touched: {touched}"));
        return;
    }
    for (number, state) in set.states.iter().enumerate() {
        let file = format!("{}/meta.properties", name(number));
        if matches!(state, Absent | Empty | Interrupted) {
            let kafkas = pairs(&both.kafka_tree, &file);
            comparison.equal(case(), &kafkas, &pairs(&both.our_tree, &file));
            comparison.holds(case(), kafkas.is_some(), || {
                format!("Kafka wrote no {file}")
            });
        } else {
            // Neither program touches what it does not format.
            let path = name(number);
            let same = |a: &Tree, b: &Tree| {
                let of = |tree: &Tree| {
                    let below = format!("{path}/");
                    let contents = tree.contents().into_iter();
                    contents
                        .filter(|(at, _)| *at == path || at.starts_with(&below))
                        .collect::<Vec<_>>()
                };
                of(a) == of(b)
            };
            let kept = same(&before, &both.our_tree);
            comparison.holds(case(), kept, || format!("{path} was touched"));
        }
    }
}

/// Every pair of states, with and without `--ignore-formatted`.
#[test]
fn sets_of_two_directories_are_treated_as_by_kafka() {
    let mut comparison = Comparison::new();
    let scene = Scene::new();
    for first in STATES {
        for second in STATES {
            for ignore_formatted in [false, true] {
                for release in Release::ALL {
                    let states = vec![first, second];
                    let set = Set {
                        states,
                        metadata: None,
                        ignore_formatted,
                    };
                    compare(&mut comparison, &scene, release, &set);
                }
            }
        }
    }
    comparison.end(1024);
}

/// Sets of one to five, the metadata log directory being any of them.
#[test]
fn sets_of_many_directories_are_treated_as_by_kafka() {
    let mut comparison = Comparison::new();
    let mut random = comparison.random();
    let scene = Scene::new();
    let all: Vec<&State> = STATES.iter().collect();
    // What both programs go on with.
    let sound = [
        &Absent,
        &Empty,
        &Formatted,
        &NoDirectoryId,
        &Damaged,
        &Version0,
    ];
    for number in 0..300 {
        let count = 1 + random.below(5);
        let from: &[&State] = if random.below(3) == 0 { &all } else { &sound };
        let states: Vec<State> = (0..count).map(|_| *random.pick(from)).collect();
        let metadata = (random.below(3) == 0)
            .then(|| random.below(u64::try_from(count).expect("few directories")));
        let ignore_formatted = random.below(4) != 0;
        let set = Set {
            states,
            metadata,
            ignore_formatted,
        };
        compare(&mut comparison, &scene, Release::ALL[number % 2], &set);
    }
    comparison.end(300);
}

/// A node that the product formatted, run again: what both say then.
#[test]
fn sets_that_are_formatted_are_told_as_by_kafka() {
    let mut comparison = Comparison::new();
    let scene = Scene::new();
    for release in Release::ALL {
        for ignore_formatted in [false, true] {
            scene.prepare(|_| ());
            let set = Set {
                states: vec![Absent, Absent],
                metadata: Some(1),
                ignore_formatted: false,
            };
            let first = scene.ours(Form::Native, &set.node(&scene));
            first.assert_code(0);
            let before = Tree::of(&scene.set());
            let set = Set {
                ignore_formatted,
                ..set
            };
            let node = set.node(&scene);
            let kafka = scene.kafka(release, &node);
            let kafka_tree = Tree::of(&scene.set());
            let ours_run = scene.ours(Form::Native, &node);
            let our_tree = Tree::of(&scene.set());
            let both = Both {
                kafka,
                kafka_tree,
                ours: ours_run,
                our_tree,
            };
            let formatted = Set {
                states: vec![Formatted, Formatted],
                ..set
            };
            let case = format!("{release}: {ignore_formatted}\n{both}");
            comparison.equal(&case, &formatted.right(&scene, &both), &ours(&both));
            let touched = before.differences(&both.our_tree);
            comparison.holds(&case, touched.is_empty(), || touched.clone());
        }
    }
    comparison.end(8);
}

/// Kafka's formatter goes on without a metadata log directory that does not
/// read, and then its node does not start: its message is the product's.
#[test]
fn sets_without_a_readable_metadata_log_directory_do_not_start() {
    let scene = Scene::new();
    for release in Release::ALL {
        for state in [Damaged, Malformed, FileIsDirectory] {
            let set = Set {
                states: vec![state, Empty],
                metadata: None,
                ignore_formatted: false,
            };
            let node = set.node(&scene);
            let both = scene.both(release, &node, |directory| {
                set.build(directory, |state| state);
            });
            assert_eq!(both.kafka.exit, 0, "{release}: {both}");
            // What does not read is told in Kafka's log, with a stack trace.
            let logged = format!(
                "Error while reading meta.properties file {}/meta.properties\n",
                scene.path("d0")
            );
            assert!(both.kafka.stderr.contains(&logged), "{release}: {both}");
            let cause = both.ours.stderr.lines().next().unwrap_or_default();
            assert!(
                cause.contains(&scene.path("d0")) && !both.ours.stderr.contains("\tat "),
                "{both}"
            );
            scene.prepare(|directory| set.build(directory, |state| state));
            scene.kafka(release, &node);
            let thrown = scene.boot(release, &node).expect_err("it cannot start");
            let last = both.ours.stderr.lines().next_back();
            assert_eq!(Some(thrown.message.as_str()), last, "{release}: {both}");
        }
    }
}

/// A node of both releases starts with what the product formatted.
#[test]
fn sets_that_the_product_formats_start_in_kafka() {
    let scene = Scene::new();
    for release in Release::ALL {
        let set = Set {
            states: vec![Absent, Empty, Absent],
            metadata: Some(2),
            ignore_formatted: false,
        };
        let node = set.node(&scene);
        scene.prepare(|directory| set.build(directory, |state| state));
        scene.ours(Form::Native, &node).assert_code(0);
        let before = Tree::of(&scene.set());
        let found = scene.boot(release, &node);
        let found = found.unwrap_or_else(|thrown| panic!("{release}: {thrown}"));
        for part in ["d2", "version=1", "nodeId=1", CLUSTER] {
            assert!(found.contains(part), "{release}: {part} is not in {found}");
        }
        // It has nothing to add.
        let touched = before.differences(&Tree::of(&scene.set()));
        assert!(touched.is_empty(), "{release}: {touched}");
    }
}

/// The list of log directories: blanks, repetitions, and the metadata log
/// directory beside it or in it. Listed: an empty entry is dropped.
#[test]
fn sets_are_listed_as_for_kafka() {
    let mut comparison = Comparison::new();
    let scene = Scene::new();
    let (a, b, c) = (scene.path("a"), scene.path("b"), scene.path("c"));
    let lists = [
        a.clone(),
        format!("{a},{b}"),
        format!("{b},{a}"),
        format!("{a} , {b}"),
        format!("{a}\t,\t{b}"),
        format!("{a},{a}"),
        format!("{a},{b},{a}"),
        format!("{a},{b},{c}"),
    ];
    for list in &lists {
        for metadata in [None, Some(&a), Some(&c)] {
            for release in Release::ALL {
                let mut node = Node::new(CLUSTER, std::slice::from_ref(list));
                node.metadata_log_dir = metadata.cloned();
                node.flags.push("--release-version=4.3".to_owned());
                let both = scene.both(release, &node, |_| ());
                let case = format!("{release}: {list:?} {metadata:?}\n{both}");
                let right = kafkas_lines(&both.kafka.stdout);
                comparison.equal(&case, &Outcome::Done(right), &ours(&both));
                comparison.holds(&case, both.kafka.exit == 0, String::new);
            }
        }
    }
    let mut node = Node::new(CLUSTER, &[format!("{a},,{b}")]);
    node.flags.push("--release-version=4.3".to_owned());
    for release in Release::ALL {
        let both = scene.both(release, &node, |_| ());
        let message = "Configuration 'log.dirs' values must not be empty.";
        comparison.equal(release, &message, &both.kafka.message());
        comparison.equal(release, &0, &both.ours.code);
    }
    comparison.end(90);
}

/// Listed: two spellings are one directory, and one inside another is refused.
/// Kafka formats them all.
#[test]
fn sets_of_one_directory_in_two_spellings_or_nested_are_listed() {
    let scene = Scene::new();
    let (a, slash, inside) = (scene.path("a"), scene.path("a/"), scene.path("a/b"));
    for release in Release::ALL {
        for (second, code, lines) in [(&slash, 0, 1), (&inside, 3, 0)] {
            let mut node = Node::new(CLUSTER, &[a.clone(), second.clone()]);
            node.flags.push("--release-version=4.3".to_owned());
            let both = scene.both(release, &node, |_| ());
            let formatting = |stdout: &str| stdout.matches("Formatting ").count();
            assert_eq!(both.kafka.exit, 0, "{release}: {both}");
            assert_eq!(formatting(&both.kafka.stdout), 2, "{release}: {both}");
            assert_eq!(both.ours.code, code, "{release}: {both}");
            assert_eq!(formatting(&both.ours.stdout), lines, "{release}: {both}");
        }
    }
}
