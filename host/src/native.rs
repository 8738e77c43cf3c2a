//! The file system of a native run: the operating system's own.

use krabka_format_cli::{InputFiles, OpenFile};
use krabka_format_core::filesystem::{Fault, Filesystem, Opened, ReadFile};

use crate::ambient;
use crate::directory::NativeDirectory;

/// The file system of the operating system. Every path is one of this
/// process's.
#[derive(Debug, Clone, Copy, Default)]
pub struct NativeFilesystem;

impl Filesystem for NativeFilesystem {
    fn open(&self, path: &str) -> Result<Opened, Fault> {
        let found = ambient::open(path)?;
        let directory = Box::new(NativeDirectory::new(found.directory));
        Ok(Opened::new(
            directory,
            found.path,
            found.missing,
            found.above,
        ))
    }
}

impl InputFiles for NativeFilesystem {
    fn read_input_file(&self, path: &str, most_bytes: usize) -> Result<Vec<u8>, Fault> {
        ambient::read_input_file(path, most_bytes)
    }

    fn open_input_file(&self, path: &str) -> Result<Box<dyn ReadFile>, Fault> {
        let file = ambient::open_input_file(path)?;
        Ok(Box::new(OpenFile::new(file)?))
    }
}
