//! The core's handle on a directory, over cap-std.

use std::cell::OnceCell;
use std::io::{self, Write};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{
    Dir, DirBuilder, DirBuilderExt, DirEntry, File, FileType, MetadataExt, OpenOptions,
    OpenOptionsExt,
};
use krabka_format_cli::{OpenFile, fault, read_bounded};
use krabka_format_core::filesystem::{
    Directory, Durability, Entry, EntryKind, ErrorKind, Fault, Identity, Lock, Operation, ReadFile,
};
use rustix::io::Errno;

use crate::ambient;
use crate::lock::{DirectoryLock, has_record_lock};

/// The permissions of a new directory, less the umask.
const DIRECTORY_MODE: u32 = 0o755;
/// The permissions of a new file, less the umask.
const FILE_MODE: u32 = 0o644;

/// A handle on one directory of the operating system.
#[derive(Debug)]
pub(crate) struct NativeDirectory {
    directory: Dir,
    /// Where this handle took the directory for one run alone.
    lock: OnceCell<DirectoryLock>,
}

impl NativeDirectory {
    /// Wraps a handle.
    pub(crate) fn new(directory: Dir) -> Self {
        Self {
            directory,
            lock: OnceCell::new(),
        }
    }
}

impl Directory for NativeDirectory {
    fn identity(&self) -> Result<Identity, Fault> {
        let metadata = self
            .directory
            .dir_metadata()
            .map_err(failed(Operation::Inspect))?;
        Ok(Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
        })
    }

    fn lookup(&self, name: &str) -> Result<Option<EntryKind>, Fault> {
        match self.directory.symlink_metadata(name) {
            Ok(metadata) => Ok(Some(entry_kind(metadata.file_type()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(fault(Operation::Inspect, &error)),
        }
    }

    fn list(&self, most: usize) -> Result<Vec<Entry>, Fault> {
        let entries = self.directory.entries().map_err(failed(Operation::List))?;
        entries
            .take(most)
            .map(|entry| entry.and_then(|entry| describe(&entry)))
            .collect::<io::Result<_>>()
            .map_err(failed(Operation::List))
    }

    fn open_directory(&self, name: &str) -> Result<Box<dyn Directory>, Fault> {
        let opened = self.directory.open_dir_nofollow(name);
        let directory = opened.map_err(|error| match fault(Operation::Open, &error) {
            // No link is followed, so that one is all this can be about.
            Fault {
                operation,
                kind: ErrorKind::TooManyLinks,
                ..
            } => Fault::new(operation, ErrorKind::NotADirectory),
            other => other,
        })?;
        Ok(Box::new(Self::new(directory)))
    }

    fn read(&self, name: &str, most_bytes: usize) -> Result<Vec<u8>, Fault> {
        read_bounded(
            open_regular(&self.directory, name, Operation::Read)?,
            most_bytes,
        )
    }

    fn open_file(&self, name: &str) -> Result<Box<dyn ReadFile>, Fault> {
        let file = open_regular(&self.directory, name, Operation::Open)?;
        Ok(Box::new(OpenFile::new(file.into_std())?))
    }

    fn create_directory(&self, name: &str) -> Result<(), Fault> {
        create_directory(&self.directory, name).map_err(failed(Operation::Create))
    }

    fn create_file(&self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let mut file = create_file(&self.directory, name).map_err(failed(Operation::Create))?;
        file.write_all(bytes).map_err(failed(Operation::Write))?;
        file.sync_all().map_err(failed(Operation::Sync))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Fault> {
        let renamed = self.directory.rename(from, &self.directory, to);
        renamed.map_err(failed(Operation::Rename))
    }

    fn publish(&self, from: &str, to: &str) -> Result<(), Fault> {
        publish(&self.directory, from, to).map_err(failed(Operation::Rename))
    }

    fn remove_file(&self, name: &str) -> Result<(), Fault> {
        self.directory
            .remove_file(name)
            .map_err(failed(Operation::Remove))
    }

    fn remove_directory(&self, name: &str) -> Result<(), Fault> {
        self.directory
            .remove_dir(name)
            .map_err(failed(Operation::Remove))
    }

    fn sync_file(&self, name: &str) -> Result<(), Fault> {
        let file = open_regular(&self.directory, name, Operation::Sync)?;
        file.sync_all().map_err(failed(Operation::Sync))
    }

    fn sync(&self) -> Result<Durability, Fault> {
        sync_opened(open_for_sync(&self.directory))
    }

    fn sync_parent(&self) -> Result<Durability, Fault> {
        let parent = ambient::open_parent(&self.directory);
        sync_opened(parent.and_then(|parent| open_for_sync(&parent)))
    }

    fn lock(&self) -> Result<Lock, Fault> {
        if self.lock.get().is_some() {
            return Ok(Lock::Held);
        }
        match DirectoryLock::take(&self.directory) {
            Ok(Some(lock)) => {
                self.lock.get_or_init(|| lock);
                Ok(Lock::Held)
            }
            Ok(None) => Ok(Lock::Unsupported),
            Err(error) => Err(fault(Operation::Lock, &error)),
        }
    }

    fn is_locked(&self, name: &str) -> bool {
        open_regular(&self.directory, name, Operation::Inspect)
            .is_ok_and(|file| has_record_lock(&file))
    }
}

fn sync_opened(opened: io::Result<File>) -> Result<Durability, Fault> {
    match opened.map_err(failed(Operation::Sync))?.sync_all() {
        Ok(()) => Ok(Durability::Durable),
        Err(error) => match fault(Operation::Sync, &error) {
            // EINVAL, ENOSYS, ENOTSUP: this file system has no such thing.
            Fault {
                kind: ErrorKind::InvalidName | ErrorKind::Unsupported,
                ..
            } => Ok(Durability::BestEffort),
            other => Err(other),
        },
    }
}

/// Creates the directory `name` in `directory`.
pub(crate) fn create_directory(directory: &Dir, name: &str) -> io::Result<()> {
    directory.create_dir_with(name, DirBuilder::new().mode(DIRECTORY_MODE))
}

/// Creates the file `name` in `directory`, which must not exist, for writing.
pub(crate) fn create_file(directory: &Dir, name: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(FILE_MODE);
    options.follow(FollowSymlinks::No);
    directory.open_with(name, &options)
}

/// Renames the entry `from` of `directory` to `to`, which must not exist. Where
/// the system or the file system cannot promise that, it is looked at first.
pub(crate) fn publish(directory: &Dir, from: &str, to: &str) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    match rustix::fs::renameat_with(
        directory,
        from,
        directory,
        to,
        rustix::fs::RenameFlags::NOREPLACE,
    ) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
        renamed => return renamed.map_err(io::Error::from),
    }
    match directory.symlink_metadata(to) {
        Ok(_) => Err(Errno::EXIST.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            directory.rename(from, directory, to)
        }
        Err(error) => Err(error),
    }
}

/// Opens the entry `name` of `directory` for reading, without following a
/// link and without waiting for the other end of a pipe.
fn open_for_reading(directory: &Dir, name: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true);
    options.follow(FollowSymlinks::No);
    directory.open_with(name, &options)
}

