//! What the guest may do, as a value: an allow list by name and by operation.
//! What is not on it is refused, whatever the guest asks.

mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(crate) use tables::{files_to_read, formatted_log_directory, log_directory};

/// The name by which a grant says what may be done with the directory itself.
/// To enter and to inspect that is part of holding a handle on it.
pub(crate) const ITSELF: &str = ".";

/// The name by which a grant says what may be done with the directory above: at
/// most to sync it.
pub(crate) const ABOVE_ITSELF: &str = "..";

/// Something that may be done with one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    /// To ask for the kind, the size and the identity of the entry.
    Inspect,
    /// To list the directory.
    List,
    /// To open the directory: what may be done in it has a grant of its own.
    Enter,
    /// The same, and the host takes the directory for this run alone.
    Take,
    /// To open the regular file for reading.
    Read,
    /// To sync the regular file or the directory.
    Sync,
    /// To create the file, which must not exist, write it, and sync it.
    Create,
    /// To create the directory.
    CreateDirectory,
    /// To rename the regular file, within the directory.
    RenameFrom,
    /// To rename a file to this name, which must not exist.
    RenameTo,
    /// To remove the regular file.
    Remove,
    /// To remove the empty directory.
    RemoveDirectory,
    /// To end all changes in the directory and below it, by being there: nothing
    /// that the guest does, but what an entry of the name does to the others.
    Seal,
}

impl Operation {
    /// Whether it changes nothing.
    const fn only_looks(self) -> bool {
        matches!(self, Self::Inspect | Self::List | Self::Enter | Self::Read)
    }

    /// Whether it changes nothing that can be seen: to sync does no harm to
    /// another run.
    const fn looks_or_syncs(self) -> bool {
        self.only_looks() || matches!(self, Self::Sync)
    }
}

/// What may be done in one directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Grant {
    names: BTreeMap<String, Allowed>,
    /// Whether another run has the directory, so that the guest is told so when
    /// it asks to write in it.
    taken_by_another: bool,
}

/// What may be done with one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Allowed {
    operations: BTreeSet<Operation>,
    /// What may be done in the directory of that name.
    below: Arc<Grant>,
}

impl Grant {
    /// Makes a grant of a table: a name, and what may be done with it.
    pub(crate) fn of<'a>(table: impl IntoIterator<Item = (&'a str, &'a [Operation])>) -> Self {
        let mut grant = Self::default();
        for (name, operations) in table {
            grant.name(name).operations.extend(operations);
        }
        grant
    }

    /// Adds what may be done in the directory `name`.
    pub(crate) fn with_below(mut self, name: &str, below: &Self) -> Self {
        Arc::make_mut(&mut self.name(name).below).merge(below);
        self
    }

    /// Adds what another grant allows.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (name, theirs) in &other.names {
            let ours = self.name(name);
            ours.operations.extend(&theirs.operations);
            Arc::make_mut(&mut ours.below).merge(&theirs.below);
        }
        self.taken_by_another |= other.taken_by_another;
    }

    /// What of this grant changes nothing.
    pub(crate) fn without_changes(&self) -> Self {
        self.only(Operation::only_looks)
    }

    /// What is left of this grant where another run has the directory: the guest
    /// looks at it as a native run does, and changes nothing.
    pub(crate) fn of_another_run(&self) -> Self {
        Self {
            taken_by_another: true,
            ..self.only(Operation::looks_or_syncs)
        }
    }

    /// Whether another run has the directory.
    pub(crate) const fn is_taken_by_another(&self) -> bool {
        self.taken_by_another
    }

    fn only(&self, kept: fn(Operation) -> bool) -> Self {
        let names = self.names.iter().map(|(name, allowed)| {
            let operations = allowed.operations.iter().copied();
            let allowed = Allowed {
                operations: operations.filter(|one| kept(*one)).collect(),
                below: Arc::new(allowed.below.only(kept)),
            };
            (name.clone(), allowed)
        });
        Self {
            names: names.collect(),
            taken_by_another: self.taken_by_another,
        }
    }

    /// Whether an operation on a name is allowed.
    pub(crate) fn allows(&self, name: &str, operation: Operation) -> bool {
        self.names
            .get(name)
            .is_some_and(|allowed| allowed.operations.contains(&operation))
    }

    /// Whether anything is granted of a name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// What may be done in the directory `name`.
    pub(crate) fn below(&self, name: &str) -> Arc<Self> {
        let allowed = self.names.get(name);
        allowed.map_or_else(Arc::default, |allowed| Arc::clone(&allowed.below))
    }

    /// The name that ends all changes where there is an entry of it.
    pub(crate) fn seal(&self) -> Option<&str> {
        let mut names = self.names.iter();
        names
            .find(|(_, allowed)| allowed.operations.contains(&Operation::Seal))
            .map(|(name, _)| name.as_str())
    }

    /// How many directories can be entered, this one among them.
    pub(crate) fn directories(&self) -> usize {
        let below = self
            .names
            .values()
            .filter(|allowed| allowed.operations.contains(&Operation::Enter));
        below.fold(1, |count, allowed| {
            count.saturating_add(allowed.below.directories())
        })
    }

    fn name(&mut self, name: &str) -> &mut Allowed {
        self.names.entry(name.to_owned()).or_default()
    }
}

#[cfg(test)]
mod tests;
