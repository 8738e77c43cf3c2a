//! A file system in memory, with the faults and crashes of a real one.
//!
//! [`MemoryFilesystem`] implements the core's `Filesystem` and hands out
//! `Directory` handles. It keeps two images: the *live* one, which calls see,
//! and the *durable* one, which a power failure leaves for certain. What lies
//! between them is pending, and [`CrashState`]s are what may become of it.
//!
//! Each call that changes the disk is one *operation*; what can fail or be cut
//! by a crash apart is one *step*. Creating a file is three steps (create,
//! write, sync), any other operation is one. Steps are counted from 0.
//!
//! ```
//! use krabka_format_core::filesystem::Filesystem as _;
//! use krabka_format_tests::memory::MemoryFilesystem;
//!
//! let disk = MemoryFilesystem::new().directory("/d");
//! let opened = disk.open("/d").unwrap();
//! opened.directory.create_file("a", b"text").unwrap();
//! assert_eq!(disk.operations(), ["create_file /d/a 4"]);
//! // The file's entry was not synced: a crash leaves it, or doesn't.
//! assert_eq!(disk.crash_states().len(), 2);
//! opened.directory.sync().unwrap();
//! assert_eq!(disk.crash_states().len(), 1);
//! ```

mod build;
mod crash;
mod handle;
mod image;
mod injection;
mod pending;
mod snapshot;
mod state;
mod walk;

use std::cell::RefCell;
use std::rc::Rc;

use krabka_format_core::filesystem::{ErrorKind, Fault, Filesystem, Opened, Operation};

pub use crash::{CRASH_STATES_MAX, CrashState, SEED_VARIABLE};
pub use injection::CRASHED;
pub use snapshot::{Content, Contents, Node, Snapshot};

use injection::Injection;
use state::State;

/// A file system in memory. A clone is another handle on the same one.
#[derive(Debug, Clone, Default)]
pub struct MemoryFilesystem {
    state: Rc<RefCell<State>>,
    process: Process,
}

/// What somebody else does to the file system.
pub(crate) type Deed = fn(&MemoryFilesystem);

/// A process that has handles on the file system.
pub(crate) type Process = u8;

impl MemoryFilesystem {
    /// Makes a file system that holds an empty root, which is also the working
    /// directory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes step `step` fail with `kind` before it does anything. What is
    /// injected at other steps stays.
    pub fn fail_at(&self, step: usize, kind: ErrorKind) {
        self.inject(Injection::Fail { step, kind });
    }

    /// Makes step `step` fail with `kind`, a write after half of the bytes.
    pub fn fail_halfway_at(&self, step: usize, kind: ErrorKind) {
        self.inject(Injection::FailHalfway { step, kind });
    }

    /// Makes step `step` and every call from then on fail with
    /// [`CRASHED`], before they do anything.
    pub fn crash_at(&self, step: usize) {
        self.inject(Injection::Crash { step });
    }

    /// Goes on after the program crashed and the machine did not: what was
    /// injected is gone, steps are counted from 0 again, and what was not synced
    /// still waits to be.
    pub fn revive(&self) {
        self.state.borrow_mut().revive();
    }

    /// Makes step `step` do nothing and report success: a sync that is skipped
    /// is a defect that a crash suite must find.
    pub fn skip_at(&self, step: usize) {
        self.inject(Injection::Skip { step });
    }

    /// Has somebody else do something right before the next operation of this
    /// kind that looks at a directory or locks it.
    pub fn meanwhile(&self, operation: Operation, deed: fn(&Self)) {
        self.state.borrow_mut().meanwhile = Some((operation, deed));
    }

    /// The same file system, as another process has it. What this one locks is
    /// locked for the others.
    #[must_use]
    pub fn for_process(&self, process: u8) -> Self {
        Self {
            state: Rc::clone(&self.state),
            process,
        }
    }

    /// Ends this process: its locks are given back, whatever handles are left.
    pub fn end_process(&self) {
        let mut state = self.state.borrow_mut();
        state.locked.retain(|_, holder| *holder != self.process);
    }

    fn inject(&self, injection: Injection) {
        self.state.borrow_mut().injections.push(injection);
    }

    /// The operations called so far, failed ones too, such as
    /// `create_file /d/meta.properties.tmp 122` and `sync /d`.
    pub fn operations(&self) -> Vec<String> {
        self.state.borrow().operations.clone()
    }

    /// The steps begun so far, the one that failed or crashed too, such as
    /// `write /d/meta.properties.tmp 122`.
    pub fn steps(&self) -> Vec<String> {
        self.state.borrow().steps.clone()
    }

    /// Every node by its absolute path, with the moment of its last change:
    /// equal snapshots mean that nothing was touched in between.
    pub fn snapshot(&self) -> Snapshot {
        snapshot::of(&self.state.borrow().live)
    }

    /// Every node by its absolute path, without the moments of change: for
    /// comparing different file systems.
    pub fn contents(&self) -> Contents {
        snapshot::contents(&self.snapshot())
    }

    /// The bytes of the file at `path`, links not followed.
    pub fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        match self.contents().remove(path) {
            Some(Content::File(bytes)) => Some(bytes),
            _ => None,
        }
    }
}

impl Filesystem for MemoryFilesystem {
    fn open(&self, path: &str) -> Result<Opened, Fault> {
        handle::open(&self.state, self.process, path)
    }
}
