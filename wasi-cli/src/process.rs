//! What both shells take from the process they run in: arguments, variables,
//! the clock, entropy and the two output streams.

use std::io::{self, Write};
use std::time::SystemTime;

use krabka_format_core::filesystem::{ErrorKind, Filesystem, Operation};

use crate::errno::fault;
use crate::platform::{Inputs, Platform};

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
}

impl<F: Filesystem> ThisProcess<F> {
    /// Adds the file system.
    pub const fn new(filesystem: F) -> Self {
        Self {
            filesystem,
            stdout_fault: None,
        }
    }
}

impl<F: Filesystem> Platform for ThisProcess<F> {
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
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    fn stdout(&mut self, line: &str) {
        match print(io::stdout().lock(), line) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                self.stdout_fault
                    .get_or_insert(fault(Operation::Write, &error).kind);
            }
            _ => {}
        }
    }

    fn stderr(&mut self, line: &str) {
        print(io::stderr().lock(), line).ok();
    }

    fn stdout_fault(&self) -> Option<ErrorKind> {
        self.stdout_fault.clone()
    }
}

/// Writes a line in one piece, so that other processes' lines don't mix in. Not
/// `println!`, which panics where the stream is closed.
fn print(mut stream: impl Write, line: &str) -> io::Result<()> {
    stream.write_all(format!("{line}\n").as_bytes())?;
    stream.flush()
}
