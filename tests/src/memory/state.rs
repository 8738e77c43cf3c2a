//! The state of a file system, and what each change does to it.

use std::collections::{BTreeMap, BTreeSet};

use krabka_format_core::filesystem::{Durability, EntryKind, ErrorKind, Fault, Operation, join};

use super::image::{Body, Image, Inode, ROOT};
use super::injection::{Injection, Verdict, crashed};
use super::pending::{Change, Edit, Pending};
use super::walk::check_name;
use super::{Deed, Process};

#[derive(Debug, Clone)]
pub(super) struct State {
    /// What calls see.
    pub(super) live: Image,
    /// What a power failure leaves for certain.
    pub(super) durable: Image,
    /// The entries by which the two differ.
    pub(super) pending: Pending,
    /// The files whose bytes differ.
    pub(super) unsynced: BTreeSet<Inode>,
    pub(super) working_directory: Inode,
    /// Whether a directory can be synced at all.
    pub(super) syncs_directories: bool,
    /// Whether a directory can be locked at all.
    pub(super) locks_directories: bool,
    /// The directories that are locked, and the process that has a handle which
    /// holds the lock.
    pub(super) locked: BTreeMap<Inode, Process>,
    pub(super) injections: Vec<Injection>,
    /// What somebody else does right before the next such operation.
    pub(super) meanwhile: Option<(Operation, Deed)>,
    pub(super) operations: Vec<String>,
    pub(super) steps: Vec<String>,
    has_crashed: bool,
    moment: u64,
}

/// What becomes of a file whose name another one is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Existing {
    Replaced,
    Refused,
}

/// How a step that doesn't fail goes on.
enum Gate {
    Proceed,
    Skip,
    Halfway(ErrorKind),
}

impl Default for State {
    fn default() -> Self {
        Self::of(Image::default(), ROOT)
    }
}

impl State {
    /// A state in which `image` is durable.
    pub(super) fn of(image: Image, working_directory: Inode) -> Self {
        Self {
            durable: image.clone(),
            live: image,
            pending: Pending::default(),
            unsynced: BTreeSet::new(),
            working_directory,
            syncs_directories: true,
            locks_directories: true,
            locked: BTreeMap::new(),
            injections: Vec::new(),
            meanwhile: None,
            operations: Vec::new(),
            steps: Vec::new(),
            has_crashed: false,
            moment: 0,
        }
    }

    /// Goes on after a crash of the program that the machine survived.
    pub(super) fn revive(&mut self) {
        self.has_crashed = false;
        self.injections.clear();
        self.operations.clear();
        self.steps.clear();
    }

    /// Makes everything durable that is live.
    pub(super) fn settle(&mut self) {
        self.durable = self.live.clone();
        self.pending = Pending::default();
        self.unsynced.clear();
    }

    pub(super) fn create_directory(&mut self, directory: Inode, name: &str) -> Result<(), Fault> {
        let operation = Operation::Create;
        self.begin_step(
            operation,
            format!("create_directory {}", self.path(directory, name)),
        )?;
        if let Gate::Skip = self.gate(operation)? {
            return Ok(());
        }
        self.add(directory, name, Body::empty_directory(directory))
            .map_err(|kind| Fault::new(operation, kind))?;
        Ok(())
    }

    pub(super) fn create_file(
        &mut self,
        directory: Inode,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), Fault> {
        let path = self.path(directory, name);
        let size = bytes.len();
        self.begin(Operation::Create, format!("create_file {path} {size}"))?;

        self.steps.push(format!("create {path}"));
        if let Gate::Skip = self.gate(Operation::Create)? {
            return Ok(());
        }
        let inode = self
            .add(directory, name, Body::File(Vec::new()))
            .map_err(|kind| Fault::new(Operation::Create, kind))?;

        self.steps.push(format!("write {path} {size}"));
        match self.gate(Operation::Write)? {
            Gate::Proceed => self.write(inode, bytes),
            Gate::Skip => {}
            Gate::Halfway(kind) => {
                self.write(inode, &bytes[..size / 2]);
                return Err(Fault::new(Operation::Write, kind));
            }
        }

        self.steps.push(format!("sync {path}"));
        if let Gate::Proceed = self.gate(Operation::Sync)? {
            self.settle_file(directory, inode);
        }
        Ok(())
    }

