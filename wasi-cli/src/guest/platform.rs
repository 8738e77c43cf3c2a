//! The runtime's clock, entropy and streams.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use krabka_format_cli::Platform;
use krabka_format_core::filesystem::Filesystem;

use super::filesystem::PreopenedFilesystem;

/// What a WASI runtime lets the program touch.
#[derive(Debug)]
pub(crate) struct GuestPlatform {
    filesystem: PreopenedFilesystem,
}

impl GuestPlatform {
    pub(crate) fn new() -> Self {
        Self {
            filesystem: PreopenedFilesystem::new(),
        }
    }
}

impl Platform for GuestPlatform {
    fn filesystem(&self) -> &dyn Filesystem {
        &self.filesystem
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the one place where the guest reads the clock"
    )]
    fn now_ms(&self) -> i64 {
        // A clock before the epoch, or past the year 292 million, is broken.
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        i64::try_from(since_epoch.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
    }

    fn entropy(&mut self) -> Result<[u8; 16], String> {
        krabka_format_cli::entropy()
    }

    fn stdout(&mut self, line: &str) {
        print(&mut io::stdout(), line);
    }

    fn stderr(&mut self, line: &str) {
        print(&mut io::stderr(), line);
    }
}

/// Prints a line in one write. A reader that is gone is no reason to fail: what
/// was done on disk does not depend on who hears of it.
fn print(stream: &mut dyn Write, line: &str) {
    let printed = stream.write_all(format!("{line}\n").as_bytes());
    printed.and_then(|()| stream.flush()).ok();
}
