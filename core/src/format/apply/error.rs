//! Why a step failed.

use alloc::string::String;

use crate::filesystem::{ErrorKind, Fault, FsError, Operation};
use crate::shown::Shown;

/// What is said where two runs were in each other's way.
const ANOTHER_PROCESS: &str = "Another process changed the log directories during this run: wait \
                               until it has ended, and run the command again.";

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// An operation on the file system failed.
    #[error(transparent)]
    File(FsError),
    /// The same, where the disk is not what it was when the run began.
    #[error("{0}. {ANOTHER_PROCESS}")]
    Overtaken(FsError),
    /// A file is not what this run wrote.
    #[error("{} is not what was written there. {ANOTHER_PROCESS}", Shown(path))]
    Replaced {
        /// The file.
        path: String,
    },
    /// A directory was formatted in between.
    #[error(
        "Log directory {} was formatted by another process during this run: run the command again.",
        Shown(path)
    )]
    Formatted {
        /// The directory.
        path: String,
    },
    /// The test seam ended the run.
    #[error("injected failure after {} (KRABKA_FORMAT_FAIL_AFTER)", Shown(path))]
    Injected {
        /// The file that was written last.
        path: String,
    },
}

/// Finds out whether an error says that the disk is not any more what the
/// survey saw: the plan creates only what was not there, removes only what
/// was, and works where no other run does. What is busy when it is removed or
/// renamed has something mounted on it.
pub(super) fn overtaken(error: StepError) -> StepError {
    match error {
        StepError::File(error) if is_overtaken(&error.fault) => StepError::Overtaken(error),
        other => other,
    }
}

fn is_overtaken(fault: &Fault) -> bool {
    match fault.kind {
        ErrorKind::AlreadyExists | ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty => true,
        ErrorKind::Busy => matches!(fault.operation, Operation::Lock | Operation::Open),
        _ => false,
    }
}

/// The failure of an operation on what a path names.
pub(super) fn file(fault: Fault, path: String) -> StepError {
    StepError::File(FsError { path, fault })
}

/// A plan that was made for another survey.
pub(super) fn closed(path: String) -> StepError {
    file(Fault::new(Operation::Open, ErrorKind::NotFound), path)
}