    pub(super) fn rename(
        &mut self,
        directory: Inode,
        from: &str,
        to: &str,
        existing: Existing,
    ) -> Result<(), Fault> {
        let operation = Operation::Rename;
        let (old, new) = (self.path(directory, from), self.path(directory, to));
        self.begin_step(operation, format!("rename {old} {new}"))?;
        if let Gate::Skip = self.gate(operation)? {
            return Ok(());
        }
        let inode = self
            .renamable(directory, from, to, existing)
            .map_err(|kind| Fault::new(operation, kind))?;
        if from != to {
            let (from, to) = (from.to_owned(), to.to_owned());
            self.edit(directory, Edit::Rename { from, to, inode });
        }
        Ok(())
    }

    pub(super) fn remove_file(&mut self, directory: Inode, name: &str) -> Result<(), Fault> {
        self.remove("remove_file", directory, name, |live, inode| {
            match live.kind(inode) {
                EntryKind::Directory => Err(ErrorKind::IsADirectory),
                EntryKind::File | EntryKind::SymbolicLink | EntryKind::Other => Ok(()),
            }
        })
    }

    pub(super) fn remove_directory(&mut self, directory: Inode, name: &str) -> Result<(), Fault> {
        self.remove("remove_directory", directory, name, |live, inode| {
            if live.kind(inode) != EntryKind::Directory {
                Err(ErrorKind::NotADirectory)
            } else if live.entries(inode).is_empty() {
                Ok(())
            } else {
                Err(ErrorKind::DirectoryNotEmpty)
            }
        })
    }

    pub(super) fn sync_file(&mut self, directory: Inode, name: &str) -> Result<(), Fault> {
        let operation = Operation::Sync;
        self.begin_step(
            operation,
            format!("sync_file {}", self.path(directory, name)),
        )?;
        if let Gate::Skip = self.gate(operation)? {
            return Ok(());
        }
        let inode = self
            .regular_file(directory, name)
            .map_err(|kind| Fault::new(operation, kind))?;
        self.settle_file(directory, inode);
        Ok(())
    }

    pub(super) fn sync(&mut self, directory: Inode, line: String) -> Result<Durability, Fault> {
        let operation = Operation::Sync;
        self.begin_step(operation, line)?;
        let gate = self.gate(operation)?;
        self.accessible(directory)
            .map_err(|kind| Fault::new(operation, kind))?;
        if !self.syncs_directories {
            return Ok(Durability::BestEffort);
        }
        if let Gate::Proceed = gate {
            self.pending.settle_directory(directory, &mut self.durable);
        }
        Ok(Durability::Durable)
    }

    /// The inode of the regular file `name`.
    pub(super) fn regular_file(&self, directory: Inode, name: &str) -> Result<Inode, ErrorKind> {
        let inode = self.entry(directory, name)?.ok_or(ErrorKind::NotFound)?;
        if self.live.kind(inode) != EntryKind::File {
            return Err(ErrorKind::NotARegularFile);
        }
        self.accessible(inode)?;
        Ok(inode)
    }

    /// The inode of the entry `name`, where there is one.
    pub(super) fn entry(&self, directory: Inode, name: &str) -> Result<Option<Inode>, ErrorKind> {
        assert_component(name);
        self.accessible(directory)?;
        check_name(name)?;
        Ok(self.live.entries(directory).get(name).copied())
    }

    pub(super) fn accessible(&self, inode: Inode) -> Result<(), ErrorKind> {
        match &self.live.get(inode).inaccessible {
            Some(kind) => Err(kind.clone()),
            None => Ok(()),
        }
    }

    /// Refuses every call after a crash.
    pub(super) fn alive(&self, operation: Operation) -> Result<(), Fault> {
        if self.has_crashed {
            return Err(Fault::new(operation, crashed()));
        }
        Ok(())
    }

    fn begin(&mut self, operation: Operation, line: String) -> Result<(), Fault> {
        self.alive(operation)?;
        self.operations.push(line);
        Ok(())
    }

    /// Begins an operation of a single step.
    fn begin_step(&mut self, operation: Operation, line: String) -> Result<(), Fault> {
        self.begin(operation, line.clone())?;
        self.steps.push(line);
        Ok(())
    }

