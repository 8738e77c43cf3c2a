//! What both shells take from the process they run in: arguments, variables,
//! the clock, entropy and the two output streams.

use std::io::{self, IsTerminal as _, Read, Write};
use std::time::SystemTime;

use krabka_format_core::filesystem::{ErrorKind, Fault, Filesystem, FsError, Operation, ReadFile};
use krabka_format_core::ids::{Entropy, EntropyError};

use crate::errno::fault;
use crate::platform::{InputFiles, Inputs, Platform};

/// The most that is read of a file that the command line names: thousands of
/// credentials.
const MOST_INPUT_BYTES: usize = 1 << 20;

impl Inputs {
    /// Reads the arguments and the two variables of this process.
    pub fn of_this_process() -> Self {
        Self {
            arguments: std::env::args_os().collect(),
            source_date_epoch: std::env::var_os("SOURCE_DATE_EPOCH"),
            fail_after: std::env::var_os("KRABKA_FORMAT_FAIL_AFTER"),
        }
    }
}

/// The platform of a program that is on its own in its process: the process's
/// clock, entropy and streams, and the file system that the form works on.
#[derive(Debug)]
pub struct ThisProcess<F> {
    filesystem: F,
    stdout_fault: Option<ErrorKind>,
    is_stdout_closed: bool,
}

impl<F: Filesystem> ThisProcess<F> {
    /// Adds the file system.
    pub const fn new(filesystem: F) -> Self {
        Self {
            filesystem,
            stdout_fault: None,
            is_stdout_closed: false,
        }
    }

    /// Notes that standard output took no more.
    fn note_stdout(&mut self, printed: &io::Result<()>) {
        let Err(error) = printed else { return };
        self.is_stdout_closed = true;
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.stdout_fault
                .get_or_insert(fault(Operation::Write, error).kind);
        }
    }
}

impl<F: Filesystem + InputFiles> Platform for ThisProcess<F> {
    fn filesystem(&self) -> &dyn Filesystem {
        &self.filesystem
    }

    /// A clock before the epoch counts as the epoch.
    fn now_ms(&self) -> i64 {
        #[expect(
            clippy::disallowed_methods,
            reason = "the one place where the clock is read"
        )]
        let now = SystemTime::now();
        let since_epoch = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX)
    }

    fn entropy(&mut self) -> Result<[u8; 16], String> {
        random_bytes()
    }

    fn read_input(&mut self, path: &str) -> Result<Vec<u8>, FsError> {
        let read = if path == "-" {
            read_bounded(io::stdin().lock(), MOST_INPUT_BYTES)
        } else {
            self.filesystem.read_input_file(path, MOST_INPUT_BYTES)
        };
        let shown = if path == "-" { "standard input" } else { path };
        read.map_err(|fault| fault.at(shown))
    }

    fn open_input(&self, path: &str) -> Result<Box<dyn ReadFile>, Fault> {
        self.filesystem.open_input_file(path)
    }

    fn stdout(&mut self, line: &str) {
        self.note_stdout(&print(io::stdout().lock(), line));
    }

    fn stdout_block(&mut self, lines: &str) {
        let mut stdout = io::stdout().lock();
        let printed = stdout.write_all(lines.as_bytes());
        let printed = printed.and_then(|()| stdout.flush());
        self.note_stdout(&printed);
    }

    fn stderr(&mut self, line: &str) {
        print(io::stderr().lock(), line).ok();
    }

    fn stdout_fault(&self) -> Option<ErrorKind> {
        self.stdout_fault.clone()
    }

    fn is_stdout_closed(&self) -> bool {
        self.is_stdout_closed
    }

    /// In the sandbox, a guest may steer no terminal.
    fn is_stderr_watched(&self) -> bool {
        !cfg!(target_os = "wasi") && io::stderr().is_terminal()
    }

    /// The cursor goes back to the beginning of the line, and the rest of the
    /// line is cleared.
    fn progress(&mut self, text: &str) {
        let mut stderr = io::stderr().lock();
        let shown = stderr.write_all(format!("\r{text}\x1b[K").as_bytes());
        shown.and_then(|()| stderr.flush()).ok();
    }
}

/// The operating system's source of random bytes, for a caller of the core.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
        random_bytes().map_err(EntropyError::Unavailable)
    }
}

fn random_bytes() -> Result<[u8; 16], String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Reads to the end, unless that is too far.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`] where there are more than `most_bytes`, and what
/// the platform says.
pub fn read_bounded(stream: impl Read, most_bytes: usize) -> Result<Vec<u8>, Fault> {
    // One byte more tells a file that is too large from one that just fits.
    let bound = u64::try_from(most_bytes)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let mut bytes = Vec::new();
    stream
        .take(bound)
        .read_to_end(&mut bytes)
        .map_err(|error| fault(Operation::Read, &error))?;
    if bytes.len() > most_bytes {
        return Err(Fault::new(Operation::Read, ErrorKind::FileTooLarge));
    }
    Ok(bytes)
}

/// Writes a line in one piece, so that other processes' lines don't mix in. Not
/// `println!`, which panics where the stream is closed.
fn print(mut stream: impl Write, line: &str) -> io::Result<()> {
    stream.write_all(format!("{line}\n").as_bytes())?;
    stream.flush()
}
