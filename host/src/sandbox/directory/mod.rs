//! What the guest holds of a directory.

mod listing;

use std::any::Any;
use std::ptr;
use std::sync::Arc;

use async_trait::async_trait;
use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use krabka_format_core::filesystem::{ErrorKind, Identity, Operation as OnDisk};
use wasi_common::dir::{OpenResult, ReaddirCursor, WasiDir};
use wasi_common::file::{FdFlags, Filestat, OFlags};
use wasi_common::{Error, ErrorExt};

use listing::{Entities, Listing};

use super::errno::{errno, error};
use super::file::GuestFile;
use super::filestat::{filestat, filestat_of_directory, identity};
use super::grant::{ABOVE_ITSELF, Grant, ITSELF, Operation};
use super::limits::{Allowances, OpenHandle, PATH_LIMIT};
use super::locks::DirectoryLocks;
use super::seal::Seal;
use crate::ambient;
use crate::directory::{create_directory, create_file, open_for_sync, open_regular, publish};

/// A directory in which the guest can do what a grant says, and no more. No link
/// is made or followed, no existing file is opened for writing, and no time
/// stamp is set, whatever the grant says.
pub(crate) struct GuestDirectory {
    directory: Arc<Dir>,
    grant: Arc<Grant>,
    /// What ends all changes: that of the log directory which this is or lies in.
    seal: Seal,
    /// The directories above, nearest first. The guest learns of them that
    /// they exist, by asking for the status of `..`, `../..` and so on.
    above: Vec<Identity>,
    handle: OpenHandle,
    listing: Listing,
    /// The directories that the run has for itself.
    locks: Arc<DirectoryLocks>,
}

impl GuestDirectory {
    /// Makes a handle of which the allowances take note.
    ///
    /// # Errors
    /// There are too many.
    pub(crate) fn new(
        directory: Dir,
        above: Vec<Identity>,
        grant: Grant,
        allowances: &Arc<Allowances>,
    ) -> Result<Self, Error> {
        let directory = Arc::new(directory);
        Ok(Self {
            seal: Seal::of(&directory, &grant).unwrap_or_default(),
            directory,
            grant: Arc::new(grant),
            above,
            handle: allowances.open()?,
            listing: Listing::default(),
            locks: Arc::default(),
        })
    }

    /// Adds to these locks those of the log directories below.
    pub(crate) fn taking(mut self, locks: &Arc<DirectoryLocks>) -> Self {
        self.locks = Arc::clone(locks);
        self
    }

    fn another_handle(&self) -> Result<OpenHandle, Error> {
        self.handle.allowances().open()
    }

    fn require(&self, name: &str, operation: Operation) -> Result<(), Error> {
        if self.grant.allows(name, operation) {
            return Ok(());
        }
        Err(Error::perm())
    }

    /// As [`require`](Self::require), for what changes something.
    fn require_change(&self, name: &str, operation: Operation) -> Result<(), Error> {
        self.require(name, operation)?;
        self.seal.require_open()
    }

    /// Opens a directory as a directory: to list it, or to reach what is in it.
    fn enter(&self, name: &str) -> Result<Self, Error> {
        let handle = self.another_handle()?;
        if name == ITSELF {
            return Ok(Self {
                directory: Arc::clone(&self.directory),
                grant: Arc::clone(&self.grant),
                seal: self.seal.clone(),
                above: self.above.clone(),
                handle,
                listing: Listing::default(),
                locks: Arc::clone(&self.locks),
            });
        }
        if name == ABOVE_ITSELF {
            return Err(Error::perm());
        }
        self.require(name, Operation::Enter)?;
        let directory = self.directory.open_dir_nofollow(name).map_err(error)?;
        let mut grant = self.grant.below(name);
        if self.grant.allows(name, Operation::Take)
            && !self.locks.take(&directory).map_err(error)?
        {
            grant = Arc::new(grant.of_another_run());
        }
        let mut above = vec![identity(&self.directory.dir_metadata().map_err(error)?)];
        above.extend(&self.above);
        let directory = Arc::new(directory);
        Ok(Self {
            seal: Seal::of(&directory, &grant).unwrap_or_else(|| self.seal.clone()),
            directory,
            grant,
            above,
            handle,
            listing: Listing::default(),
            locks: Arc::clone(&self.locks),
        })
    }

