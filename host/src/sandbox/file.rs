//! What the guest holds of an open file.

use std::any::Any;
use std::io::{IoSlice, IoSliceMut, Read, Write};

use async_trait::async_trait;
use cap_std::fs::File;
use wasi_common::file::{FileType, Filestat, WasiFile};
use wasi_common::sync::file::filetype_from;
use wasi_common::{Error, ErrorExt};

use super::errno::error;
use super::filestat::filestat;
use super::limits::OpenHandle;
use super::seal::Seal;

/// A file that can be read or written from its beginning to its end, synced
/// where that is granted, and identified. Everything else is refused. Whether it
/// is read or written is how it was opened. It is not written any more where its
/// log directory was sealed: under its new name, a file is published for good.
///
/// It may be open on a directory: then a sync of it is a sync of that
/// directory's entries.
pub(crate) struct GuestFile {
    file: File,
    may_sync: bool,
    seal: Seal,
    handle: OpenHandle,
}

impl GuestFile {
    pub(crate) fn new(file: File, may_sync: bool, handle: OpenHandle) -> Self {
        Self {
            file,
            may_sync,
            seal: Seal::default(),
            handle,
        }
    }

    /// Has this end what may be written.
    pub(crate) fn until(mut self, seal: &Seal) -> Self {
        self.seal = seal.clone();
        self
    }

    fn require_sync(&self) -> Result<(), Error> {
        if self.may_sync {
            return Ok(());
        }
        Err(Error::perm())
    }
}

#[async_trait]
impl WasiFile for GuestFile {
    fn as_any(&self) -> &dyn Any {
        self
    }

    async fn get_filetype(&self) -> Result<FileType, Error> {
        let metadata = self.file.metadata().map_err(error)?;
        Ok(filetype_from(&metadata.file_type()))
    }

    async fn get_filestat(&self) -> Result<Filestat, Error> {
        Ok(filestat(&self.file.metadata().map_err(error)?))
    }

    async fn read_vectored<'a>(&self, buffers: &mut [IoSliceMut<'a>]) -> Result<u64, Error> {
        let read = (&self.file).read_vectored(buffers).map_err(error)?;
        u64::try_from(read).map_err(|_| Error::range())
    }

    /// What is asked for is taken off the allowance, whether or not the disk
    /// takes all of it.
    async fn write_vectored<'a>(&self, buffers: &[IoSlice<'a>]) -> Result<u64, Error> {
        self.seal.require_open()?;
        for buffer in buffers {
            let length = u64::try_from(buffer.len()).map_err(|_| Error::range())?;
            self.handle.allowances().written.take(length)?;
        }
        let written = (&self.file).write_vectored(buffers).map_err(error)?;
        u64::try_from(written).map_err(|_| Error::range())
    }

    async fn datasync(&self) -> Result<(), Error> {
        self.require_sync()?;
        self.file.sync_data().map_err(error)
    }

    async fn sync(&self) -> Result<(), Error> {
        self.require_sync()?;
        self.file.sync_all().map_err(error)
    }
}
