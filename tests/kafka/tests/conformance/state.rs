//! What log directories are before a run: every state, and sets of them.

use std::fs;
use std::path::Path;

use krabka_format_core::ids::Uuid;
use krabka_format_kafka_tests::node::Node;

use crate::both::Scene;

pub(crate) const CLUSTER: &str = "4L6g3nShT-eMCtK--X86sw";

/// The same id in the spelling that only its text differs in.
pub(crate) const PADDED: &str = "4L6g3nShT-eMCtK--X86sw==";

/// What a log directory is before the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Absent,
    Empty,
    Formatted,
    NoDirectoryId,
    OtherCluster,
    OtherNode,
    Reserved,
    /// With the id that all of this state have.
    Duplicate,
    /// With the cluster id in another spelling.
    Padded,
    /// With an empty `meta.properties`, which Kafka reads as version 0.
    Version0,
    /// With a `meta.properties` that lacks a key.
    Damaged,
    /// With one that is no properties file.
    Malformed,
    /// With a directory in the place of the file.
    FileIsDirectory,
    /// A file in the place of the directory.
    PlainFile,
    /// With what an unfinished run of the product leaves.
    Interrupted,
    /// With a file that no formatter writes.
    Foreign,
}

use State::*;

pub(crate) const STATES: [State; 16] = [
    Absent,
    Empty,
    Formatted,
    NoDirectoryId,
    OtherCluster,
    OtherNode,
    Reserved,
    Duplicate,
    Padded,
    Version0,
    Damaged,
    Malformed,
    FileIsDirectory,
    PlainFile,
    Interrupted,
    Foreign,
];

impl State {
    fn build(self, path: &Path, number: u8) {
        let file = |content: &str| {
            fs::create_dir(path).expect("its place is free");
            fs::write(path.join("meta.properties"), content).expect("there is room");
        };
        let own = Uuid::from_bytes([b'0' + number; 16]).to_string();
        let sound = |cluster: &str, node: i32, directory: &str| {
            file(&format!(
                "#\n#Mon Nov 30 06:10:30 UTC 2026\nnode.id={node}\ndirectory.id={directory}\n\
                 version=1\ncluster.id={cluster}\n"
            ));
        };
        match self {
            Absent => {}
            Empty => fs::create_dir(path).expect("its place is free"),
            Formatted => sound(CLUSTER, 1, &own),
            NoDirectoryId => file(&format!("version=1\nnode.id=1\ncluster.id={CLUSTER}\n")),
            OtherCluster => sound("AQIDBAUGBwgJCgsMDQ4PEA", 1, &own),
            OtherNode => sound(CLUSTER, 2, &own),
            Reserved => sound(CLUSTER, 1, "AAAAAAAAAAAAAAAAAAAAAQ"),
            Duplicate => sound(CLUSTER, 1, "AQIDBAUGBwgJCgsMDQ4PEA"),
            Padded => sound(PADDED, 1, &own),
            Version0 => file(""),
            Damaged => file("version=1\nnode.id=1\n"),
            Malformed => file("version=1\ncluster.id=\\u12\n"),
            FileIsDirectory => {
                fs::create_dir_all(path.join("meta.properties")).expect("its place is free");
            }
            PlainFile => fs::write(path, "data").expect("there is room"),
            Interrupted => {
                fs::create_dir(path).expect("its place is free");
                fs::write(path.join("meta.properties.tmp"), "version").expect("there is room");
            }
            Foreign => {
                fs::create_dir(path).expect("its place is free");
                fs::write(path.join("data"), "data").expect("there is room");
            }
        }
    }

    /// Listed: what Kafka has to find for the answer that is right for the
    /// product. Version 0 does not read, and the spelling of an id says nothing.
    pub(crate) const fn for_kafka(self) -> Self {
        match self {
            Version0 => Damaged,
            Padded => Formatted,
            other => other,
        }
    }

    /// Whether its `meta.properties` does not read.
    pub(crate) const fn is_unreadable(self) -> bool {
        matches!(
            self,
            Version0 | Damaged | Malformed | FileIsDirectory | PlainFile
        )
    }

    /// Whether its `meta.properties` reads.
    pub(crate) const fn is_formatted(self) -> bool {
        !matches!(self, Absent | Empty | Interrupted | Foreign) && !self.is_unreadable()
    }
}

/// A set, the metadata log directory of which is named where `metadata` is.
#[derive(Debug, Clone)]
pub(crate) struct Set {
    pub(crate) states: Vec<State>,
    pub(crate) metadata: Option<usize>,
    pub(crate) ignore_formatted: bool,
}

pub(crate) fn name(number: usize) -> String {
    format!("d{number}")
}

impl Set {
    pub(crate) fn build(&self, directory: &Path, seen_as: impl Fn(State) -> State) {
        for (number, state) in self.states.iter().enumerate() {
            let own = u8::try_from(number).expect("few directories");
            seen_as(*state).build(&directory.join(name(number)), own);
        }
    }

    pub(crate) fn node(&self, scene: &Scene) -> Node {
        let paths: Vec<String> = (0..self.states.len())
            .map(|number| scene.path(&name(number)))
            .collect();
        let mut node = Node::new(CLUSTER, &paths);
        node.metadata_log_dir = self.metadata.map(|number| paths[number].clone());
        // The same default for every release.
        node.flags.push("--release-version=4.3".to_owned());
        if self.ignore_formatted {
            node.flags.push("--ignore-formatted".to_owned());
        }
        node
    }

    /// The numbers of the directories in the product's order.
    pub(crate) fn in_order(&self) -> Vec<usize> {
        let metadata = self.metadata.unwrap_or(0);
        let mut order = vec![metadata];
        order.extend((0..self.states.len()).filter(|number| *number != metadata));
        order
    }

    pub(crate) fn first(&self, is: impl Fn(State) -> bool) -> Option<usize> {
        self.in_order()
            .into_iter()
            .find(|number| is(self.states[*number]))
    }

    /// The set that Kafka is given. Listed: where a run was interrupted after it
    /// had formatted others, the product finishes it, as with
    /// `--ignore-formatted`.
    pub(crate) fn for_kafka(&self) -> Self {
        let mut set = self.clone();
        let metadata = self.states[self.metadata.unwrap_or(0)];
        set.ignore_formatted |= metadata == Interrupted;
        set
    }
}
