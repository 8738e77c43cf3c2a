//! What a form of the program hands to the command line.

use std::ffi::OsString;

use krabka_format_core::filesystem::Filesystem;

/// What a run is told from outside.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// The arguments, the name of the program first.
    pub arguments: Vec<OsString>,
    /// `SOURCE_DATE_EPOCH` of the environment, where it is set.
    pub source_date_epoch: Option<OsString>,
    /// `KRABKA_FORMAT_FAIL_AFTER` of the environment, where it is set: the
    /// test seam.
    pub fail_after: Option<OsString>,
}

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

/// What a run may touch.
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

    /// Prints one line to standard output, without waiting for more.
    fn stdout(&mut self, line: &str);

    /// Prints one line to standard error.
    fn stderr(&mut self, line: &str);
}

/// Draws 16 bytes from the operating system or the WASI runtime.
///
/// # Errors
/// The platform's own words, where it has no entropy.
pub fn entropy() -> Result<[u8; 16], String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}
