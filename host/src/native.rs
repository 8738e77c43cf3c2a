//! The file system of a native run: the operating system's own.

use krabka_format_cli::InputFiles;
use krabka_format_core::filesystem::{Fault, Filesystem, Opened};

use crate::ambient;
use crate::directory::NativeDirectory;

/// The file system of the operating system.
#[derive(Debug, Clone, Copy)]
pub struct NativeFilesystem;

impl Filesystem for NativeFilesystem {
    fn open(&self, path: &str) -> Result<Opened, Fault> {
        let found = ambient::open(path)?;
        Ok(Opened {
            directory: Box::new(NativeDirectory::new(found.directory)),
            path: found.path,
            missing: found.missing,
            above: found.above,
        })
    }
}

impl InputFiles for NativeFilesystem {
    fn read_input_file(&self, path: &str, most_bytes: usize) -> Result<Vec<u8>, Fault> {
        ambient::read_input_file(path, most_bytes)
    }
}
