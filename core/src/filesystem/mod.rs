//! The file system as the core sees it: handles on directories, about ten
//! operations, no ambient paths.
//!
//! A shell implements [`Filesystem`] and [`Directory`]; the core decides what
//! to call. Every method documents its result, its errors by kind, and what it
//! promises after a crash; `docs/DURABILITY.md` states the fault model that the
//! promises are made in.
//!
//! Names given to [`Directory`] methods are single path components: never
//! empty, `.` or `..`, and never with a `/`. No method follows a symbolic link
//! in that component.

mod fault;
mod path;
mod read_file;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

pub use fault::{ErrorKind, Fault, FsError, Operation};
pub use path::{clean, components, contains, join};
pub use read_file::ReadFile;

/// Opens log directories by the path that the user gave.
pub trait Filesystem {
    /// Opens the directory at `path`, or, where it does not exist, its nearest
    /// existing ancestor. Symbolic links are followed: a log directory may be
    /// reached through one.
    ///
    /// A path that is not found as it is spelled is cleaned lexically first
    /// (see [`clean`]), so that `/missing/../d` is `/d`.
    ///
    /// # Errors
    /// [`ErrorKind::NotADirectory`] where the path or one of its components is
    /// something else, [`ErrorKind::DanglingLink`] where the first component
    /// that is not found is a symbolic link, [`ErrorKind::PermissionDenied`],
    /// [`ErrorKind::NameTooLong`], [`ErrorKind::TooManyLinks`], and
    /// [`ErrorKind::NotPreopened`] where the sandbox has no handle above it.
    fn open(&self, path: &str) -> Result<Opened, Fault>;
}

/// A log directory that was opened, or what there is of the path to it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Opened {
    /// The log directory, or its nearest existing ancestor.
    pub directory: Box<dyn Directory>,
    /// The path of `directory`, as it is shown in messages.
    pub path: String,
    /// The components below `directory` that do not exist yet, outermost
    /// first. Empty where the log directory exists.
    pub missing: Vec<String>,
    /// The identities of the directories above `directory`, nearest first, as
    /// far up as the shell may look.
    pub above: Vec<Identity>,
}

impl Opened {
    /// Says what was opened, and what there is around it.
    pub fn new(
        directory: Box<dyn Directory>,
        path: impl Into<String>,
        missing: Vec<String>,
        above: Vec<Identity>,
    ) -> Self {
        Self {
            directory,
            path: path.into(),
            missing,
            above,
        }
    }
}

/// What tells one directory from another, whatever path it was reached by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// The device that holds the directory.
    pub device: u64,
    /// The number of the directory on that device.
    pub inode: u64,
}

/// A handle on one directory. Nothing outside of it can be reached with it.
pub trait Directory: core::fmt::Debug {
    /// Identifies the directory that this handle is open on.
    ///
    /// # Errors
    /// [`ErrorKind::InputOutput`].
    fn identity(&self) -> Result<Identity, Fault>;

    /// Looks up one name, and returns the kind of the entry, or `None` where
    /// there is none.
    ///
    /// # Errors
    /// [`ErrorKind::PermissionDenied`], [`ErrorKind::InputOutput`].
    fn lookup(&self, name: &str) -> Result<Option<EntryKind>, Fault>;

    /// Lists at most `most` entries, without `.` and `..`, in the file
    /// system's order. A name that is not UTF-8 is shown with replacement
    /// characters; no such name is ever the formatter's own.
    ///
    /// # Errors
    /// [`ErrorKind::PermissionDenied`], [`ErrorKind::InputOutput`].
    fn list(&self, most: usize) -> Result<Vec<Entry>, Fault>;

    /// Opens the directory `name`.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], [`ErrorKind::NotADirectory`] (a symbolic link
    /// too), [`ErrorKind::PermissionDenied`].
    fn open_directory(&self, name: &str) -> Result<Box<dyn Directory>, Fault>;

    /// Reads the regular file `name` whole. Never waits, whatever `name` is.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`]; [`ErrorKind::NotARegularFile`] for a directory,
    /// a symbolic link, a pipe, a socket or a device;
    /// [`ErrorKind::FileTooLarge`] where it holds more than `most_bytes`;
    /// [`ErrorKind::PermissionDenied`], [`ErrorKind::InputOutput`].
    fn read(&self, name: &str, most_bytes: usize) -> Result<Vec<u8>, Fault>;

    /// Opens the regular file `name` to read it a part at a time. Never waits,
    /// whatever `name` is.
    ///
    /// # Errors
    /// As [`read`](Self::read), but for its bound;
    /// [`ErrorKind::Unsupported`] where the shell has no such files.
    fn open_file(&self, name: &str) -> Result<Box<dyn ReadFile>, Fault> {
        let _: &str = name;
        Err(Fault::new(Operation::Open, ErrorKind::Unsupported))
    }

    /// Creates the directory `name`, with mode 0755 less the umask.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] (a dangling symbolic link too),
    /// [`ErrorKind::NoSpace`], [`ErrorKind::ReadOnly`],
    /// [`ErrorKind::PermissionDenied`], [`ErrorKind::NameTooLong`].
    ///
    /// # After a crash
    /// The entry may be lost until this directory was synced.
    fn create_directory(&self, name: &str) -> Result<(), Fault>;

