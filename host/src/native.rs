//! The platform of a native run: the operating system itself.

use std::io::{self, Write};
use std::time::SystemTime;

use krabka_format_cli::Platform;
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

/// What a native run may touch.
#[derive(Debug, Default)]
pub struct NativePlatform {
    output_failed: Option<io::ErrorKind>,
}

impl NativePlatform {
    /// Why the first line that standard output did not take was lost, where
    /// one was.
    pub fn output_failed(&self) -> Option<io::ErrorKind> {
        self.output_failed
    }
}

impl Platform for NativePlatform {
    fn filesystem(&self) -> &dyn Filesystem {
        &NativeFilesystem
    }

    fn now_ms(&self) -> i64 {
        #[expect(clippy::disallowed_methods, reason = "the clock of a native run")]
        let now = SystemTime::now();
        match now.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(until) => {
                i64::try_from(until.duration().as_millis()).map_or(i64::MIN, i64::wrapping_neg)
            }
        }
    }

    fn entropy(&mut self) -> Result<[u8; 16], String> {
        krabka_format_cli::entropy()
    }

    fn stdout(&mut self, line: &str) {
        if let Err(error) = print(io::stdout().lock(), line) {
            self.output_failed.get_or_insert(error.kind());
        }
    }

    fn stderr(&mut self, line: &str) {
        print_error(line);
    }
}

/// Prints one line to standard error. Where that is closed or full, there is
/// nobody left to tell.
pub(crate) fn print_error(line: &str) {
    drop(print(io::stderr().lock(), line));
}

/// Writes a line in one piece, so that other processes' lines don't mix in.
fn print(mut stream: impl Write, line: &str) -> io::Result<()> {
    stream.write_all(format!("{line}\n").as_bytes())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_counts_milliseconds_since_1970() {
        let now = NativePlatform::default().now_ms();
        // 2020-01-01 and 2200-01-01: a second or a microsecond falls outside.
        assert!(
            (1_577_836_800_000..7_258_118_400_000).contains(&now),
            "{now}"
        );
    }

    #[test]
    fn a_line_that_cannot_be_written_is_an_error_not_a_panic() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = print(Full, "line").expect_err("it is full");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
