//! Inodes: what is on a disk.

use std::collections::BTreeMap;

use krabka_format_core::filesystem::{EntryKind, ErrorKind};

pub(super) type Inode = u64;

/// The root directory's inode, as on ext4.
pub(super) const ROOT: Inode = 2;

/// The inodes of one file system by their numbers, reachable or not.
#[derive(Debug, Clone)]
pub(super) struct Image {
    nodes: BTreeMap<Inode, Stored>,
}

/// One inode.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    pub(super) body: Body,
    pub(super) device: u64,
    /// The moment of the last change of the body: 0 for what a test built.
    pub(super) changed: u64,
    /// Whether another process holds a record lock on it.
    pub(super) is_locked: bool,
    /// What every access to it fails with.
    pub(super) inaccessible: Option<ErrorKind>,
    /// What every change in it fails with, where it is a directory.
    pub(super) unchangeable: Option<ErrorKind>,
}

#[derive(Debug, Clone)]
pub(super) enum Body {
    File(Vec<u8>),
    Directory {
        parent: Inode,
        entries: BTreeMap<String, Inode>,
    },
    Link(String),
    Other,
}

impl Body {
    pub(super) fn empty_directory(parent: Inode) -> Self {
        let entries = BTreeMap::new();
        Self::Directory { parent, entries }
    }

    pub(super) fn kind(&self) -> EntryKind {
        match self {
            Self::File(_) => EntryKind::File,
            Self::Directory { .. } => EntryKind::Directory,
            Self::Link(_) => EntryKind::SymbolicLink,
            Self::Other => EntryKind::Other,
        }
    }
}

impl Default for Image {
    fn default() -> Self {
        let mut image = Self {
            nodes: BTreeMap::new(),
        };
        image.put(ROOT, Body::empty_directory(ROOT), 1, 0);
        image
    }
}

impl Image {
    pub(super) fn get(&self, inode: Inode) -> &Stored {
        self.nodes.get(&inode).expect("an inode is never freed")
    }

    pub(super) fn get_mut(&mut self, inode: Inode) -> &mut Stored {
        self.nodes.get_mut(&inode).expect("an inode is never freed")
    }

    pub(super) fn put(&mut self, inode: Inode, body: Body, device: u64, changed: u64) {
        let stored = Stored {
            body,
            device,
            changed,
            is_locked: false,
            inaccessible: None,
            unchangeable: None,
        };
        self.nodes.insert(inode, stored);
    }

    /// The next inode number that is free.
    pub(super) fn next(&self) -> Inode {
        self.nodes.keys().next_back().map_or(ROOT, |last| last + 1)
    }

    pub(super) fn kind(&self, inode: Inode) -> EntryKind {
        self.get(inode).body.kind()
    }

    /// The entries of the directory `inode`.
    pub(super) fn entries(&self, inode: Inode) -> &BTreeMap<String, Inode> {
        match &self.get(inode).body {
            Body::Directory { entries, .. } => entries,
            other => panic!("not a directory: {other:?}"),
        }
    }

    pub(super) fn entries_mut(&mut self, inode: Inode) -> &mut BTreeMap<String, Inode> {
        match &mut self.get_mut(inode).body {
            Body::Directory { entries, .. } => entries,
            other => panic!("not a directory: {other:?}"),
        }
    }

    /// The directory above the directory `inode`; the root's is itself.
    pub(super) fn parent(&self, inode: Inode) -> Inode {
        match &self.get(inode).body {
            Body::Directory { parent, .. } => *parent,
            other => panic!("not a directory: {other:?}"),
        }
    }

    /// The absolute path of the directory `inode`.
    pub(super) fn path(&self, inode: Inode) -> String {
        if inode == ROOT {
            return "/".to_owned();
        }
        let parent = self.parent(inode);
        let name = self
            .entries(parent)
            .iter()
            .find(|(_, entry)| **entry == inode)
            .map_or("(removed)", |(name, _)| name.as_str());
        krabka_format_core::filesystem::join(&self.path(parent), name)
    }

    /// Forgets when each inode was changed.
    pub(super) fn forget_changes(&mut self) {
        for stored in self.nodes.values_mut() {
            stored.changed = 0;
        }
    }
}
