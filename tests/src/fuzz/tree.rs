//! Random trees of log directories, and what no run may do to them.

use krabka_format_core::ids::{ClusterId, DirectoryId, NodeId, Uuid};
use krabka_format_core::meta_properties::MetaProperties;

use super::Script;
use crate::memory::{Content, Contents, MemoryFilesystem};

/// The log directories.
pub(super) const DIRECTORIES: [&str; 4] = ["/d1", "/d2", "/x/d3", "/x/y/d4"];

/// The names below a log directory that the formatter may write or remove while
/// there is no `meta.properties`.
const OURS: [&str; 5] = [
    "meta.properties.tmp",
    "bootstrap.json",
    "bootstrap.records.bin",
    "__cluster_metadata-0",
    "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
];

/// INV-3: what is not ours by name is as it was, and so is every
/// `meta.properties`.
pub(super) fn check_foreign(before: &Contents, after: &Contents) {
    for (path, content) in before {
        let is_ours = DIRECTORIES.iter().any(|directory| {
            let name = path
                .strip_prefix(directory)
                .and_then(|name| name.strip_prefix('/'));
            name.is_some_and(|name| OURS.contains(&name))
                && !before.contains_key(&format!("{directory}/meta.properties"))
        });
        if !is_ours {
            assert_eq!(after.get(path), Some(content), "INV-3: {path}");
        }
    }
}

/// INV-6: what was formatted is of the set's cluster and node, and has an id of
/// its own.
pub(super) fn check_ids(arguments: &[&str], before: &Contents, after: &Contents) {
    let of_the_set = |directory: &&&str| {
        let directory = directory.trim_start_matches('/');
        let named = |argument: &&str| {
            argument
                .split(['=', ','])
                .any(|path| path.trim_matches('/') == directory)
        };
        arguments.iter().any(named)
    };
    let set: Vec<(&str, MetaProperties)> = DIRECTORIES
        .iter()
        .filter(of_the_set)
        .filter_map(|directory| Some((*directory, marker_of(after, directory)?)))
        .collect();
    for (directory, properties) in &set {
        if marker_of(before, directory).is_some() {
            continue;
        }
        for (other, of_other) in &set {
            assert_eq!(
                of_other.cluster_id(),
                properties.cluster_id(),
                "INV-6: {set:#?}"
            );
            assert_eq!(of_other.node_id(), properties.node_id(), "INV-6: {set:#?}");
            let is_same = of_other.directory_id() == properties.directory_id();
            assert_eq!(is_same, other == directory, "INV-6: {set:#?}");
        }
    }
}

/// The `meta.properties` of a log directory, where it has one that reads.
pub(super) fn marker_of(contents: &Contents, directory: &str) -> Option<MetaProperties> {
    match contents.get(&format!("{directory}/meta.properties"))? {
        Content::File(bytes) => MetaProperties::parse(bytes).ok(),
        _ => None,
    }
}

/// What is on the disk before.
pub(super) struct Tree(Vec<(String, Node)>);

enum Node {
    Directory,
    File(Vec<u8>),
    Link(String),
    Fifo,
}

impl Tree {
    pub(super) fn of(script: &mut Script) -> Self {
        let mut nodes = vec![("/l".to_owned(), Node::Link("/d2".to_owned()))];
        while !script.is_over() && nodes.len() < 24 {
            let directory = *script.choice(&DIRECTORIES);
            let names = [
                "",
                "meta.properties",
                "meta.properties.tmp",
                "bootstrap.json",
                "bootstrap.records.bin",
                "__cluster_metadata-0",
                "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint",
                "__cluster_metadata-0/00000000000000000000.log",
                "orders-0/00000000000000000000.log",
                "lost+found",
                "a\n\u{1b}[2J",
            ];
            let name = *script.choice(&names);
            let node = match script.byte() % 6 {
                0 | 1 => Node::File(marker(script)),
                2 => Node::File(script.bytes().to_vec()),
                3 => Node::Directory,
                4 => Node::Link(script.choice(&["/d1", "/d2", "/nowhere", "."]).to_string()),
                _ => Node::Fifo,
            };
            let path = format!("{directory}/{name}");
            let clashes = |(known, kind): &(String, Node)| {
                *known == path
                    || known.starts_with(&format!("{path}/"))
                    || path.starts_with(&format!("{known}/")) && !matches!(kind, Node::Directory)
            };
            if name.is_empty() {
                nodes.push((directory.to_owned(), Node::Directory));
            } else if !nodes.iter().any(clashes) {
                nodes.push((path, node));
            }
        }
        Self(nodes)
    }

    pub(super) fn build(&self) -> MemoryFilesystem {
        let mut disk = MemoryFilesystem::new();
        for (path, node) in &self.0 {
            disk = match node {
                Node::Directory => disk.directory(path),
                Node::File(bytes) => disk.file(path, bytes.clone()),
                Node::Link(target) => disk.link(path, target),
                Node::Fifo => disk.fifo(path),
            };
        }
        disk
    }
}

/// A `meta.properties` of some node of some cluster; of Kafka before 3.7, which
/// gave no directory id, at times.
fn marker(script: &mut Script) -> Vec<u8> {
    let cluster = ClusterId(Uuid::from_bytes([*script.choice(&[1, 2]); 16]));
    let node = NodeId::new(*script.choice(&[1, 2])).expect("not negative");
    let directory = script.byte();
    if directory == u8::MAX {
        return format!("cluster.id={cluster}\nnode.id={node}\nversion=1\n").into_bytes();
    }
    let directory = DirectoryId(Uuid::from_bytes([directory | 2; 16]));
    MetaProperties::new(cluster, node, directory).write(0)
}
