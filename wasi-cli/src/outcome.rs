//! How a run ended, and what it said: for callers that print themselves.

use krabka_format_core::filesystem::{ErrorKind, Fault, Filesystem, FsError, ReadFile};
use krabka_format_core::format::ExitCode;

use crate::platform::Platform;

/// How a run ended, and what it said.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The exit code that the program would have.
    pub exit_code: ExitCode,
    /// The lines that the program would print, in their order.
    pub lines: Vec<Line>,
}

/// A line that was said, without a line end at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// Where the program would print it.
    pub stream: Stream,
    /// What it says. The help and a usage message have several lines in one.
    pub text: String,
}

/// The two output streams of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output: what was done.
    Stdout,
    /// Standard error: why nothing was done, and notes.
    Stderr,
}

impl Outcome {
    /// Makes an outcome of what a form of the program returned.
    pub fn new(exit_code: ExitCode, lines: Vec<Line>) -> Self {
        Self { exit_code, lines }
    }

    /// Runs something on a platform whose lines are kept instead of printed.
    pub fn of(
        platform: &mut dyn Platform,
        run: impl FnOnce(&mut dyn Platform) -> ExitCode,
    ) -> Self {
        let mut quiet = Quiet {
            platform,
            lines: Vec::new(),
        };
        let exit_code = run(&mut quiet);
        Self::new(exit_code, quiet.lines)
    }

    /// The lines of one stream.
    pub fn lines_of(&self, stream: Stream) -> impl Iterator<Item = &str> {
        self.lines
            .iter()
            .filter(move |line| line.stream == stream)
            .map(|line| line.text.as_str())
    }
}

impl Line {
    /// Makes a line.
    pub fn new(stream: Stream, text: impl Into<String>) -> Self {
        Self {
            stream,
            text: text.into(),
        }
    }
}

/// A platform whose lines are kept.
struct Quiet<'a> {
    platform: &'a mut dyn Platform,
    lines: Vec<Line>,
}

impl Platform for Quiet<'_> {
    fn filesystem(&self) -> &dyn Filesystem {
        self.platform.filesystem()
    }

    fn now_ms(&self) -> i64 {
        self.platform.now_ms()
    }

    fn entropy(&mut self) -> Result<[u8; 16], String> {
        self.platform.entropy()
    }

    fn read_input(&mut self, path: &str) -> Result<Vec<u8>, FsError> {
        self.platform.read_input(path)
    }

    fn open_input(&self, path: &str) -> Result<Box<dyn ReadFile>, Fault> {
        self.platform.open_input(path)
    }

    fn stdout(&mut self, line: &str) {
        self.lines.push(Line::new(Stream::Stdout, line));
    }

    fn stderr(&mut self, line: &str) {
        self.lines.push(Line::new(Stream::Stderr, line));
    }

    fn stdout_fault(&self) -> Option<ErrorKind> {
        None
    }
}
