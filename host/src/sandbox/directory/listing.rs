//! The entries of a directory, which the guest asks for a few at a time: by how
//! many it has had.

use std::os::unix::fs::DirEntryExt as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cap_std::fs::{Dir, DirEntry, ReadDir};
use wasi_common::dir::{ReaddirCursor, ReaddirEntity};
use wasi_common::file::FileType;
use wasi_common::sync::file::filetype_from;
use wasi_common::{Error, ErrorExt};

use crate::directory::file_type;
use crate::sandbox::errno::error;

/// Entries, which are read as they are asked for.
pub(super) type Entities = dyn Iterator<Item = Result<ReaddirEntity, Error>> + Send;

/// How far a directory was listed. Who goes on where the last call ended finds
/// the operating system's list still open: were it begun anew each time, a long
/// one would take the square of its length.
#[derive(Default)]
pub(super) struct Listing(Arc<Mutex<Option<Position>>>);

/// A list that has not ended.
struct Position {
    entries: ReadDir,
    /// How many entries were read.
    read: u64,
    /// The last of them: one that did not fit is asked for again.
    last: Option<ReaddirEntity>,
    /// Whether it is due again.
    again: bool,
}

impl Listing {
    /// The entries from that one on.
    ///
    /// # Errors
    /// What the platform says.
    pub(super) fn entities(
        &self,
        directory: &Dir,
        cursor: ReaddirCursor,
    ) -> Result<Box<Entities>, Error> {
        let from = u64::from(cursor);
        let mut kept = lock(&self.0);
        let mut position = match kept.take() {
            Some(position) if position.goes_on_from(from) => position,
            _ => Position::open(directory, from)?,
        };
        position.again = from < position.read;
        *kept = Some(position);
        Ok(Box::new(Rest(Arc::clone(&self.0))))
    }
}

impl Position {
    fn open(directory: &Dir, from: u64) -> Result<Self, Error> {
        let mut entries = directory.entries().map_err(error)?;
        let skipped = usize::try_from(from).map_err(|_| Error::range())?;
        if let Some(last) = skipped.checked_sub(1) {
            entries.nth(last).transpose().map_err(error)?;
        }
        Ok(Self {
            entries,
            read: from,
            last: None,
            again: false,
        })
    }

    fn goes_on_from(&self, from: u64) -> bool {
        let is_last = from.checked_add(1) == Some(self.read) && self.last.is_some();
        from == self.read || is_last
    }

    fn next(&mut self) -> Option<Result<ReaddirEntity, Error>> {
        if std::mem::take(&mut self.again) {
            return self.last.clone().map(Ok);
        }
        let entry = self.entries.next()?;
        self.read = self.read.saturating_add(1);
        let entity = entry
            .map_err(error)
            .and_then(|entry| entity(&entry, self.read));
        self.last = entity.as_ref().ok().cloned();
        Some(entity)
    }
}

/// What is no file, directory or link, such as a pipe or a socket, is shown as
/// a device: of what the guest has no name for, it would ask the status.
fn entity(entry: &DirEntry, next: u64) -> Result<ReaddirEntity, Error> {
    let filetype = match filetype_from(&file_type(entry).map_err(error)?) {
        known @ (FileType::RegularFile | FileType::Directory | FileType::SymbolicLink) => known,
        _ => FileType::CharacterDevice,
    };
    Ok(ReaddirEntity {
        next: ReaddirCursor::from(next),
        inode: entry.ino(),
        name: entry.file_name().to_string_lossy().into_owned(),
        filetype,
    })
}

/// What follows the position, which moves with it. At the end, the list is
/// closed.
struct Rest(Arc<Mutex<Option<Position>>>);

impl Iterator for Rest {
    type Item = Result<ReaddirEntity, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut kept = lock(&self.0);
        let next = kept.as_mut()?.next();
        if next.is_none() {
            *kept = None;
        }
        next
    }
}

fn lock(kept: &Mutex<Option<Position>>) -> MutexGuard<'_, Option<Position>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
