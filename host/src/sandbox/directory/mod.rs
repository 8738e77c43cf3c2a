//! What the guest holds of a directory.

use std::any::Any;
use std::os::unix::fs::DirEntryExt;

use async_trait::async_trait;
use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use krabka_format_core::filesystem::Identity;
use wasi_common::dir::{OpenResult, ReaddirCursor, ReaddirEntity, WasiDir};
use wasi_common::file::{FdFlags, Filestat, OFlags};
use wasi_common::sync::file::filetype_from;
use wasi_common::{Error, ErrorExt};

use super::errno::error;
use super::file::GuestFile;
use super::filestat::{filestat, filestat_of_directory, identity};
use crate::directory::{create_directory, create_file, file_type, open_for_reading, open_for_sync};

/// A directory in which the guest can do what the formatter does, and no more:
/// no link is made or followed, no existing file is opened for writing, and no
/// time stamp is set.
pub(crate) struct GuestDirectory {
    directory: Dir,
    /// The directories above, nearest first. The guest learns of them that
    /// they exist, by asking for the status of `..`, `../..` and so on.
    above: Vec<Identity>,
}

type Entities = dyn Iterator<Item = Result<ReaddirEntity, Error>> + Send;

impl GuestDirectory {
    pub(crate) fn new(directory: Dir, above: Vec<Identity>) -> Self {
        Self { directory, above }
    }

    /// Opens a directory as a directory: to list it, or to reach what is in it.
    fn open_directory(&self, name: &str) -> Result<OpenResult, Error> {
        let opened = if name == "." {
            let directory = self.directory.try_clone().map_err(error)?;
            Self::new(directory, self.above.clone())
        } else {
            let directory = self.directory.open_dir_nofollow(name).map_err(error)?;
            let mut above = vec![identity(&self.directory.dir_metadata().map_err(error)?)];
            above.extend(&self.above);
            Self::new(directory, above)
        };
        Ok(OpenResult::Dir(Box::new(opened)))
    }

    /// Creates a file, which must not exist.
    fn create_file(&self, name: &str) -> Result<OpenResult, Error> {
        let file = create_file(&self.directory, name).map_err(error)?;
        Ok(OpenResult::File(Box::new(GuestFile::new(file))))
    }

    /// Opens a regular file to read it, or a directory to sync it: preview 1
    /// has no call that syncs what is open as a directory.
    fn open_plainly(&self, name: &str) -> Result<OpenResult, Error> {
        let metadata = self.directory.symlink_metadata(name).map_err(error)?;
        let file = if metadata.is_file() {
            open_for_reading(&self.directory, name)
        } else if name == "." {
            open_for_sync(&self.directory)
        } else if metadata.is_dir() {
            let directory = self.directory.open_dir_nofollow(name);
            directory.and_then(|directory| open_for_sync(&directory))
        } else {
            return Err(Error::not_supported());
        };
        Ok(OpenResult::File(Box::new(GuestFile::new(
            file.map_err(error)?,
        ))))
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
        let name = name_of(path)?;
        let exclusively = OFlags::CREATE | OFlags::EXCLUSIVE;
        // Every open for reading is one that doesn't wait.
        if !FdFlags::NONBLOCK.contains(flags) {
            return Err(Error::not_supported());
        }
        if how == OFlags::DIRECTORY && !write {
            self.open_directory(name)
        } else if how == exclusively && write {
            self.create_file(name)
        } else if how.is_empty() && !write {
            self.open_plainly(name)
        } else {
            Err(Error::perm())
        }
    }

    async fn create_dir(&self, path: &str) -> Result<(), Error> {
        create_directory(&self.directory, name_of(path)?).map_err(error)
    }

    async fn readdir(&self, cursor: ReaddirCursor) -> Result<Box<Entities>, Error> {
        let entries = self.directory.entries().map_err(error)?;
        let skipped = usize::try_from(u64::from(cursor)).map_err(|_| Error::range())?;
        let entities = (1..).zip(entries).skip(skipped).map(|(next, entry)| {
            let entry = entry.map_err(error)?;
            Ok(ReaddirEntity {
                next: ReaddirCursor::from(next),
                inode: entry.ino(),
                name: entry.file_name().to_string_lossy().into_owned(),
                filetype: filetype_from(&file_type(&entry).map_err(error)?),
            })
        });
        Ok(Box::new(entities))
    }

    async fn remove_dir(&self, path: &str) -> Result<(), Error> {
        self.directory.remove_dir(name_of(path)?).map_err(error)
    }

    async fn unlink_file(&self, path: &str) -> Result<(), Error> {
        self.directory.remove_file(name_of(path)?).map_err(error)
    }

    async fn get_filestat(&self) -> Result<Filestat, Error> {
        Ok(filestat(&self.directory.dir_metadata().map_err(error)?))
    }

    async fn get_path_filestat(&self, path: &str, _follow: bool) -> Result<Filestat, Error> {
        if let Some(levels) = levels_above(path) {
            return self.status_above(levels);
        }
        let metadata = self.directory.symlink_metadata(path).map_err(error)?;
        Ok(filestat(&metadata))
    }

    async fn rename(&self, from: &str, into: &dyn WasiDir, to: &str) -> Result<(), Error> {
        let into = into.as_any().downcast_ref::<Self>();
        let into = &into.ok_or_else(Error::perm)?.directory;
        let renamed = self.directory.rename(name_of(from)?, into, name_of(to)?);
        renamed.map_err(error)
    }
}

/// Refuses every path but one name: the guest has a handle on each directory
/// that it works in.
fn name_of(path: &str) -> Result<&str, Error> {
    if path.is_empty() || path == ".." || path.contains('/') {
        return Err(Error::perm());
    }
    Ok(path)
}

/// How far above `path` lies, if it is `..` or `../..` and so on.
fn levels_above(path: &str) -> Option<usize> {
    let steps = path.split('/').skip_while(|step| *step == ".");
    let levels = steps.clone().count();
    let only_upwards = steps.clone().all(|step| step == "..");
    (only_upwards && levels > 0).then_some(levels)
}

#[cfg(test)]
mod tests;