    /// Enters directories, one below the other: `None` for none.
    fn enter_each(&self, names: &[&str]) -> Result<Option<Self>, Error> {
        let mut entered: Option<Self> = None;
        for name in names {
            let directory = entered.as_ref().unwrap_or(self);
            directory.require_known(name, Operation::Enter)?;
            entered = Some(directory.enter(name)?);
        }
        Ok(entered)
    }

    /// Opens a directory by a path: where one of the missing names has appeared
    /// since, the guest opens it from the handle above.
    fn enter_path(&self, path: &str) -> Result<Self, Error> {
        let steps = steps(path)?;
        match steps.split_last() {
            None if path == ITSELF => self.enter(ITSELF),
            Some((last, names)) if !path.starts_with('/') => {
                let entered = self.enter_each(names)?;
                entered.as_ref().unwrap_or(self).enter(last)
            }
            _ => Err(Error::perm()),
        }
    }

    /// Creates a file, which must not exist.
    fn create_file(&self, name: &str) -> Result<GuestFile, Error> {
        self.require_change(name, Operation::Create)?;
        let handle = self.another_handle()?;
        let file = create_file(&self.directory, name).map_err(error)?;
        Ok(GuestFile::new(file, true, handle).until(&self.seal))
    }

    /// Opens the directory above the one that these names lead to, to sync it.
    fn open_above(&self, names: &[&str]) -> Result<GuestFile, Error> {
        let entered = self.enter_each(names)?;
        let directory = entered.as_ref().unwrap_or(self);
        directory.require(ABOVE_ITSELF, Operation::Sync)?;
        let handle = self.another_handle()?;
        let above = ambient::open_parent(&directory.directory).map_err(error)?;
        let file = open_for_sync(&above).map_err(error)?;
        Ok(GuestFile::new(file, true, handle))
    }

    /// Opens a regular file to read it, or the directory itself or the one above
    /// to sync it: preview 1 has no call that syncs what is open as a directory.
    fn open_plainly(&self, name: &str) -> Result<GuestFile, Error> {
        if let Some((&ABOVE_ITSELF, names)) = steps(name)?.split_last() {
            return self.open_above(names);
        }
        let handle = self.another_handle()?;
        let may_sync = self.grant.allows(name, Operation::Sync);
        let file = if name == ITSELF {
            self.require(ITSELF, Operation::Sync)?;
            open_for_sync(&self.directory).map_err(error)?
        } else {
            self.require(name, Operation::Read)?;
            let file = open_regular(&self.directory, name, OnDisk::Read);
            file.map_err(|fault| errno(&fault.kind))?
        };
        Ok(GuestFile::new(file, may_sync, handle))
    }

    /// Refuses to open a directory for writing, which nobody can. It is how the
    /// guest asks whether another run has it.
    fn refuse_to_write(&self, name: &str) -> Error {
        if name == ITSELF && self.grant.is_taken_by_another() {
            return errno(&ErrorKind::Busy).into();
        }
        Error::perm()
    }

    /// Refuses what is no regular file: the formatter moves and removes no
    /// other, and what is of another kind is not its own.
    fn require_regular_file(&self, name: &str) -> Result<(), Error> {
        let metadata = self.directory.symlink_metadata(name).map_err(error)?;
        if metadata.is_file() {
            return Ok(());
        }
        Err(Error::perm())
    }

    /// The status of what lies below. A name that nothing is granted of is not
    /// there, nor is one that leads through `..`: where the host finds a log
    /// directory by such a path, that has a handle of its own.
    fn status_below(&self, path: &str) -> Result<Filestat, Error> {
        let steps = steps(path)?;
        let Some((last, names)) = steps.split_last() else {
            return Ok(filestat(&self.directory.dir_metadata().map_err(error)?));
        };
        let entered = self.enter_each(names)?;
        let directory = entered.as_ref().unwrap_or(self);
        directory.require_known(last, Operation::Inspect)?;
        let metadata = directory.directory.symlink_metadata(last);
        Ok(filestat(&metadata.map_err(error)?))
    }