    /// Lets the step that was begun last pass, or fails it.
    fn gate(&mut self, operation: Operation) -> Result<Gate, Fault> {
        let step = self.steps.len() - 1;
        match Injection::verdict(&self.injections, step) {
            Verdict::Proceed => Ok(Gate::Proceed),
            Verdict::Skip => Ok(Gate::Skip),
            Verdict::FailHalfway(kind) if operation == Operation::Write => Ok(Gate::Halfway(kind)),
            Verdict::Fail(kind) | Verdict::FailHalfway(kind) => Err(Fault::new(operation, kind)),
            Verdict::Crash => {
                self.has_crashed = true;
                Err(Fault::new(operation, crashed()))
            }
        }
    }

    fn remove(
        &mut self,
        verb: &str,
        directory: Inode,
        name: &str,
        check: impl FnOnce(&Image, Inode) -> Result<(), ErrorKind>,
    ) -> Result<(), Fault> {
        let operation = Operation::Remove;
        self.begin_step(operation, format!("{verb} {}", self.path(directory, name)))?;
        if let Gate::Skip = self.gate(operation)? {
            return Ok(());
        }
        self.changeable(directory)
            .and_then(|()| self.entry(directory, name)?.ok_or(ErrorKind::NotFound))
            .and_then(|inode| check(&self.live, inode))
            .map_err(|kind| Fault::new(operation, kind))?;
        let name = name.to_owned();
        self.edit(directory, Edit::Remove { name });
        Ok(())
    }

    fn renamable(
        &self,
        directory: Inode,
        from: &str,
        to: &str,
        existing: Existing,
    ) -> Result<Inode, ErrorKind> {
        self.changeable(directory)?;
        let inode = self.entry(directory, from)?.ok_or(ErrorKind::NotFound)?;
        let Some(replaced) = self.entry(directory, to)? else {
            return Ok(inode);
        };
        if existing == Existing::Refused {
            return Err(ErrorKind::AlreadyExists);
        }
        match (self.live.kind(inode), self.live.kind(replaced)) {
            (_, EntryKind::Directory) if from != to => Err(ErrorKind::IsADirectory),
            (EntryKind::Directory, _) if from != to => Err(ErrorKind::NotADirectory),
            _ => Ok(inode),
        }
    }

    /// Adds a new inode under a new name.
    fn add(&mut self, directory: Inode, name: &str, body: Body) -> Result<Inode, ErrorKind> {
        self.changeable(directory)?;
        if self.entry(directory, name)?.is_some() {
            return Err(ErrorKind::AlreadyExists);
        }
        let inode = self.live.next();
        let device = self.live.get(directory).device;
        // The durable image holds the inode too, empty and without a name.
        self.durable.put(inode, body.clone(), device, 0);
        self.live.put(inode, body, device, 0);
        self.touch(inode);
        let name = name.to_owned();
        self.edit(directory, Edit::Add { name, inode });
        Ok(inode)
    }

    fn edit(&mut self, directory: Inode, edit: Edit) {
        let change = Change { directory, edit };
        change.apply(self.live.entries_mut(directory));
        self.pending.push(change);
        self.touch(directory);
    }

    fn write(&mut self, inode: Inode, bytes: &[u8]) {
        self.live.get_mut(inode).body = Body::File(bytes.to_vec());
        self.unsynced.insert(inode);
        self.touch(inode);
    }

    fn settle_file(&mut self, directory: Inode, inode: Inode) {
        self.durable.get_mut(inode).body = self.live.get(inode).body.clone();
        self.unsynced.remove(&inode);
        if !self.syncs_directories {
            self.pending
                .settle_names(directory, inode, &mut self.durable);
        }
    }

    fn touch(&mut self, inode: Inode) {
        self.moment += 1;
        self.live.get_mut(inode).changed = self.moment;
    }

    fn changeable(&self, directory: Inode) -> Result<(), ErrorKind> {
        self.accessible(directory)?;
        if let Some(kind) = &self.live.get(directory).unchangeable {
            return Err(kind.clone());
        }
        let above = self.live.parent(directory);
        let linked = self
            .live
            .entries(above)
            .values()
            .any(|entry| *entry == directory);
        if linked || directory == ROOT {
            Ok(())
        } else {
            Err(ErrorKind::NotFound)
        }
    }

    fn path(&self, directory: Inode, name: &str) -> String {
        join(&self.live.path(directory), name)
    }
}

/// The traits' contract: names are single components.
fn assert_component(name: &str) {
    assert!(
        !matches!(name, "" | "." | "..") && !name.contains('/'),
        "not the name of an entry: {name:?}"
    );
}
