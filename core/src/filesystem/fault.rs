//! What can go wrong with one operation on the file system.

use alloc::string::String;
use core::fmt;

use crate::shown::Shown;

/// Why an operation failed. Its text is the core's own, so that every form of
/// the program says the same where the platforms' texts differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no such entry.
    NotFound,
    /// There is an entry of that name already.
    AlreadyExists,
    /// The operation is not permitted, by the file system or by the sandbox.
    PermissionDenied,
    /// A component of the path is not a directory.
    NotADirectory,
    /// The entry is a directory where a file was expected.
    IsADirectory,
    /// The entry is not a regular file.
    NotARegularFile,
    /// The directory that was to be removed holds something.
    DirectoryNotEmpty,
    /// The name is longer than the file system allows.
    NameTooLong,
    /// The name cannot be used on this platform.
    InvalidName,
    /// Too many symbolic links were met on the way.
    TooManyLinks,
    /// A directory holds as many directories as the file system allows.
    TooManyDirectories,
    /// The path ends at a symbolic link that leads nowhere.
    DanglingLink,
    /// The file system is full.
    NoSpace,
    /// The user's quota is used up.
    QuotaExceeded,
    /// The file system is mounted read-only.
    ReadOnly,
    /// The file is larger than what is read, or than the platform allows.
    FileTooLarge,
    /// The device failed.
    InputOutput,
    /// The file system is damaged.
    Damaged,
    /// The file system no longer knows what the handle is open on.
    StaleHandle,
    /// The file system did not answer in time.
    TimedOut,
    /// The program or the host that serves the file system is gone.
    NotConnected,
    /// The device is gone.
    NoDevice,
    /// The process has too many files open.
    TooManyOpenFiles,
    /// The system has no memory left for the operation.
    OutOfMemory,
    /// The entry is in use.
    Busy,
    /// A signal interrupted the operation.
    Interrupted,
    /// The platform does not have this operation.
    Unsupported,
    /// No preopened directory holds the path.
    NotPreopened {
        /// The names of the preopened directories.
        preopened: alloc::vec::Vec<String>,
    },
    /// Anything else, in the platform's words.
    Other(String),
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFound => "no such file or directory",
            Self::AlreadyExists => "it already exists",
            Self::PermissionDenied => "permission denied",
            Self::NotADirectory => "not a directory",
            Self::IsADirectory => "is a directory",
            Self::NotARegularFile => "not a regular file",
            Self::DirectoryNotEmpty => "the directory is not empty",
            Self::NameTooLong => "the file name is too long",
            Self::InvalidName => "the name is not valid",
            Self::TooManyLinks => "too many levels of symbolic links",
            Self::TooManyDirectories => "there are too many directories beside it",
            Self::DanglingLink => "a symbolic link that leads nowhere",
            Self::NoSpace => "no space left on the device",
            Self::QuotaExceeded => "the disk quota is exceeded",
            Self::ReadOnly => "the file system is read-only",
            Self::FileTooLarge => "the file is too large",
            Self::InputOutput => "input/output error",
            Self::Damaged => "the file system is damaged",
            Self::StaleHandle => "stale file handle",
            Self::TimedOut => "timed out",
            Self::NotConnected => "the file system is not connected",
            Self::NoDevice => "no such device",
            Self::TooManyOpenFiles => "too many open files",
            Self::OutOfMemory => "out of memory",
            Self::Busy => "the resource is busy",
            Self::Interrupted => "interrupted",
            Self::Unsupported => "not supported by this platform",
            Self::NotPreopened { preopened } => return not_preopened(f, preopened),
            Self::Other(text) => return write!(f, "{}", Shown(text)),
        })
    }
}

fn not_preopened(f: &mut fmt::Formatter<'_>, preopened: &[String]) -> fmt::Result {
    f.write_str("it lies under no preopened directory (preopened: ")?;
    for (index, name) in preopened.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{}", Shown(name))?;
    }
    if preopened.is_empty() {
        f.write_str("none")?;
    }
    f.write_str("); give the runtime a directory above it, e.g. --dir HOST_DIR::GUEST_DIR")
}

/// What was being done when a fault occurred, as the middle of
/// "cannot … PATH".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// Opening a directory.
    Open,
    /// Identifying a directory, or looking up a name.
    Inspect,
    /// Listing a directory.
    List,
    /// Reading a file.
    Read,
    /// Creating a directory or a file.
    Create,
    /// Writing to a file that was created.
    Write,
    /// Syncing a file or a directory.
    Sync,
    /// Taking a directory for one run alone.
    Lock,
    /// Renaming an entry.
    Rename,
    /// Removing an entry.
    Remove,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Inspect => "inspect",
            Self::List => "list",
            Self::Read => "read",
            Self::Create => "create",
            Self::Write => "write",
            Self::Sync => "sync",
            Self::Lock => "lock",
            Self::Rename => "rename",
            Self::Remove => "remove",
        })
    }
}

/// A failed operation, as a shell reports it. The core adds the path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// What was being done.
    pub operation: Operation,
    /// Why it failed.
    pub kind: ErrorKind,
}

impl Fault {
    /// Makes a fault.
    pub const fn new(operation: Operation, kind: ErrorKind) -> Self {
        Self { operation, kind }
    }

    /// Adds the path that the operation was about.
    pub fn at(self, path: impl Into<String>) -> FsError {
        FsError {
            path: path.into(),
            fault: self,
        }
    }
}

/// A failed operation and the path it was about:
/// `cannot write /d/bootstrap.json: no space left on the device`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot {} {}: {}", fault.operation, Shown(path), fault.kind)]
#[non_exhaustive]
pub struct FsError {
    /// The path, as it is shown in messages.
    pub path: String,
    /// What failed, and why.
    pub fault: Fault,
}
