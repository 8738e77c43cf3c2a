//! The core's dump over files in memory, for as many of them as it takes.

use krabka_format_core::dump::{Dump, Form, Options, Output};
use krabka_format_core::filesystem::{ErrorKind, Fault, Operation, ReadFile};

/// What a dump printed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Dumped {
    /// The lines of standard output.
    pub lines: Vec<String>,
    /// The lines of standard error.
    pub diagnosis: Vec<String>,
    /// The exit code.
    pub code: u8,
}

impl Dumped {
    /// Dumps `bytes` as a file of this name.
    pub fn of(bytes: &[u8], name: &str, form: Form) -> Self {
        let mut file = MemoryFile::new(bytes.to_vec());
        Self::of_file(&mut file, name, form)
    }

    /// Dumps a file of this name.
    pub fn of_file(file: &mut dyn ReadFile, name: &str, form: Form) -> Self {
        let mut options = Options::default();
        options.form = form;
        Self::with(file, name, &options)
    }

    /// Dumps a file of this name, as the options say.
    pub fn with(file: &mut dyn ReadFile, name: &str, options: &Options) -> Self {
        let mut dumped = Self::default();
        let mut dump = Dump::new(options);
        dump.file(name, file, &mut dumped);
        dumped.code = dump.finish(&mut dumped).number();
        dumped
    }
}

impl Output for Dumped {
    fn line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    fn diagnosis(&mut self, line: &str) {
        self.diagnosis.push(line.to_owned());
    }
}

/// A file in memory.
#[derive(Debug)]
pub struct MemoryFile {
    bytes: Vec<u8>,
    size: u64,
    read: usize,
    most_at_once: usize,
    fails_at: Option<usize>,
}

impl MemoryFile {
    /// A file of these bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self {
            size: bytes.len().try_into().expect("it is not that long"),
            bytes,
            read: 0,
            most_at_once: usize::MAX,
            fails_at: None,
        }
    }

    /// Gives at most this many bytes at once.
    pub fn in_parts_of(mut self, most_at_once: usize) -> Self {
        self.most_at_once = most_at_once;
        self
    }

    /// Claims to have had this many bytes when it was opened.
    pub fn with_size(mut self, size: u64) -> Self {
        self.size = size;
        self
    }

    /// Fails where this many bytes were read.
    pub fn failing_at(mut self, position: usize) -> Self {
        self.fails_at = Some(position);
        self
    }
}

impl ReadFile for MemoryFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        let end = self.fails_at.unwrap_or(self.bytes.len());
        if self.fails_at == Some(self.read) {
            return Err(Fault::new(Operation::Read, ErrorKind::InputOutput));
        }
        let left = &self.bytes[self.read..end];
        let length = left.len().min(buffer.len()).min(self.most_at_once);
        buffer[..length].copy_from_slice(&left[..length]);
        self.read += length;
        Ok(length)
    }
}
