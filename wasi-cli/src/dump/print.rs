//! The lines of a dump on their way out: many at a time, and with the progress
//! of a long one.

use krabka_format_core::dump::Output;
use krabka_format_core::shown::Shown;

use crate::platform::Platform;

/// How much is printed at once.
const BLOCK_BYTES: usize = 64 * 1024;

/// The time after which progress is shown, in milliseconds.
const PATIENCE_MS: i64 = 1000;

/// The time between two shows of it, in milliseconds.
const INTERVAL_MS: i64 = 200;

/// Prints what a dump says.
pub(super) struct Printer<'a> {
    platform: &'a mut dyn Platform,
    block: String,
    /// When progress is to be shown next; `None` where nobody looks.
    progress_at_ms: Option<i64>,
    shows_progress: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(platform: &'a mut dyn Platform) -> Self {
        let is_watched = platform.is_stderr_watched();
        let progress_at_ms = is_watched.then(|| platform.now_ms().saturating_add(PATIENCE_MS));
        Self {
            platform,
            block: String::new(),
            progress_at_ms,
            shows_progress: false,
        }
    }

    pub(super) fn platform(&self) -> &dyn Platform {
        self.platform
    }

    /// Prints what is left.
    pub(super) fn flush(&mut self) {
        if !self.block.is_empty() {
            self.clear_progress();
            self.platform.stdout_block(&self.block);
            self.block.clear();
        }
    }

    fn clear_progress(&mut self) {
        if self.shows_progress {
            self.platform.progress("");
            self.shows_progress = false;
        }
    }
}

impl Drop for Printer<'_> {
    fn drop(&mut self) {
        self.flush();
        self.clear_progress();
    }
}

impl Output for Printer<'_> {
    fn line(&mut self, line: &str) {
        self.block.push_str(line);
        self.block.push('\n');
        if self.block.len() >= BLOCK_BYTES {
            self.flush();
        }
    }

    /// What was printed before comes before it.
    fn diagnosis(&mut self, line: &str) {
        self.flush();
        self.clear_progress();
        self.platform.stderr(line);
    }

    fn is_read(&self) -> bool {
        !self.platform.is_stdout_closed()
    }

    fn progress(&mut self, path: &str, position: u64, size: u64) {
        let Some(at_ms) = self.progress_at_ms else {
            return;
        };
        let now_ms = self.platform.now_ms();
        if now_ms >= at_ms {
            let percent = position
                .saturating_mul(100)
                .checked_div(size)
                .unwrap_or(100);
            let text = format!("{}: {percent} % of {size} bytes", Shown(path));
            self.platform.progress(&text);
            self.shows_progress = true;
            self.progress_at_ms = Some(now_ms.saturating_add(INTERVAL_MS));
        }
    }
}
