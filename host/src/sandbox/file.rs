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

/// A file that can be read or written from its beginning to its end, synced
/// and identified. Everything else is refused.
///
/// It may be open on a directory: then a sync of it is a sync of that
/// directory's entries.
pub(crate) struct GuestFile(File);

impl GuestFile {
    pub(crate) fn new(file: File) -> Self {
        Self(file)
    }
}

#[async_trait]
impl WasiFile for GuestFile {
    fn as_any(&self) -> &dyn Any {
        self
    }

    async fn get_filetype(&self) -> Result<FileType, Error> {
        let metadata = self.0.metadata().map_err(error)?;
        Ok(filetype_from(&metadata.file_type()))
    }

    async fn get_filestat(&self) -> Result<Filestat, Error> {
        Ok(filestat(&self.0.metadata().map_err(error)?))
    }

    async fn read_vectored<'a>(&self, buffers: &mut [IoSliceMut<'a>]) -> Result<u64, Error> {
        let read = (&self.0).read_vectored(buffers).map_err(error)?;
        u64::try_from(read).map_err(|_| Error::range())
    }

    async fn write_vectored<'a>(&self, buffers: &[IoSlice<'a>]) -> Result<u64, Error> {
        let written = (&self.0).write_vectored(buffers).map_err(error)?;
        u64::try_from(written).map_err(|_| Error::range())
    }

    async fn datasync(&self) -> Result<(), Error> {
        self.0.sync_data().map_err(error)
    }

    async fn sync(&self) -> Result<(), Error> {
        self.0.sync_all().map_err(error)
    }
}
