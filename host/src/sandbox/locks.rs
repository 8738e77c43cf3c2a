//! The directories that the host takes for the guest, which knows no locks.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use cap_std::fs::{Dir, MetadataExt};
use krabka_format_core::filesystem::Identity;

use crate::lock::DirectoryLock;

/// The directories that were taken for one run of the guest.
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
