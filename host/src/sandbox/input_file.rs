//! A file that the guest is to read, and nothing around it.

use std::any::Any;
use std::sync::Arc;

use async_trait::async_trait;
use cap_std::fs::File;
use wasi_common::dir::{OpenResult, WasiDir};
use wasi_common::file::{FdFlags, Filestat, OFlags};
use wasi_common::{Error, ErrorExt};

use super::errno::{errno, error};
use super::file::GuestFile;
use super::filestat::filestat;
use super::grant::ITSELF;
use super::limits::Allowances;
use crate::ambient;

/// A handle in the place of a directory's, whose one entry is itself: preview 1
/// hands a program no file but in a directory. It can be inspected and opened for
/// reading, by the path that the user gave and with the user's authority, and
/// nothing else can be done with it.
pub(crate) struct InputFile {
    path: String,
    allowances: Arc<Allowances>,
}

impl InputFile {
    pub(crate) fn new(path: String, allowances: &Arc<Allowances>) -> Self {
        Self {
            path,
            allowances: Arc::clone(allowances),
        }
    }

    fn open(&self, path: &str) -> Result<File, Error> {
        if path != ITSELF {
            return Err(Error::perm());
        }
        let file = ambient::open_input_file(&self.path).map_err(|fault| errno(&fault.kind))?;
        Ok(File::from_std(file))
    }
}

#[async_trait]
impl WasiDir for InputFile {
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
        if write || !how.is_empty() || !FdFlags::NONBLOCK.contains(flags) {
            return Err(Error::perm());
        }
        let handle = self.allowances.open()?;
        let file = self.open(path)?;
        if !file.metadata().map_err(error)?.is_file() {
            return Err(Error::perm());
        }
        let file = GuestFile::new(file, false, handle);
        Ok(OpenResult::File(Box::new(file)))
    }

    async fn get_filestat(&self) -> Result<Filestat, Error> {
        self.get_path_filestat(ITSELF, true).await
    }

    async fn get_path_filestat(&self, path: &str, _follow: bool) -> Result<Filestat, Error> {
        let metadata = self.open(path)?.metadata().map_err(error)?;
        Ok(filestat(&metadata))
    }
}
