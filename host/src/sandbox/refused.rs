//! A log directory that could not be opened, as the guest sees it.

use std::any::Any;

use async_trait::async_trait;
use krabka_format_core::filesystem::ErrorKind;
use wasi_common::Error;
use wasi_common::dir::{OpenResult, WasiDir};
use wasi_common::file::{FdFlags, Filestat, OFlags};

use super::errno::errno;

/// The stand-in for a handle that there is none of. Whatever the guest tries
/// to open in it fails as the opening of the log directory itself did, so that
/// it reports the fault that a native run reports.
pub(crate) struct RefusedDirectory(ErrorKind);

impl RefusedDirectory {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self(kind)
    }
}

#[async_trait]
impl WasiDir for RefusedDirectory {
    fn as_any(&self) -> &dyn Any {
        self
    }

    async fn open_file(
        &self,
        _symlink_follow: bool,
        _path: &str,
        _how: OFlags,
        _read: bool,
        _write: bool,
        _flags: FdFlags,
    ) -> Result<OpenResult, Error> {
        Err(errno(&self.0).into())
    }

    async fn get_filestat(&self) -> Result<Filestat, Error> {
        Err(errno(&self.0).into())
    }

    async fn get_path_filestat(&self, _path: &str, _follow: bool) -> Result<Filestat, Error> {
        Err(errno(&self.0).into())
    }
}
