//! Calls drawn at random, over log directories in every state and with somebody
//! else at work there: after each call, nothing on the disk differs but what the
//! table of `docs/SANDBOX.md` permits, and the guest was told nothing of what it
//! may not read or list.
//!
//! `KRABKA_FORMAT_SEED` draws others, and `KRABKA_FORMAT_SEQUENCES` as many as it
//! says.
#![expect(clippy::arithmetic_side_effects, reason = "a test counts what it does")]

mod calls;
#[path = "../../../../../tests/src/random.rs"]
#[expect(
    dead_code,
    unreachable_pub,
    reason = "it is the generator of the other tests, which use all of it"
)]
mod random;
mod rules;
mod tree;

use std::collections::BTreeSet;

use super::puppet::{AS_DIRECTORY, BUFFER, Puppet};
use super::*;
use calls::{CALLS, Drawn, Open, draw};
use random::Random;
use rules::{Kind, Rules};
use tree::{LOG_DIRECTORIES, Tree};

const SEED_VARIABLE: &str = "KRABKA_FORMAT_SEED";
const SEQUENCES_VARIABLE: &str = "KRABKA_FORMAT_SEQUENCES";

/// The sequences that are drawn, and the calls of each.
const SEQUENCES: u64 = 40;
const CALLS_OF_EACH: usize = 150;

fn given(variable: &str, default: u64) -> u64 {
    let given = std::env::var(variable).unwrap_or_default();
    if given.is_empty() {
        return default;
    }
    given.parse().expect("it is a number")
}

/// What was seen of all sequences, so that a test which refuses everything, or
/// comes to nothing, is told from one that holds.
#[derive(Default)]
struct Counts {
    calls: usize,
    succeeded: BTreeSet<&'static str>,
    changes: usize,
    sealed: usize,
}

#[test]
fn nothing_but_what_is_granted_is_done_or_told() {
    let seed = given(SEED_VARIABLE, 1);
    let sequences = given(SEQUENCES_VARIABLE, SEQUENCES);
    let engine = engine::engine().expect("the configuration is sound");
    let guest = guest::load_hostile(&engine, "puppet").expect("it was compiled");
    let mut counts = Counts::default();
    for index in 0..sequences {
        let seed = seed.wrapping_add(index);
        let mut sequence = Sequence::new(seed, &engine, &guest);
        sequence.play(&mut counts);
        if sequences == 1 {
            print!("{}", sequence.story);
        }
        sequence.end();
    }
    if sequences >= SEQUENCES {
        // What always fails is refused to everybody.
        let refused: Vec<&str> = CALLS
            .iter()
            .map(|call| call.name)
            .filter(|name| !counts.succeeded.contains(name))
            .collect();
        assert_eq!(refused, calls::REFUSED);
        assert!(counts.changes > counts.calls / 200, "{}", counts.changes);
        assert!(counts.sealed > counts.calls / 20, "{}", counts.sealed);
    }
    println!(
        "{} calls in {sequences} sequences from {SEED_VARIABLE}={seed}: {} changes, {} where a \
         meta.properties had appeared",
        counts.calls, counts.changes, counts.sealed
    );
}

/// One run of the guest.
struct Sequence {
    random: Random,
    tree: Tree,
    rules: Rules,
    puppet: Puppet,
    /// The log directories that it was given.
    names: Vec<&'static str>,
    open: Open,
    /// What was done, for a failure.
    story: String,
}

