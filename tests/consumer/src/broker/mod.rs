//! A broker, as far as the log directories that it starts with.

use krabka_format::boot::{self, BootError, BootSettings, Node};
use krabka_format::core::format::{Journal, SurveyError};
use krabka_format::{NativeFilesystem, SystemEntropy};

#[cfg(test)]
mod tests;

/// Why a broker does not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The log directories could not be looked at.
    Survey(SurveyError),
    /// They are not those of this node.
    Boot(BootError),
}

impl From<SurveyError> for StartError {
    fn from(error: SurveyError) -> Self {
        Self::Survey(error)
    }
}

impl From<BootError> for StartError {
    fn from(error: BootError) -> Self {
        Self::Boot(error)
    }
}

/// What a broker logs while it starts.
#[derive(Debug, Default)]
pub struct Log(pub Vec<String>);

impl Journal for Log {
    fn announce(&mut self, line: &str) {
        self.0.push(line.to_owned());
    }
}

/// Checks the log directories of a broker, and writes what they lack.
///
/// # Errors
/// [`StartError`].
pub fn start(settings: &BootSettings, now_ms: i64, log: &mut Log) -> Result<Node, StartError> {
    let findings = boot::observe(&NativeFilesystem, settings)?;
    let checked = boot::check(settings, &findings, &mut SystemEntropy, now_ms)?;
    Ok(boot::apply(&checked, &findings, log)?)
}
