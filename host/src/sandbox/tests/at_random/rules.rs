//! The table of `docs/SANDBOX.md`, written once more, as what may differ between
//! two looks at the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::tree::{Entry, HIDDEN, Look, STAGED, Tree};

const MARKER: &str = "meta.properties";
const TEMPORARY: &str = "meta.properties.tmp";
const PARTITION: &str = "__cluster_metadata-0";
const CHECKPOINT: &str = "00000000000000000000-0000000000.checkpoint";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Format,
    DryRun,
    Dump,
}

/// What a directory is to the guest.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Role {
    /// It is on the way to log directories that are missing: what may be created
    /// there, and what that is.
    Way(BTreeMap<String, Role>),
    LogDirectory,
    /// The directory of the metadata log in the directory of that inode.
    Partition(u64),
}

impl Role {
    /// The way over these names to a log directory.
    fn way(names: &[&str]) -> Self {
        match names.split_first() {
            None => Self::LogDirectory,
            Some((first, rest)) => {
                Self::Way(BTreeMap::from([((*first).to_owned(), Self::way(rest))]))
            }
        }
    }

    fn merge(&mut self, other: Self) {
        if let (Self::Way(ours), Self::Way(theirs)) = (self, other) {
            for (name, role) in theirs {
                match ours.get_mut(&name) {
                    Some(our) => our.merge(role),
                    None => drop(ours.insert(name, role)),
                }
            }
        }
    }
}

pub(super) struct Rules {
    kind: Kind,
    /// By inode.
    roles: BTreeMap<u64, Role>,
    /// The inodes that the guest may know of: of what is above, and of what was a
    /// marker, or had a role, at some time.
    known: BTreeSet<u64>,
    seen: Look,
    changed: bool,
}

impl Rules {
    /// The rules for a guest that is given these log directories.
    pub(super) fn new(kind: Kind, tree: &Tree, names: &[&str]) -> Self {
        let mut rules = Self {
            kind,
            roles: BTreeMap::new(),
            known: tree.above().into_iter().collect(),
            seen: tree.look(),
            changed: false,
        };
        for name in names {
            rules.give(name);
        }
        rules.spread();
        rules
    }

    fn give(&mut self, name: &str) {
        let ancestors = Path::new(name).ancestors();
        for ancestor in ancestors {
            if let Some(entry) = self.seen.get(ancestor) {
                self.known.insert(entry.inode);
            }
        }
        let found = ancestors.into_iter().find_map(|ancestor| {
            let entry = self.seen.get(ancestor)?;
            Some((ancestor, entry.inode))
        });
        let (ancestor, inode) = found.expect("the folder is there");
        let missing = Path::new(name).strip_prefix(ancestor).expect("it is above");
        let missing: Vec<&str> = missing.iter().filter_map(|name| name.to_str()).collect();
        if missing.is_empty() && is_sealed(&self.seen, inode) {
            return;
        }
        let role = Role::way(&missing);
        match self.roles.get_mut(&inode) {
            Some(ours) => ours.merge(role),
            None => drop(self.roles.insert(inode, role)),
        }
    }

    /// Finds what has appeared, or was there, in the directories that have a role.
    fn spread(&mut self) {
        for (path, entry) in &self.seen {
            let (Some(name), true) = (path.file_name(), entry.is_directory()) else {
                continue;
            };
            let role = match self.roles.get(&entry.within) {
                Some(Role::Way(names)) => name.to_str().and_then(|name| names.get(name).cloned()),
                Some(Role::LogDirectory) if name == PARTITION => {
                    Some(Role::Partition(entry.within))
                }
                _ => None,
            };
            if let Some(role) = role {
                self.roles.entry(entry.inode).or_insert(role);
            }
        }
        let markers = self.seen.iter().filter(|(path, _)| path.ends_with(MARKER));
        self.known.extend(markers.map(|(_, entry)| entry.inode));
        self.known.extend(self.roles.keys());
        let there: BTreeSet<u64> = self.seen.values().map(|entry| entry.inode).collect();
        self.roles.retain(|inode, _| there.contains(inode));
    }

    /// Looks at what somebody else did.
    pub(super) fn look(&mut self, tree: &Tree) {
        self.seen = tree.look();
        self.spread();
    }

    /// Asserts that nothing differs but what may.
    pub(super) fn assert_kept(&mut self, tree: &Tree, story: &str) {
        let before = std::mem::replace(&mut self.seen, tree.look());
        let paths: BTreeSet<_> = before.keys().chain(self.seen.keys()).collect();
        let differing = paths
            .into_iter()
            .map(|path| (path, before.get(path), self.seen.get(path)))
            .filter(|(_, before, after)| before != after);
        let mut changed = false;
        for (path, was, is) in differing {
            let name = path.file_name().and_then(|name| name.to_str());
            let may = match (was, is) {
                (None, Some(is)) => self.may_appear(tree, &before, name.unwrap_or(""), is),
                (Some(was), None) => self.may_disappear(&before, name.unwrap_or(""), was),
                (Some(was), Some(is)) => self.may_differ(tree, &before, name, was, is),
                (None, None) => true,
            };
            changed = true;
            assert!(may, "{story}{}: {was:?}, {is:?}", path.display());
        }
        self.changed = changed;
        self.spread();
    }