    fn require_known(&self, name: &str, operation: Operation) -> Result<(), Error> {
        if name == ABOVE_ITSELF || !self.grant.knows(name) {
            return Err(Error::not_found());
        }
        self.require(name, operation)
    }

    /// Identifies the directory that is `levels` above.
    fn status_above(&self, levels: usize) -> Result<Filestat, Error> {
        let identity = self.above.get(levels.saturating_sub(1));
        identity
            .map(|identity| filestat_of_directory(*identity))
            .ok_or_else(Error::perm)
    }
}

#[async_trait]
impl WasiDir for GuestDirectory {
    fn as_any(&self) -> &dyn Any {
        self
    }

    async fn open_file(
        &self,
        _symlink_follow: bool,
        path: &str,
        how: OFlags,
        _read: bool,
        write: bool,
        flags: FdFlags,
    ) -> Result<OpenResult, Error> {
        let exclusively = OFlags::CREATE | OFlags::EXCLUSIVE;
        // Every open for reading is one that doesn't wait.
        if !FdFlags::NONBLOCK.contains(flags) {
            return Err(Error::not_supported());
        }
        if how == OFlags::DIRECTORY && !write {
            Ok(OpenResult::Dir(Box::new(self.enter_path(path)?)))
        } else if how == exclusively && write {
            Ok(OpenResult::File(Box::new(self.create_file(path)?)))
        } else if how.is_empty() && !write {
            Ok(OpenResult::File(Box::new(self.open_plainly(path)?)))
        } else {
            Err(self.refuse_to_write(path))
        }
    }

    async fn create_dir(&self, path: &str) -> Result<(), Error> {
        self.require_change(path, Operation::CreateDirectory)?;
        create_directory(&self.directory, path).map_err(error)
    }

    async fn readdir(&self, cursor: ReaddirCursor) -> Result<Box<Entities>, Error> {
        self.require(ITSELF, Operation::List)?;
        self.listing.entities(&self.directory, cursor)
    }

    async fn remove_dir(&self, path: &str) -> Result<(), Error> {
        self.require_change(path, Operation::RemoveDirectory)?;
        self.directory.remove_dir(path).map_err(error)
    }

    async fn unlink_file(&self, path: &str) -> Result<(), Error> {
        self.require_change(path, Operation::Remove)?;
        self.require_regular_file(path)?;
        self.directory.remove_file(path).map_err(error)
    }

    async fn get_filestat(&self) -> Result<Filestat, Error> {
        self.status_below(ITSELF)
    }

    async fn get_path_filestat(&self, path: &str, _follow: bool) -> Result<Filestat, Error> {
        match levels_above(path)? {
            Some(levels) => self.status_above(levels),
            None => self.status_below(path),
        }
    }

    async fn rename(&self, from: &str, into: &dyn WasiDir, to: &str) -> Result<(), Error> {
        let into = into.as_any().downcast_ref::<Self>();
        if !into.is_some_and(|into| ptr::eq(into, self)) {
            return Err(Error::perm());
        }
        self.require_change(from, Operation::RenameFrom)?;
        self.require(to, Operation::RenameTo)?;
        self.require_regular_file(from)?;
        publish(&self.directory, from, to).map_err(error)
    }
}

/// The components of a path that lead anywhere.
fn steps(path: &str) -> Result<Vec<&str>, Error> {
    require_short(path)?;
    let steps = path.split('/');
    Ok(steps.filter(|step| !matches!(*step, "" | ITSELF)).collect())
}

/// How far above `path` lies, if it is `..` or `../..` and so on.
fn levels_above(path: &str) -> Result<Option<usize>, Error> {
    require_short(path)?;
    let steps = path.split('/').skip_while(|step| *step == ITSELF);
    let levels = steps.clone().count();
    let only_upwards = steps.clone().all(|step| step == "..");
    Ok((only_upwards && levels > 0).then_some(levels))
}

/// As an operating system does.
fn require_short(path: &str) -> Result<(), Error> {
    if path.len() > PATH_LIMIT {
        return Err(errno(&ErrorKind::NameTooLong).into());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
