//! Log directories, found under the preopened directories.

use std::fs::File;
use std::os::fd::OwnedFd;

use krabka_format_cli::{InputFiles, OpenFile, fault, read_bounded};
use krabka_format_core::filesystem::{
    ErrorKind, Fault, Filesystem, Identity, Opened, Operation, ReadFile, clean, components, join,
};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, openat, statat};
use rustix::io::Errno;

use super::directory::{GuestDirectory, file_type, identity_of};
use super::place::{Place, Places};
use super::preopens::Preopen;

/// As many directories above a log directory as are identified: far more than
/// there are below any preopened directory, and an end where a runtime answers
/// `..` without one.
const MOST_ABOVE: usize = 256;

/// The directories that the runtime preopened. A path that lies under none of
/// them does not exist for the guest.
#[derive(Debug)]
pub(crate) struct PreopenedFilesystem {
    preopens: Vec<Preopen>,
    places: Places,
}

impl PreopenedFilesystem {
    /// Asks the runtime which directories it preopened.
    pub(crate) fn new() -> Self {
        let preopens = Preopen::all();
        let places = Places::new(preopens.iter().map(|preopen| preopen.name.as_str()));
        Self { preopens, places }
    }

    /// Opens `path` as it is spelled, or returns `None` where it is not found.
    fn open_as_spelled(&self, path: &str) -> Result<Option<Opened>, Fault> {
        let Some((preopen, place)) = self.place(path) else {
            return Ok(None);
        };
        let below = join_all(".", &place.below);
        match open_below(preopen, &below) {
            Ok(directory) => Ok(Some(opened(preopen, &below, directory, path.to_owned()))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(cannot_open(errno)),
        }
    }

    /// Opens `path`, cleaned, or its nearest existing ancestor. Where only its
    /// spelling lies under a preopened directory (one named `/x/../d`), that is
    /// kept, and what is below is cleaned.
    ///
    /// Each step is opened from the preopened directory, not from the step
    /// before: a symbolic link may lead anywhere below the one, but not out of
    /// the other.
    fn open_as_far_as_found(&self, path: &str) -> Result<Opened, Fault> {
        let cleaned = clean(path);
        let (preopen, place) = self
            .place(&cleaned)
            .or_else(|| self.place(path))
            .ok_or_else(|| self.not_preopened(Operation::Open))?;
        let root = if path.starts_with('/') { "/" } else { "." };
        let mut found = join_all(root, &place.matched);
        let mut below = ".".to_owned();
        let mut directory = open_below(preopen, &below).map_err(cannot_open)?;
        let rest = place.below.join("/");
        let mut names = components(&rest).into_iter();
        let mut missing = Vec::new();
        for name in names.by_ref() {
            let next = join(&below, name);
            match open_below(preopen, &next) {
                Ok(entered) => directory = entered,
                Err(Errno::NOENT) => {
                    refuse_dangling_link(preopen, &next)?;
                    missing.push(name.to_owned());
                    break;
                }
                Err(errno) => return Err(cannot_open(errno)),
            }
            below = next;
            found = join(&found, name);
        }
        for name in names {
            refuse_impossible_name(&directory, name)?;
            missing.push(name.to_owned());
        }
        let mut opened = opened(preopen, &below, directory, found);
        opened.missing = missing;
        Ok(opened)
    }

    fn place<'a>(&self, path: &'a str) -> Option<(&Preopen, Place<'a>)> {
        let (number, place) = self.places.choose(path)?;
        Some((self.preopens.get(number)?, place))
    }

    fn not_preopened(&self, operation: Operation) -> Fault {
        let names = self.preopens.iter().map(|preopen| preopen.name.clone());
        let preopened = names.collect();
        Fault::new(operation, ErrorKind::NotPreopened { preopened })
    }
}

impl Filesystem for PreopenedFilesystem {
    fn open(&self, path: &str) -> Result<Opened, Fault> {
        match self.open_as_spelled(path)? {
            Some(opened) => Ok(opened),
            None => self.open_as_far_as_found(path),
        }
    }
}

impl InputFiles for PreopenedFilesystem {
    fn read_input_file(&self, path: &str, most_bytes: usize) -> Result<Vec<u8>, Fault> {
        let cannot_read = |errno: Errno| fault(Operation::Read, &errno.into());
        let (preopen, place) = self
            .place(path)
            .ok_or_else(|| self.not_preopened(Operation::Read))?;
        let below = join_all(".", &place.below);
        // Reading a directory has another error in each runtime.
        let found = statat(preopen.handle, &below, AtFlags::empty()).map_err(cannot_read)?;
        if file_type(&found) == FileType::Directory {
            return Err(cannot_read(Errno::ISDIR));
        }
        let file = openat(preopen.handle, below, OFlags::RDONLY, Mode::empty());
        read_bounded(File::from(file.map_err(cannot_read)?), most_bytes)
    }

