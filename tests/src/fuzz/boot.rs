//! A broker's boot over a random tree, with a fault.

use std::collections::BTreeSet;

use krabka_format_core::boot::{self, BootError, BootSettings, Node};
use krabka_format_core::format::Journal;
use krabka_format_core::ids::{Entropy, EntropyError, NodeId};

use super::Script;
use super::run::Fault;
use super::tree::{DIRECTORIES, Tree, check_foreign, marker_of};
use crate::memory::{Contents, MemoryFilesystem};
use crate::platform::FIXED_MS;

/// How many of the disks that a fault may leave are tried.
const STATES: usize = 8;

/// A boot changes nothing that it does not own and nothing where it refuses; what
/// it says is on the disk; the next one finishes what it was ended in.
pub(super) fn check(bytes: &[u8]) {
    let mut script = Script::new(bytes);
    let settings = settings(&mut script);
    let fault = Fault::of(&mut script);
    let tree = Tree::of(&mut script);

    let disk = tree.build();
    let initial = disk.contents();
    let undisturbed = boot(&settings, &disk);
    check_kept(&initial, &disk.contents());
    match &undisturbed {
        Ok(node) => check_node(node, &disk.contents()),
        Err(_) => assert_eq!(disk.contents(), initial, "a refusal changes nothing"),
    }

    let disk = tree.build();
    fault.inject(&disk);
    // A directory in which it failed may be left out.
    drop(boot(&settings, &disk));
    for state in disk.crash_states_up_to(STATES) {
        check_kept(&initial, &state.disk.contents());
        let again = boot(&settings, &state.disk);
        let unusable =
            |booted: &Result<Node, BootError>| booted.as_ref().map(|node| node.unusable.len()).ok();
        assert_eq!(unusable(&again), unusable(&undisturbed), "{again:?}");
        if let Ok(node) = &again {
            check_node(node, &state.disk.contents());
        }
    }
}

fn settings(script: &mut Script) -> BootSettings {
    let sets: [&[&str]; 5] = [
        &["/d1"],
        &["/d1", "/d2"],
        &["/d2", "/x/d3", "/x/y/d4"],
        &["/d1/", "/d2", "/d1", "/x/d3"],
        &["/l", "/d1"],
    ];
    let metadata = *script.choice(&["/d1", "/d2", "/x/d3"]);
    let node = NodeId::new(*script.choice(&[1, 2])).expect("not negative");
    BootSettings::new(metadata, script.choice(&sets).iter().copied(), node)
}

fn boot(settings: &BootSettings, disk: &MemoryFilesystem) -> Result<Node, BootError> {
    let Ok(findings) = boot::observe(disk, settings) else {
        return Err(BootError::NoneReadable);
    };
    let boot = boot::check(settings, &findings, &mut Counting(0), FIXED_MS)?;
    boot::apply(&boot, &findings, &mut Silent)
}

/// As [`check_foreign`], but a `meta.properties` without a directory id may get
/// one.
fn check_kept(before: &Contents, after: &Contents) {
    let mut after = after.clone();
    for directory in DIRECTORIES {
        let Some(old) = marker_of(before, directory) else {
            continue;
        };
        if old.directory_id().is_some() {
            continue;
        }
        let new = marker_of(&after, directory).expect("it is still there");
        assert_eq!(new.cluster_id(), old.cluster_id(), "{directory}");
        assert_eq!(new.node_id(), old.node_id(), "{directory}");
        for name in ["meta.properties", "meta.properties.tmp"] {
            let path = format!("{directory}/{name}");
            if let Some(content) = before.get(&path) {
                after.insert(path, content.clone());
            }
        }
    }
    check_foreign(before, &after);
}

/// Each directory of a node has a `meta.properties` with the ids that it has,
/// and no two have one id.
fn check_node(node: &Node, contents: &Contents) {
    let mut ids = BTreeSet::new();
    for directory in &node.directories {
        let path = match directory.path.as_str() {
            "/l" => "/d2",
            path => path.trim_end_matches('/'),
        };
        let properties = marker_of(contents, path).expect("it was written");
        assert_eq!(properties.cluster_id(), node.cluster_id, "{path}");
        assert_eq!(properties.node_id(), node.node_id.get(), "{path}");
        assert_eq!(properties.directory_id(), Some(directory.directory_id));
        assert!(ids.insert(directory.directory_id), "{path}");
    }
}

/// Entropy that is different each time, and no more.
struct Counting(u8);

impl Entropy for Counting {
    fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
        self.0 += 1;
        Ok([self.0; 16])
    }
}

struct Silent;

impl Journal for Silent {
    fn announce(&mut self, _line: &str) {}
}