/// Opens `directory` itself as a file, for its sync: the handle does not
/// allow that.
pub(crate) fn open_for_sync(directory: &Dir) -> io::Result<File> {
    directory.open(".")
}

/// Opens the regular file `name`. What is anything else is not opened at all,
/// since opening a device may have an effect; what has become something else
/// in between is closed again.
pub(crate) fn open_regular(
    directory: &Dir,
    name: &str,
    operation: Operation,
) -> Result<File, Fault> {
    let not_regular = || Fault::new(operation, ErrorKind::NotARegularFile);
    let metadata = directory.symlink_metadata(name);
    if !metadata.map_err(failed(operation))?.is_file() {
        return Err(not_regular());
    }
    let file = open_for_reading(directory, name).map_err(failed(operation))?;
    if file.metadata().map_err(failed(operation))?.is_file() {
        Ok(file)
    } else {
        Err(not_regular())
    }
}

fn describe(entry: &DirEntry) -> io::Result<Entry> {
    Ok(Entry {
        name: entry.file_name().to_string_lossy().into_owned(),
        kind: entry_kind(file_type(entry)?),
    })
}

/// The type of a listed entry. Some file systems don't list it.
pub(crate) fn file_type(entry: &DirEntry) -> io::Result<FileType> {
    let listed = entry.file_type()?;
    if listed == FileType::unknown() {
        Ok(entry.metadata()?.file_type())
    } else {
        Ok(listed)
    }
}

fn entry_kind(file_type: FileType) -> EntryKind {
    if file_type.is_file() {
        EntryKind::File
    } else if file_type.is_dir() {
        EntryKind::Directory
    } else if file_type.is_symlink() {
        EntryKind::SymbolicLink
    } else {
        EntryKind::Other
    }
}

fn failed(operation: Operation) -> impl Fn(io::Error) -> Fault {
    move |error| fault(operation, &error)
}

#[cfg(test)]
mod tests;
