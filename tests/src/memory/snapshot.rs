//! A whole file system as a value that can be compared and printed.

use std::collections::BTreeMap;
use std::fmt;

use krabka_format_core::filesystem::join;

use super::image::{Body, Image, Inode, ROOT};

/// Every node by its absolute path.
pub type Snapshot = BTreeMap<String, Node>;

/// The content of every node by its absolute path.
pub type Contents = BTreeMap<String, Content>;

/// One node of a [`Snapshot`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it holds.
    pub content: Content,
    /// The moment of its last change, which stands for a time stamp: 0 where a
    /// test built it, else the number of that change in the file system.
    pub changed: u64,
}

/// What a node holds. The entries of a directory are nodes of their own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// A regular file and its bytes.
    File(Vec<u8>),
    /// A directory.
    Directory,
    /// A symbolic link and where it leads.
    Link(String),
    /// A pipe, a socket or a device.
    Other,
    /// A file or a directory of a real tree that may not be read.
    Unreadable,
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(bytes) => write!(f, "File({} bytes: {})", bytes.len(), bytes.escape_ascii()),
            Self::Directory => f.write_str("Directory"),
            Self::Link(target) => write!(f, "Link({target:?})"),
            Self::Other => f.write_str("Other"),
            Self::Unreadable => f.write_str("Unreadable"),
        }
    }
}

/// The snapshot of what can be reached in `image`.
pub(super) fn of(image: &Image) -> Snapshot {
    let mut snapshot = Snapshot::new();
    add(image, ROOT, "/".to_owned(), &mut snapshot);
    snapshot
}

/// A snapshot without the moments of change.
pub(super) fn contents(snapshot: &Snapshot) -> Contents {
    snapshot
        .iter()
        .map(|(path, node)| (path.clone(), node.content.clone()))
        .collect()
}

fn add(image: &Image, inode: Inode, path: String, snapshot: &mut Snapshot) {
    let stored = image.get(inode);
    let content = match &stored.body {
        Body::File(bytes) => Content::File(bytes.clone()),
        Body::Link(target) => Content::Link(target.clone()),
        Body::Other => Content::Other,
        Body::Directory { entries, .. } => {
            for (name, entry) in entries {
                add(image, *entry, join(&path, name), snapshot);
            }
            Content::Directory
        }
    };
    let changed = stored.changed;
    snapshot.insert(path, Node { content, changed });
}
