//! What a form of the program hands to the command line.

use std::ffi::OsString;

use krabka_format_core::filesystem::{ErrorKind, Fault, Filesystem, FsError, Operation, ReadFile};

/// What a run is told from outside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The arguments, the name of the program first.
    pub arguments: Vec<OsString>,
    /// `SOURCE_DATE_EPOCH` of the environment, where it is set.
    pub source_date_epoch: Option<OsString>,
    /// `KRABKA_FORMAT_FAIL_AFTER` of the environment, where it is set: the
    /// test seam.
    pub fail_after: Option<OsString>,
}

/// What a run may touch. It has no method that could be left out, and gets no
/// further one without a default.
pub trait Platform {
    /// The file system that the log directories are on.
    fn filesystem(&self) -> &dyn Filesystem;

    /// The time, in milliseconds since the epoch.
    fn now_ms(&self) -> i64;

    /// 16 bytes that nobody can foresee.
    ///
    /// # Errors
    /// The platform's own words, where it has no entropy.
    fn entropy(&mut self) -> Result<[u8; 16], String>;

    /// Reads a file that the command line names, symbolic links followed, or
    /// standard input for `-`: at most 1 MiB.
    ///
    /// # Errors
    /// [`ErrorKind::FileTooLarge`], and what the platform says.
    fn read_input(&mut self, path: &str) -> Result<Vec<u8>, FsError>;

    /// Opens a regular file that the command line names, symbolic links
    /// followed, to read it a part at a time.
    ///
    /// # Errors
    /// [`ErrorKind::IsADirectory`], [`ErrorKind::NotARegularFile`],
    /// [`ErrorKind::Unsupported`] where the platform has no such files, and what
    /// it says.
    fn open_input(&self, path: &str) -> Result<Box<dyn ReadFile>, Fault> {
        let _: &str = path;
        Err(Fault::new(Operation::Open, ErrorKind::Unsupported))
    }

    /// Prints one line to standard output, without waiting for more.
    fn stdout(&mut self, line: &str);

    /// Prints one line to standard error. Where that fails, nobody is left to
    /// be told.
    fn stderr(&mut self, line: &str);

    /// Prints several whole lines to standard output, with their line ends.
    fn stdout_block(&mut self, lines: &str) {
        for line in lines.lines() {
            self.stdout(line);
        }
    }

    /// Why standard output did not take a line, if it did not. A reader that
    /// went away is no fault.
    fn stdout_fault(&self) -> Option<ErrorKind>;

    /// Whether nothing that is printed to standard output arrives any more.
    fn is_stdout_closed(&self) -> bool {
        self.stdout_fault().is_some()
    }

    /// Whether standard error is a terminal, on which progress is of use.
    fn is_stderr_watched(&self) -> bool {
        false
    }

    /// Shows how far a long run is on standard error, in the place of what was
    /// shown before. An empty text takes that away.
    fn progress(&mut self, text: &str) {
        let _: &str = text;
    }
}

/// Reads files that the command line names. They are not the log directories':
/// a form may give less authority over those.
pub trait InputFiles {
    /// Reads a file whole, symbolic links followed.
    ///
    /// # Errors
    /// [`ErrorKind::FileTooLarge`] where it holds more than `most_bytes`, and
    /// what the platform says.
    fn read_input_file(&self, path: &str, most_bytes: usize) -> Result<Vec<u8>, Fault>;

    /// Opens a regular file, as [`Platform::open_input`] does.
    ///
    /// # Errors
    /// As there.
    fn open_input_file(&self, path: &str) -> Result<Box<dyn ReadFile>, Fault> {
        let _: &str = path;
        Err(Fault::new(Operation::Open, ErrorKind::Unsupported))
    }
}
