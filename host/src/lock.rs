//! The two kinds of lock: the formatter's own, on a directory, and a broker's,
//! on the file `.lock` in it.

use std::io;

use cap_std::fs::{Dir, File};
use rustix::fs::{FlockOperation, flock};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Flock, FlockType, fcntl_getlk};

/// A directory that was taken for one run alone: its own `flock`, which leaves
/// nothing on disk, and which the kernel gives back when the process ends.
#[derive(Debug)]
pub(crate) struct DirectoryLock {
    /// The lock lives as long as this is open.
    _open: File,
}

impl DirectoryLock {
    /// Takes a directory without waiting, or returns `None` where its file
    /// system has no such lock.
    ///
    /// # Errors
    /// EBUSY where it is taken, and what the platform says where it cannot be
    /// opened.
    pub(crate) fn take(directory: &Dir) -> io::Result<Option<Self>> {
        // The handle itself may have been opened only to look below it.
        let open = directory.open(".")?;
        match retry_on_intr(|| flock(&open, FlockOperation::NonBlockingLockExclusive)) {
            Ok(()) => Ok(Some(Self { _open: open })),
            Err(Errno::WOULDBLOCK) => Err(Errno::BUSY.into()),
            // NFS makes a record lock of it, which no directory can have.
            Err(_) => Ok(None),
        }
    }
}

/// Whether another process holds a record lock on any part of a file: Java's
/// `FileChannel.tryLock`, by which a broker holds its `.lock`.
///
/// A process that closes a file loses its own record locks on it, so this is
/// not to be asked about a file that this process has locked.
pub(crate) fn has_record_lock(file: &File) -> bool {
    let whole = Flock::from(FlockType::WriteLock);
    fcntl_getlk(file, &whole).is_ok_and(|held| held.is_some())
}