    /// What is no regular file is not opened at all: wasmtime waits for the
    /// other end of a pipe.
    fn open_input_file(&self, path: &str) -> Result<Box<dyn ReadFile>, Fault> {
        let (preopen, place) = self
            .place(path)
            .ok_or_else(|| self.not_preopened(Operation::Open))?;
        let below = join_all(".", &place.below);
        let found = statat(preopen.handle, &below, AtFlags::empty());
        let found = found.map_err(|errno| match errno {
            // The sandbox has opened the file before the guest starts, and says
            // by this number that it is no regular one.
            Errno::NOTSUP => Fault::new(Operation::Open, ErrorKind::NotARegularFile),
            errno => cannot_open(errno),
        })?;
        match file_type(&found) {
            FileType::RegularFile => {}
            FileType::Directory => return Err(cannot_open(Errno::ISDIR)),
            _ => return Err(Fault::new(Operation::Open, ErrorKind::NotARegularFile)),
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK;
        let file = openat(preopen.handle, below, flags, Mode::empty()).map_err(cannot_open)?;
        Ok(Box::new(OpenFile::new(File::from(file))?))
    }
}

fn opened(preopen: &Preopen, below: &str, directory: OwnedFd, path: String) -> Opened {
    let above = identities_above(preopen, below, &directory);
    let directory = Box::new(GuestDirectory::new(directory).found(preopen.handle, below));
    Opened::new(directory, path, Vec::new(), above)
}

/// Opens a directory, symbolic links followed. A preopened directory itself is
/// opened anew, as `.`: a runtime that only pretends to have one says so here.
///
/// What is no directory is not opened at all: wasmtime waits for the other end
/// of a pipe, although a directory is asked for.
fn open_below(preopen: &Preopen, below: &str) -> Result<OwnedFd, Errno> {
    let found = statat(preopen.handle, below, AtFlags::empty())?;
    if file_type(&found) != FileType::Directory {
        return Err(Errno::NOTDIR);
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    openat(preopen.handle, below, flags, Mode::empty())
}

/// Tells a link that leads nowhere, and is therefore not found, from nothing.
fn refuse_dangling_link(preopen: &Preopen, below: &str) -> Result<(), Fault> {
    match statat(preopen.handle, below, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) if file_type(&found) == FileType::Symlink => {
            Err(Fault::new(Operation::Open, ErrorKind::DanglingLink))
        }
        Ok(_) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(cannot_open(errno)),
    }
}

/// Refuses a name that could not be created below the first that is missing:
/// what is refused now leaves nothing behind. Whether `directory` has an entry
/// of that name does not matter.
fn refuse_impossible_name(directory: &OwnedFd, name: &str) -> Result<(), Fault> {
    match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(errno @ (Errno::NAMETOOLONG | Errno::INVAL | Errno::ILSEQ)) => Err(cannot_open(errno)),
        _ => Ok(()),
    }
}

/// Identifies the directories above `directory`, nearest first, as far as the
/// runtime lets them be looked at: to the preopened one, and in the sandbox,
/// which says of those above it who they are, to the root. The root is its own
/// parent.
///
/// The runtime is asked for `..`, so that a directory reached through a
/// symbolic link has the parents that it has, not those of the link.
fn identities_above(preopen: &Preopen, below: &str, directory: &OwnedFd) -> Vec<Identity> {
    let Ok(bottom) = fstat(directory) else {
        return Vec::new();
    };
    let mut child = identity_of(&bottom);
    let mut climbed = below.to_owned();
    let mut above = Vec::new();
    while above.len() < MOST_ABOVE {
        climbed.push_str("/..");
        let Ok(parent) = statat(preopen.handle, &climbed, AtFlags::empty()) else {
            break;
        };
        let parent = identity_of(&parent);
        if parent == child {
            break;
        }
        above.push(parent);
        child = parent;
    }
    above
}

fn join_all(root: &str, names: &[&str]) -> String {
    names
        .iter()
        .fold(root.to_owned(), |path, name| join(&path, name))
}

fn cannot_open(errno: Errno) -> Fault {
    fault(Operation::Open, &errno.into())
}
