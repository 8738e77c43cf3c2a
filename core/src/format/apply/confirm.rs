//! The syncs of directories that are formatted already.

use super::error::{StepError, file};
use crate::filesystem::{Durability, ErrorKind, Fault, join};
use crate::format::{Survey, SurveyedDirectory};
use crate::meta_properties::FILE_NAME;

/// Syncs the directories that are formatted already: the run that published
/// them may have failed at its last sync, and what is answered about them has
/// to hold after a crash.
///
/// # Errors
/// [`StepError::File`].
pub fn confirm(survey: &Survey) -> Result<Durability, StepError> {
    let mut durability = Durability::Durable;
    for (directory, _) in survey.formatted() {
        if confirm_directory(directory)? == Durability::BestEffort {
            durability = Durability::BestEffort;
        }
    }
    Ok(durability)
}

/// [`confirm`], for one directory that is formatted.
pub(crate) fn confirm_directory(directory: &SurveyedDirectory) -> Result<Durability, StepError> {
    let Some((_, opened)) = &directory.opened else {
        return Ok(Durability::Durable);
    };
    let handle = opened.directory.as_ref();
    let marker = join(&directory.path, FILE_NAME);
    settled(handle.sync_file(FILE_NAME)).map_err(|fault| file(fault, marker))?;
    match settled(handle.sync()) {
        Ok(synced) => Ok(synced.unwrap_or(Durability::Durable)),
        // Who may not open a directory cannot sync it either. That it is
        // formatted stands all the same (INV-5).
        Err(Fault {
            kind: ErrorKind::PermissionDenied,
            ..
        }) => Ok(Durability::BestEffort),
        Err(fault) => Err(file(fault, directory.path.clone())),
    }
}

/// On a read-only file system nothing waits to be written.
pub(super) fn settled<T>(synced: Result<T, Fault>) -> Result<Option<T>, Fault> {
    match synced {
        Err(Fault {
            kind: ErrorKind::ReadOnly,
            ..
        }) => Ok(None),
        other => other.map(Some),
    }
}