    /// Whether the last call changed something.
    pub(super) const fn changed(&self) -> bool {
        self.changed
    }

    /// Whether a log directory was formatted since the guest was given it.
    pub(super) fn any_sealed(&self) -> bool {
        let mut directories = self.roles.iter();
        directories
            .any(|(inode, role)| *role == Role::LogDirectory && is_sealed(&self.seen, *inode))
    }

    /// What may be changed in a directory, if anything.
    fn open(&self, before: &Look, directory: u64) -> Option<&Role> {
        let role = self.roles.get(&directory)?;
        let sealed = match role {
            Role::Way(_) => false,
            Role::LogDirectory => is_sealed(before, directory),
            Role::Partition(of) => is_sealed(before, *of),
        };
        (self.kind == Kind::Format && !sealed).then_some(role)
    }

    fn may_appear(&self, tree: &Tree, before: &Look, name: &str, is: &Entry) -> bool {
        let is_new_file = is.is_file() && is.links == 1 && is.size == 0 && !tree.is_kept(is.inode);
        match self.open(before, is.within) {
            None => false,
            Some(Role::Way(names)) => names.contains_key(name) && is.is_directory(),
            Some(Role::LogDirectory) if name == MARKER => {
                let temporary = |look: &Look| {
                    let mut entries = look.iter();
                    entries
                        .find(|(path, entry)| {
                            path.ends_with(TEMPORARY) && entry.within == is.within
                        })
                        .map(|(_, entry)| entry.inode)
                };
                is.is_file()
                    && temporary(before) == Some(is.inode)
                    && temporary(&self.seen).is_none()
            }
            Some(Role::LogDirectory) if name == PARTITION => is.is_directory(),
            Some(Role::LogDirectory) => is_own_file(name) && is_new_file,
            Some(Role::Partition(_)) => name == CHECKPOINT && is_new_file,
        }
    }

    fn may_disappear(&self, before: &Look, name: &str, was: &Entry) -> bool {
        match self.open(before, was.within) {
            None | Some(Role::Way(_)) => false,
            Some(Role::LogDirectory) if name == PARTITION => {
                let is_empty = !before.values().any(|entry| entry.within == was.inode);
                was.is_directory() && is_empty
            }
            Some(Role::LogDirectory) => is_own_file(name) && was.is_file(),
            Some(Role::Partition(_)) => name == CHECKPOINT && was.is_file(),
        }
    }

    fn may_differ(
        &self,
        tree: &Tree,
        before: &Look,
        name: Option<&str>,
        was: &Entry,
        is: &Entry,
    ) -> bool {
        if (was.inode, was.mode) != (is.inode, is.mode) {
            return false;
        }
        if was.is_directory() {
            // One of its entries came or went: whether it may have, it was asked.
            return inodes_in(before, was.inode) != inodes_in(&self.seen, was.inode);
        }
        // Another of its names was removed or changed.
        let unlinked = names_of(before, was.inode) != names_of(&self.seen, was.inode);
        let untouched = (was.size, was.modified) == (is.size, is.modified);
        if untouched && (unlinked || was.changed == is.changed) {
            return true;
        }
        let is_own = match self.open(before, was.within) {
            Some(Role::LogDirectory) => name.is_some_and(is_own_file),
            Some(Role::Partition(_)) => name == Some(CHECKPOINT),
            Some(Role::Way(_)) | None => false,
        };
        is_own && was.is_file() && is.size >= was.size && !tree.is_kept(was.inode)
    }

    /// Whether the guest may know the status of a file: that of a directory it was
    /// given or may enter, of a marker in it, of what is above, or of its own.
    pub(super) fn may_inspect(&self, tree: &Tree, inode: u64) -> bool {
        if self.kind == Kind::Dump {
            return self
                .seen
                .iter()
                .filter(|(_, entry)| entry.inode == inode)
                .all(|(path, _)| !path.to_string_lossy().contains(HIDDEN));
        }
        self.known.contains(&inode) || !tree.is_kept(inode)
    }

    /// What the guest is never told.
    pub(super) const fn secrets(&self) -> &[&str] {
        match self.kind {
            Kind::Dump => &[HIDDEN],
            Kind::Format | Kind::DryRun => &[HIDDEN, STAGED],
        }
    }
}

const fn is_own_file(name: &str) -> bool {
    matches!(
        name.as_bytes(),
        b"meta.properties.tmp" | b"bootstrap.records.bin" | b"bootstrap.json"
    )
}

fn is_sealed(look: &Look, directory: u64) -> bool {
    look.iter()
        .any(|(path, entry)| entry.within == directory && path.ends_with(MARKER))
}

fn inodes_in(look: &Look, directory: u64) -> Vec<(&Path, u64)> {
    let entries = look.iter();
    let inside = entries.filter(|(_, entry)| entry.within == directory);
    inside
        .map(|(path, entry)| (path.as_path(), entry.inode))
        .collect()
}

fn names_of(look: &Look, inode: u64) -> Vec<&Path> {
    let entries = look.iter();
    let named = entries.filter(|(_, entry)| entry.inode == inode);
    named.map(|(path, _)| path.as_path()).collect()
}