    /// Creates the file `name` exclusively, with mode 0644 less the umask,
    /// writes `bytes` to it, and syncs it. An existing file is never opened.
    /// A file that could not be written whole is left as it is.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] (a symbolic link too),
    /// [`ErrorKind::NoSpace`], [`ErrorKind::ReadOnly`],
    /// [`ErrorKind::PermissionDenied`], [`ErrorKind::InputOutput`]; the fault
    /// says whether the creation, the write or the sync failed.
    ///
    /// # After a crash
    /// Once this has returned, the bytes are on stable storage; the entry may
    /// be lost until this directory was synced. Before, any prefix of the bytes
    /// may be there, or none of the file.
    fn create_file(&self, name: &str, bytes: &[u8]) -> Result<(), Fault>;

    /// Renames the entry `from` to `to` within this directory, in one step:
    /// at any time one of the two names is there. An existing file `to` is
    /// replaced.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], [`ErrorKind::IsADirectory`],
    /// [`ErrorKind::ReadOnly`], [`ErrorKind::PermissionDenied`].
    ///
    /// # After a crash
    /// The entry has the old name or the new one until this directory was
    /// synced, and the new one from then on.
    fn rename(&self, from: &str, to: &str) -> Result<(), Fault>;

    /// Renames the file `from` to `to` within this directory, which has no
    /// entry of that name: what has appeared there since it was looked at is
    /// not replaced. A platform with no such call looks a last time instead,
    /// and what appears in that instant is replaced.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] where there is a `to`; and those of
    /// [`lookup`](Self::lookup) and [`rename`](Self::rename).
    ///
    /// # After a crash
    /// As [`rename`](Self::rename).
    fn publish(&self, from: &str, to: &str) -> Result<(), Fault> {
        match self.lookup(to)? {
            None => self.rename(from, to),
            Some(_) => Err(Fault::new(Operation::Rename, ErrorKind::AlreadyExists)),
        }
    }

    /// Removes the entry `name`, which is not a directory.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], [`ErrorKind::IsADirectory`],
    /// [`ErrorKind::ReadOnly`], [`ErrorKind::PermissionDenied`].
    ///
    /// # After a crash
    /// The entry may be back until this directory was synced.
    fn remove_file(&self, name: &str) -> Result<(), Fault>;

    /// Removes the directory `name`, which is empty.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`], [`ErrorKind::NotADirectory`],
    /// [`ErrorKind::DirectoryNotEmpty`], [`ErrorKind::ReadOnly`],
    /// [`ErrorKind::PermissionDenied`].
    ///
    /// # After a crash
    /// The entry may be back until this directory was synced.
    fn remove_directory(&self, name: &str) -> Result<(), Fault>;

    /// Syncs the existing regular file `name`.
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`ErrorKind::InputOutput`] or
    /// [`ErrorKind::NoSpace`] of the sync itself.
    ///
    /// # After a crash
    /// Once this has returned, the file's bytes are on stable storage.
    fn sync_file(&self, name: &str) -> Result<(), Fault>;

    /// Syncs this directory: its entries, not what they lead to.
    ///
    /// # Errors
    /// [`ErrorKind::InputOutput`], [`ErrorKind::NoSpace`]. A platform that
    /// cannot sync a directory at all returns [`Durability::BestEffort`].
    ///
    /// # After a crash
    /// Once this has returned [`Durability::Durable`], every entry that was
    /// created, renamed or removed before is so on stable storage.
    fn sync(&self) -> Result<Durability, Fault>;

    /// Syncs the directory above this one, as [`sync`](Self::sync) does: the
    /// entry by which this one is found is then on stable storage.
    ///
    /// # Errors
    /// As [`sync`](Self::sync), and [`ErrorKind::PermissionDenied`]. A platform
    /// on which nothing above can be reached returns
    /// [`Durability::BestEffort`].
    fn sync_parent(&self) -> Result<Durability, Fault> {
        Ok(Durability::BestEffort)
    }

    /// Takes this directory for the run that holds this handle: until the
    /// handle is dropped, or the process ends however, no other run gets it.
    /// Nothing is changed on disk. A handle that holds it already keeps it.
    ///
    /// # Errors
    /// [`ErrorKind::Busy`] where another handle holds it, and
    /// [`ErrorKind::TooManyOpenFiles`]. A platform or a file system without
    /// such a lock returns [`Lock::Unsupported`].
    fn lock(&self) -> Result<Lock, Fault> {
        Ok(Lock::Unsupported)
    }

    /// Whether another process holds a record lock on the regular file `name`,
    /// as a broker does on the `.lock` of each of its log directories. A
    /// platform that cannot tell says no.
    fn is_locked(&self, _name: &str) -> bool {
        false
    }
}

/// Whether a directory was taken for one run alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// It was.
    Held,
    /// The platform has no such lock.
    Unsupported,
}

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// What a directory entry is, symbolic links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, wherever it leads.
    SymbolicLink,
    /// A pipe, a socket or a device.
    Other,
}

/// Whether a directory that was synced is on stable storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// It is.
    Durable,
    /// The platform cannot sync a directory: the entries are as durable as the
    /// platform makes them by itself.
    BestEffort,
}
