//! The looks that tell whether another process is at work in the same log
//! directories, where nothing keeps the two apart.

use super::error::{StepError, file};
use super::run::Run;
use crate::filesystem::{ErrorKind, Fault, Operation, join};
use crate::format::Place;
use crate::meta_properties::{FILE_NAME, TEMPORARY_FILE_NAME};

impl Run<'_> {
    /// Gives a file its name for good. Where that is taken, it is what the
    /// message is about.
    pub(super) fn publish(&mut self, place: Place, from: &str, to: &str) -> Result<(), StepError> {
        let path = self.path(place);
        let published = self.handle(place)?.publish(from, to);
        published.map_err(|fault| match fault.kind {
            ErrorKind::AlreadyExists => {
                file(Fault::new(Operation::Create, fault.kind), join(&path, to))
            }
            _ => file(fault, join(&path, from)),
        })
    }

    /// Checks that the files that were written in a log directory still are
    /// what was written.
    pub(super) fn verify(&mut self, place: Place) -> Result<(), StepError> {
        for (directory, name, bytes) in self.written.clone() {
            if directory != place && self.parent(directory) != Some(place) {
                continue;
            }
            let path = join(&self.path(directory), name);
            match self.handle(directory)?.read(name, bytes.len()) {
                Ok(read) if read == bytes => {}
                Ok(_)
                | Err(Fault {
                    kind: ErrorKind::FileTooLarge | ErrorKind::NotARegularFile,
                    ..
                }) => return Err(StepError::Replaced { path }),
                // A umask may keep a run from what it wrote, and so does the sandbox,
                // whose host has taken the directory for this run alone.
                Err(Fault {
                    kind: ErrorKind::PermissionDenied,
                    ..
                }) => {}
                Err(fault) => return Err(file(fault, path)),
            }
        }
        Ok(())
    }

    /// Checks that a directory was not published since it was looked at, before
    /// anything but the temporary file is written or removed there. Where
    /// directories can be taken for one run, none is.
    pub(super) fn require_unpublished(
        &mut self,
        place: Place,
        name: &str,
    ) -> Result<(), StepError> {
        if name == TEMPORARY_FILE_NAME {
            return Ok(());
        }
        for directory in [Some(place), self.parent(place)].into_iter().flatten() {
            let path = self.path(directory);
            let marker = self.handle(directory)?.lookup(FILE_NAME);
            match marker.map_err(|fault| file(fault, join(&path, FILE_NAME)))? {
                None => {}
                Some(_) => return Err(StepError::Formatted { path }),
            }
        }
        Ok(())
    }
}
