//! The core's traits over the state.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use krabka_format_core::filesystem::{
    Directory, Durability, Entry, EntryKind, ErrorKind, Fault, Identity, Lock, Opened, Operation,
};

use super::image::{Body, Image, Inode, ROOT};
use super::state::{Existing, State};
use super::walk::walk;
use super::{MemoryFilesystem, Process};

/// A handle on one directory in memory.
struct Handle {
    state: Rc<RefCell<State>>,
    inode: Inode,
    process: Process,
    /// Whether this handle holds the directory's lock.
    locked: Cell<bool>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        if self.locked.get() {
            let locked = &mut self.state.borrow_mut().locked;
            if locked.get(&self.inode) == Some(&self.process) {
                locked.remove(&self.inode);
            }
        }
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({})", self.state.borrow().live.path(self.inode))
    }
}

/// Opens the directory at `path`, or its nearest existing ancestor.
pub(super) fn open(
    state: &Rc<RefCell<State>>,
    process: Process,
    path: &str,
) -> Result<Opened, Fault> {
    let shared = Rc::clone(state);
    let state = state.borrow();
    state.alive(Operation::Open)?;
    let reached = walk(&state.live, state.working_directory, path)
        .map_err(|kind| Fault::new(Operation::Open, kind))?;
    let inode = reached.directory;
    let directory = Box::new(Handle::new(shared, process, inode));
    let above = above(&state.live, inode);
    Ok(Opened::new(directory, reached.path, reached.missing, above))
}

fn above(live: &Image, inode: Inode) -> Vec<Identity> {
    let mut identities = Vec::new();
    let mut current = inode;
    while current != ROOT {
        current = live.parent(current);
        identities.push(identity(live, current));
    }
    identities
}

fn identity(live: &Image, inode: Inode) -> Identity {
    let device = live.get(inode).device;
    Identity { device, inode }
}

impl Handle {
    fn new(state: Rc<RefCell<State>>, process: Process, inode: Inode) -> Self {
        Self {
            state,
            process,
            inode,
            locked: Cell::new(false),
        }
    }

    /// Lets somebody else act before `operation`.
    fn meanwhile(&self, operation: Operation) {
        let mut state = self.state.borrow_mut();
        let due = state.meanwhile.take_if(|(at, _)| *at == operation);
        drop(state);
        if let Some((_, deed)) = due {
            deed(&MemoryFilesystem {
                state: Rc::clone(&self.state),
                process: Process::MAX,
            });
        }
    }

    /// Looks at the state, on behalf of `operation`.
    fn look<T>(
        &self,
        operation: Operation,
        at: impl FnOnce(&State) -> Result<T, ErrorKind>,
    ) -> Result<T, Fault> {
        self.meanwhile(operation);
        let state = self.state.borrow();
        state.alive(operation)?;
        at(&state).map_err(|kind| Fault::new(operation, kind))
    }
}

impl Directory for Handle {
    fn identity(&self) -> Result<Identity, Fault> {
        self.look(Operation::Inspect, |state| {
            Ok(identity(&state.live, self.inode))
        })
    }

    fn lookup(&self, name: &str) -> Result<Option<EntryKind>, Fault> {
        self.look(Operation::Inspect, |state| {
            let entry = state.entry(self.inode, name)?;
            Ok(entry.map(|inode| state.live.kind(inode)))
        })
    }

    fn list(&self, most: usize) -> Result<Vec<Entry>, Fault> {
        self.look(Operation::List, |state| {
            state.accessible(self.inode)?;
            let mut entries: Vec<Entry> = state
                .live
                .entries(self.inode)
                .iter()
                .map(|(name, inode)| Entry {
                    name: name.clone(),
                    kind: state.live.kind(*inode),
                })
                .collect();
            // Like a real file system's order: always the same, and no order
            // that anything may depend on.
            entries.sort_by_key(|entry| entry.name.bytes().rev().collect::<Vec<u8>>());
            entries.truncate(most);
            Ok(entries)
        })
    }

    fn open_directory(&self, name: &str) -> Result<Box<dyn Directory>, Fault> {
        self.look(Operation::Open, |state| {
            let inode = state.entry(self.inode, name)?.ok_or(ErrorKind::NotFound)?;
            if state.live.kind(inode) != EntryKind::Directory {
                return Err(ErrorKind::NotADirectory);
            }
            let below = Self::new(Rc::clone(&self.state), self.process, inode);
            Ok(Box::new(below) as Box<dyn Directory>)
        })
    }

    fn read(&self, name: &str, most_bytes: usize) -> Result<Vec<u8>, Fault> {
        self.look(Operation::Read, |state| {
            let inode = state.regular_file(self.inode, name)?;
            match &state.live.get(inode).body {
                Body::File(bytes) if bytes.len() <= most_bytes => Ok(bytes.clone()),
                Body::File(_) => Err(ErrorKind::FileTooLarge),
                other => panic!("not a file: {other:?}"),
            }
        })
    }

    fn create_directory(&self, name: &str) -> Result<(), Fault> {
        self.state.borrow_mut().create_directory(self.inode, name)
    }

    fn create_file(&self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        self.state.borrow_mut().create_file(self.inode, name, bytes)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Fault> {
        let mut state = self.state.borrow_mut();
        state.rename(self.inode, from, to, Existing::Replaced)
    }

    fn publish(&self, from: &str, to: &str) -> Result<(), Fault> {
        let mut state = self.state.borrow_mut();
        state.rename(self.inode, from, to, Existing::Refused)
    }

    fn remove_file(&self, name: &str) -> Result<(), Fault> {
        self.state.borrow_mut().remove_file(self.inode, name)
    }

    fn remove_directory(&self, name: &str) -> Result<(), Fault> {
        self.state.borrow_mut().remove_directory(self.inode, name)
    }

    fn sync_file(&self, name: &str) -> Result<(), Fault> {
        self.state.borrow_mut().sync_file(self.inode, name)
    }

    fn sync(&self) -> Result<Durability, Fault> {
        let line = format!("sync {}", self.state.borrow().live.path(self.inode));
        self.state.borrow_mut().sync(self.inode, line)
    }

    fn sync_parent(&self) -> Result<Durability, Fault> {
        let mut state = self.state.borrow_mut();
        let line = format!("sync_parent {}", state.live.path(self.inode));
        let parent = state.live.parent(self.inode);
        state.sync(parent, line)
    }

    /// Who may not list a directory may not open it, as a lock does.
    fn lock(&self) -> Result<Lock, Fault> {
        self.meanwhile(Operation::Lock);
        let mut state = self.state.borrow_mut();
        state.alive(Operation::Lock)?;
        let accessible = state.accessible(self.inode);
        accessible.map_err(|kind| Fault::new(Operation::Lock, kind))?;
        if !state.locks_directories {
            return Ok(Lock::Unsupported);
        }
        if !self.locked.get() && state.locked.contains_key(&self.inode) {
            return Err(Fault::new(Operation::Lock, ErrorKind::Busy));
        }
        state.locked.insert(self.inode, self.process);
        self.locked.set(true);
        Ok(Lock::Held)
    }

    fn is_locked(&self, name: &str) -> bool {
        let state = self.state.borrow();
        let file = state.regular_file(self.inode, name);
        file.is_ok_and(|inode| state.live.get(inode).is_locked)
    }
}
