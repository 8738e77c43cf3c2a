//! Changes of directory entries that are not on stable storage yet.

use std::collections::BTreeMap;

use super::image::{Image, Inode};

/// One change of the entries of one directory, atomic by itself.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) directory: Inode,
    pub(super) edit: Edit,
}

#[derive(Debug, Clone)]
pub(super) enum Edit {
    /// A file or a directory was created.
    Add { name: String, inode: Inode },
    /// An entry was removed.
    Remove { name: String },
    /// An entry got another name, in place of what had it.
    Rename {
        from: String,
        to: String,
        inode: Inode,
    },
}

impl Change {
    /// Does it on `entries`, which are its directory's.
    pub(super) fn apply(&self, entries: &mut BTreeMap<String, Inode>) {
        match &self.edit {
            Edit::Add { name, inode } => {
                entries.insert(name.clone(), *inode);
            }
            Edit::Remove { name } => {
                entries.remove(name);
            }
            Edit::Rename { from, to, inode } => {
                entries.remove(from);
                entries.insert(to.clone(), *inode);
            }
        }
    }

    /// Whether both changes are about one name in one directory: the later
    /// one is then never on disk without the earlier one.
    pub(super) fn shares_name(&self, other: &Self) -> bool {
        self.directory == other.directory
            && self.names().iter().any(|name| other.names().contains(name))
    }

    fn names(&self) -> Vec<&str> {
        match &self.edit {
            Edit::Add { name, .. } | Edit::Remove { name } => vec![name],
            Edit::Rename { from, to, .. } => vec![from, to],
        }
    }

    /// The inode that the change gives a name to.
    fn inode(&self) -> Option<Inode> {
        match &self.edit {
            Edit::Add { inode, .. } | Edit::Rename { inode, .. } => Some(*inode),
            Edit::Remove { .. } => None,
        }
    }
}

/// The changes that are pending, in the order in which they were made.
#[derive(Debug, Clone, Default)]
pub(super) struct Pending {
    changes: Vec<Change>,
}

impl Pending {
    pub(super) fn push(&mut self, change: Change) {
        self.changes.push(change);
    }

    pub(super) fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Makes every change in `directory` durable.
    pub(super) fn settle_directory(&mut self, directory: Inode, durable: &mut Image) {
        self.settle(durable, |change| change.directory == directory);
    }

    /// Makes the name of `inode` in `directory` durable, and the names of the
    /// directories above: what ext4, xfs and btrfs do when a file is synced.
    pub(super) fn settle_names(&mut self, directory: Inode, inode: Inode, durable: &mut Image) {
        let mut kept = vec![false; self.changes.len()];
        for (index, change) in self.changes.iter().enumerate().rev() {
            let needed = change.directory == directory && change.inode() == Some(inode);
            let before_needed = self
                .changes
                .iter()
                .zip(&kept)
                .any(|(later, kept)| *kept && later.shares_name(change));
            if needed || before_needed {
                kept[index] = true;
            }
        }
        let mut kept = kept.into_iter();
        self.settle(durable, |_| kept.next() == Some(true));
        let above = durable.parent(directory);
        if above != directory {
            self.settle_names(above, directory, durable);
        }
    }

    fn settle(&mut self, durable: &mut Image, mut chosen: impl FnMut(&Change) -> bool) {
        self.changes.retain(|change| {
            let settled = chosen(change);
            if settled {
                change.apply(durable.entries_mut(change.directory));
            }
            !settled
        });
    }
}
