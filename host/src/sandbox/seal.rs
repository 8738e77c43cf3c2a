//! What ends all changes in a log directory.

use std::io;
use std::sync::Arc;

use cap_std::fs::Dir;
use wasi_common::{Error, ErrorExt};

use super::errno::error;
use super::grant::Grant;

/// The name in a directory that ends all changes there, and below it, for every
/// handle and every open file: where it appears after they were granted, whoever
/// made it, too. What the guest doesn't change is not in its way.
#[derive(Clone, Default)]
pub(crate) struct Seal(Option<(Arc<Dir>, String)>);

impl Seal {
    /// That of a directory with this grant, unless it has none.
    pub(crate) fn of(directory: &Arc<Dir>, grant: &Grant) -> Option<Self> {
        let name = grant.seal()?;
        Some(Self(Some((Arc::clone(directory), name.to_owned()))))
    }

    /// Refuses a change where the name is there, or may be.
    ///
    /// # Errors
    /// EEXIST, and what the platform says where it can't tell.
    pub(crate) fn require_open(&self) -> Result<(), Error> {
        let Some((directory, name)) = &self.0 else {
            return Ok(());
        };
        match directory.symlink_metadata(name) {
            Ok(_) => Err(Error::exist()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(other) => Err(error(other)),
        }
    }
}
