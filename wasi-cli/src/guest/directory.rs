//! One directory, as the core works on it.
//!
//! Every call names one entry of an open directory and follows no symbolic
//! link in it. Modes are not set: WASI has none, and the runtime creates files
//! and directories as its own umask says.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::{BorrowedFd, OwnedFd};

use krabka_format_cli::{OpenFile, fault, read_bounded};
use krabka_format_core::filesystem::{
    Directory, Durability, Entry, EntryKind, ErrorKind, Fault, Identity, Lock, Operation, ReadFile,
    join,
};
use rustix::fs::{
    AtFlags, Dir, DirEntry, FileType, Mode, OFlags, Stat, fstat, fsync, mkdirat, openat, renameat,
    statat, unlinkat,
};
use rustix::io::Errno;
use rustix::path::Arg;

/// What the runtimes answer that cannot sync a directory: each has a number of
/// its own for it.
const CANNOT_SYNC: [Errno; 6] = [
    Errno::BADF,
    Errno::INVAL,
    Errno::ISDIR,
    Errno::NOSYS,
    Errno::NOTSUP,
    Errno::NOTCAPABLE,
];

/// An open directory.
#[derive(Debug)]
pub(crate) struct GuestDirectory {
    handle: OwnedFd,
    /// The preopened directory and the path below it by which it was opened,
    /// unless that was from another handle: nothing above a handle is reached
    /// by it.
    found: Option<(BorrowedFd<'static>, String)>,
}

impl GuestDirectory {
    pub(crate) fn new(handle: OwnedFd) -> Self {
        let found = None;
        Self { handle, found }
    }

    /// Adds where the directory was found.
    pub(crate) fn found(mut self, preopened: BorrowedFd<'static>, below: &str) -> Self {
        self.found = Some((preopened, below.to_owned()));
        self
    }

    fn open(&self, name: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
        openat(&self.handle, name, flags | OFlags::NOFOLLOW, Mode::empty())
    }

    fn stat(&self, name: impl Arg) -> Result<Stat, Errno> {
        statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW)
    }

    fn kind(&self, name: impl Arg) -> Result<Option<EntryKind>, Errno> {
        match self.stat(name) {
            Ok(stat) => Ok(Some(entry_kind(file_type(&stat)))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(errno),
        }
    }

    /// Opens a regular file for reading. It is looked at first: a runtime may
    /// wait for the other end of a pipe although it is asked not to. It is
    /// looked at again when it is open: it may have been replaced in between.
    fn open_regular_file(&self, name: &str, operation: Operation) -> Result<File, Fault> {
        let cannot = failed(operation);
        let seen = self.stat(name).map_err(&cannot)?;
        require_regular_file(&seen, operation)?;
        let file = self
            .open(name, OFlags::RDONLY | OFlags::NONBLOCK)
            .map_err(&cannot)?;
        let opened = fstat(&file).map_err(&cannot)?;
        require_regular_file(&opened, operation)?;
        Ok(File::from(file))
    }

    /// Describes a listed entry, or returns `None` where it was removed since.
    fn entry(&self, listed: &DirEntry) -> Result<Option<Entry>, Errno> {
        let kind = match listed.file_type() {
            FileType::Unknown => self.kind(listed.file_name())?,
            known => Some(entry_kind(known)),
        };
        let name = listed.file_name().to_string_lossy().into_owned();
        Ok(kind.map(|kind| Entry { name, kind }))
    }
}

impl Directory for GuestDirectory {
    fn identity(&self) -> Result<Identity, Fault> {
        let stat = fstat(&self.handle).map_err(failed(Operation::Inspect))?;
        Ok(identity_of(&stat))
    }

    fn lookup(&self, name: &str) -> Result<Option<EntryKind>, Fault> {
        self.kind(name).map_err(failed(Operation::Inspect))
    }

    fn list(&self, most: usize) -> Result<Vec<Entry>, Fault> {
        let cannot = failed(Operation::List);
        // Not `Dir::read_from`, which opens it again with flags guessed from
        // the rights that the runtime says the handle has.
        let listing = self
            .open(".", OFlags::RDONLY | OFlags::DIRECTORY)
            .and_then(Dir::new);
        // wasmtime lists nothing of a directory with a name that is not UTF-8.
        if matches!(listing, Err(Errno::ILSEQ)) {
            return Ok(vec![nameless()]);
        }
        listing
            .map_err(&cannot)?
            .filter(|listed| !listed.as_ref().is_ok_and(is_dot))
            .filter_map(|listed| listed.and_then(|listed| self.entry(&listed)).transpose())
            .take(most)
            .collect::<Result<_, _>>()
            .map_err(cannot)
    }

