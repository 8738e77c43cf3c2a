//! The two kinds of lock: the formatter's own, on a directory, and a broker's,
//! on the file `.lock` in it.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use cap_std::fs::{Dir, File, MetadataExt};
use krabka_format_core::filesystem::Identity;
use rustix::fs::{FlockOperation, flock};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Flock, FlockType, fcntl_getlk};

use crate::directory::open_for_sync;

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
        let open = open_for_sync(directory)?;
        match retry_on_intr(|| flock(&open, FlockOperation::NonBlockingLockExclusive)) {
            Ok(()) => Ok(Some(Self { _open: open })),
            Err(Errno::WOULDBLOCK) => Err(Errno::BUSY.into()),
            // NFS makes a record lock of it, which no directory can have.
            Err(_) => Ok(None),
        }
    }
}

/// The directories that were taken for one run of the guest, which knows no
/// locks.
#[derive(Debug, Default)]
pub(crate) struct DirectoryLocks {
    /// `None` where a directory has no such lock.
    held: Mutex<BTreeMap<Identity, Option<DirectoryLock>>>,
}

impl DirectoryLocks {
    /// Takes a directory until this is dropped, unless it is held already,
    /// however it was reached, and returns whether no other run has it. One that
    /// may not be opened is not taken: it cannot be listed, and is therefore not
    /// written either.
    ///
    /// # Errors
    /// What the platform says.
    pub(crate) fn take(&self, directory: &Dir) -> io::Result<bool> {
        let metadata = directory.dir_metadata()?;
        let identity = Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
        };
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.contains_key(&identity) {
            return Ok(true);
        }
        let lock = match DirectoryLock::take(directory) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => return Ok(false),
            taken => taken?,
        };
        held.insert(identity, lock);
        Ok(true)
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