impl Sequence {
    fn new(seed: u64, engine: &Engine, guest: &Module) -> Self {
        let mut random = Random::new(seed);
        let tree = Tree::new();
        let names: BTreeSet<&'static str> = (0..=random.below(3))
            .map(|_| LOG_DIRECTORIES[random.below(9)])
            .collect();
        let names: Vec<&'static str> = names.into_iter().collect();
        let kind = match random.below(10) {
            0 => Kind::DryRun,
            1 => Kind::Dump,
            _ => Kind::Format,
        };
        let paths: Vec<String> = names.iter().map(|name| tree.path(name)).collect();
        let opened = match kind {
            Kind::Format => handles::open(&paths, false),
            Kind::DryRun => handles::open(&paths, true),
            Kind::Dump => {
                let mut paths = paths;
                paths.push(tree.path(tree::FILE));
                handles::open_to_read(&paths)
            }
        };
        let puppet = Puppet::new(engine, guest, opened);
        let rules = Rules::new(kind, &tree, &names);
        let story = format!("{SEED_VARIABLE}={seed} {SEQUENCES_VARIABLE}=1\n{kind:?} {names:?}\n");
        Self {
            random,
            tree,
            rules,
            puppet,
            open: Open {
                directories: (3..).take(names.len()).collect(),
                partitions: Vec::new(),
                files: vec![1, 2],
            },
            names,
            story,
        }
    }

    fn play(&mut self, counts: &mut Counts) {
        for _ in 0..CALLS_OF_EACH {
            if self.random.below(25) == 0 {
                let did = self.tree.interfere(&mut self.random, &self.names);
                self.tell(&format!("somebody else {did}"));
                self.rules.look(&self.tree);
            }
            let drawn = draw(&mut self.random, &self.open);
            self.tell(&drawn.to_string());
            counts.calls += 1;
            self.make(&drawn, counts);
            self.rules.assert_kept(&self.tree, &self.story);
            counts.changes += usize::from(self.rules.changed());
            counts.sealed += usize::from(self.rules.any_sealed());
            if drawn.fills_a_buffer {
                self.assert_told();
            }
        }
    }

    /// Makes a call. One that ends a guest does not end this one.
    fn make(&mut self, drawn: &Drawn, counts: &mut Counts) {
        for (which, path) in drawn.paths.iter().enumerate() {
            self.puppet.path(which, path);
        }
        self.puppet.prepare(&drawn.text);
        match self.puppet.call(drawn.name, &drawn.arguments) {
            Ok(0) => {
                counts.succeeded.insert(drawn.name);
                self.note(drawn);
            }
            Ok(error) => self.tell(&format!("  error {error}")),
            Err(error) => {
                let line = match exit_code(error) {
                    Ok(code) => format!("exit code {code}"),
                    Err(error) => error.to_string(),
                };
                assert!(!line.contains('\n'), "{}{line}", self.story);
                self.tell(&format!("  {line}"));
            }
        }
    }

    fn tell(&mut self, line: &str) {
        self.story.extend(["  ", line, "\n"]);
    }

    /// Keeps what a call returned that went well.
    fn note(&mut self, drawn: &Drawn) {
        match drawn.name {
            "path_open" if drawn.returns_a_number => {
                let opened = self.puppet.result();
                self.tell(&format!("  is {opened}"));
                if drawn.arguments[4] & AS_DIRECTORY == 0 {
                    self.open.files.push(opened);
                } else {
                    self.open.directories.push(opened);
                    if drawn.paths[0].ends_with(b"__cluster_metadata-0") {
                        self.open.partitions.push(opened);
                    }
                }
            }
            "fd_close" | "fd_renumber" => self.open.forget(drawn.arguments[0]),
            "path_filestat_get" | "fd_filestat_get" if drawn.returns_a_number => {
                let inode = self.puppet.result_inode();
                let may = self.rules.may_inspect(&self.tree, inode);
                assert!(may, "{}it knows of {inode}", self.story);
            }
            _ => {}
        }
    }

    /// Asserts that the guest was told nothing that it may not know.
    fn assert_told(&mut self) {
        let told = &mut self.puppet.memory()[BUFFER..];
        for secret in self.rules.secrets() {
            let found = told
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(!found, "{}it knows of {secret:?}", self.story);
        }
        told.fill(0);
    }

    fn end(self) {
        let overwritten = self.tree.overwritten();
        assert!(overwritten.is_empty(), "{}{overwritten:?}", self.story);
        let printed = self.puppet.ended();
        let printed = String::from_utf8_lossy(&printed);
        let steers = printed.contains(|c: char| c.is_control() && c != '\n');
        assert!(!steers, "{}it printed {printed:?}", self.story);
    }
}
