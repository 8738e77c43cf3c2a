//! An open file, as the core reads it.

use std::fs::File;
use std::io::{self, Read as _};

use krabka_format_core::filesystem::{ErrorKind, Fault, Operation, ReadFile};

use crate::errno::fault;

/// A regular file that is open for reading.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    size: u64,
}

impl OpenFile {
    /// Takes a file that was opened, whatever it is.
    ///
    /// # Errors
    /// [`ErrorKind::IsADirectory`], [`ErrorKind::NotARegularFile`], and what the
    /// platform says.
    pub fn new(file: File) -> Result<Self, Fault> {
        let metadata = file.metadata();
        let metadata = metadata.map_err(|error| fault(Operation::Open, &error))?;
        if metadata.is_dir() {
            return Err(Fault::new(Operation::Open, ErrorKind::IsADirectory));
        }
        if !metadata.is_file() {
            return Err(Fault::new(Operation::Open, ErrorKind::NotARegularFile));
        }
        let size = metadata.len();
        Ok(Self { file, size })
    }
}

impl ReadFile for OpenFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        loop {
            match self.file.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fault(Operation::Read, &error)),
                Ok(length) => return Ok(length),
            }
        }
    }
}