    fn open_directory(&self, name: &str) -> Result<Box<dyn Directory>, Fault> {
        let cannot = failed(Operation::Open);
        let seen = self.stat(name).map_err(&cannot)?;
        // wasmtime waits for the other end of a pipe even here.
        if file_type(&seen) != FileType::Directory {
            return Err(cannot(Errno::NOTDIR));
        }
        let opened = self.open(name, OFlags::RDONLY | OFlags::DIRECTORY);
        Ok(Box::new(Self::new(opened.map_err(cannot)?)))
    }

    fn read(&self, name: &str, most_bytes: usize) -> Result<Vec<u8>, Fault> {
        let file = self.open_regular_file(name, Operation::Read)?;
        read_bounded(file, most_bytes)
    }

    fn open_file(&self, name: &str) -> Result<Box<dyn ReadFile>, Fault> {
        let file = self.open_regular_file(name, Operation::Open)?;
        Ok(Box::new(OpenFile::new(file)?))
    }

    fn create_directory(&self, name: &str) -> Result<(), Fault> {
        mkdirat(&self.handle, name, Mode::empty()).map_err(failed(Operation::Create))
    }

    fn create_file(&self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let created = self.open(name, flags).map_err(failed(Operation::Create))?;
        let mut file = File::from(created);
        file.write_all(bytes)
            .map_err(|error| fault(Operation::Write, &error))?;
        fsync(&file).map_err(failed(Operation::Sync))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Fault> {
        renameat(&self.handle, from, &self.handle, to).map_err(failed(Operation::Rename))
    }

    fn remove_file(&self, name: &str) -> Result<(), Fault> {
        unlinkat(&self.handle, name, AtFlags::empty()).map_err(failed(Operation::Remove))
    }

    fn remove_directory(&self, name: &str) -> Result<(), Fault> {
        unlinkat(&self.handle, name, AtFlags::REMOVEDIR).map_err(failed(Operation::Remove))
    }

    fn sync_file(&self, name: &str) -> Result<(), Fault> {
        let file = self.open_regular_file(name, Operation::Sync)?;
        fsync(&file).map_err(failed(Operation::Sync))
    }

    /// The directory is opened plainly: with `O_DIRECTORY` the sandbox and
    /// others hand out a handle that cannot be synced.
    fn sync(&self) -> Result<Durability, Fault> {
        sync_opened(self.open(".", OFlags::RDONLY))
    }

    fn sync_parent(&self) -> Result<Durability, Fault> {
        let Some((preopened, below)) = &self.found else {
            return Ok(Durability::BestEffort);
        };
        let parent = join(below, "..");
        sync_opened(openat(preopened, parent, OFlags::RDONLY, Mode::empty()))
    }

    /// No runtime locks anything for its guest. The sandbox's host has taken the
    /// directory before, and says so where it could not, when it is asked to open
    /// it for writing: elsewhere as here, no directory is.
    fn lock(&self) -> Result<Lock, Fault> {
        match self.open(".", OFlags::WRONLY) {
            Err(Errno::BUSY) => Err(failed(Operation::Lock)(Errno::BUSY)),
            Ok(_) | Err(_) => Ok(Lock::Unsupported),
        }
    }
}

fn sync_opened(opened: Result<OwnedFd, Errno>) -> Result<Durability, Fault> {
    match opened.and_then(fsync) {
        Ok(()) => Ok(Durability::Durable),
        Err(errno) if CANNOT_SYNC.contains(&errno) => Ok(Durability::BestEffort),
        Err(errno) => Err(failed(Operation::Sync)(errno)),
    }
}

/// What the runtime says that tells this directory from others.
pub(crate) fn identity_of(stat: &Stat) -> Identity {
    Identity {
        device: stat.st_dev,
        inode: stat.st_ino,
    }
}

fn require_regular_file(stat: &Stat, operation: Operation) -> Result<(), Fault> {
    match file_type(stat) {
        FileType::RegularFile => Ok(()),
        _ => Err(Fault::new(operation, ErrorKind::NotARegularFile)),
    }
}

pub(crate) fn file_type(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

fn entry_kind(file_type: FileType) -> EntryKind {
    match file_type {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Directory,
        FileType::Symlink => EntryKind::SymbolicLink,
        _ => EntryKind::Other,
    }
}

/// What stands for an entry whose name is not UTF-8.
fn nameless() -> Entry {
    Entry {
        name: char::REPLACEMENT_CHARACTER.to_string(),
        kind: EntryKind::Other,
    }
}

fn is_dot(listed: &DirEntry) -> bool {
    matches!(listed.file_name().to_bytes(), b"." | b"..")
}

fn failed(operation: Operation) -> impl Fn(Errno) -> Fault {
    move |errno| fault(operation, &errno.into())
}
