//! The id of a log directory (KIP-858).

use alloc::collections::BTreeSet;
use core::fmt;

use thiserror::Error;

use super::entropy::{Entropy, EntropyError};
use super::given::{self, NotAnId};
use super::uuid::Uuid;

/// The id of a log directory. Its text is Kafka's canonical one, 22 characters.
///
/// A file may hold a reserved id; whoever compares the directories of a node
/// refuses it then ([`DirectoryId::is_reserved`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirectoryId(pub Uuid);

/// A text on the command line that is not an id for a log directory.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidDirectoryId {
    /// The text has neither form.
    #[error("invalid directory id: {0}")]
    NotAnId(#[from] NotAnId),
    /// The id is one that Kafka keeps for itself.
    #[error(
        "directory id {0} is reserved: no broker starts on a log directory that has it; \
         give another id, or none to have one generated"
    )]
    Reserved(DirectoryId),
}

impl DirectoryId {
    /// Reads a directory id from the command line: Kafka's form, or the
    /// hyphenated one.
    ///
    /// # Errors
    ///
    /// [`InvalidDirectoryId`] when the text has neither form, or when the id is
    /// reserved.
    pub fn parse_given(text: &str) -> Result<Self, InvalidDirectoryId> {
        let id = Self(given::parse(text)?);
        if id.is_reserved() {
            return Err(InvalidDirectoryId::Reserved(id));
        }
        Ok(id)
    }

    /// Draws an id as [`Uuid::generate`] does, and none of those that are
    /// taken.
    ///
    /// # Errors
    ///
    /// [`EntropyError`], when the source fails or gives only unusable ids.
    pub fn generate(
        entropy: &mut dyn Entropy,
        taken: &BTreeSet<Self>,
    ) -> Result<Self, EntropyError> {
        Uuid::generate(entropy, &|id| taken.contains(&Self(*id))).map(Self)
    }

    /// Whether no log directory may have this id: see [`Uuid::is_reserved`].
    pub fn is_reserved(&self) -> bool {
        self.0.is_reserved()
    }
}

impl fmt::Display for DirectoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn both_forms_are_accepted() {
        for text in [
            "AQIDBAUGBwgJCgsMDQ4PEA",
            "01020304-0506-0708-090a-0b0c0d0e0f10",
        ] {
            let id = DirectoryId::parse_given(text).unwrap();
            assert_eq!(id.to_string(), "AQIDBAUGBwgJCgsMDQ4PEA");
        }
    }

    #[test]
    fn a_reserved_id_is_refused_in_both_forms() {
        for text in [
            "AAAAAAAAAAAAAAAAAAAAYw",
            "00000000-0000-0000-0000-000000000063",
        ] {
            assert_eq!(
                DirectoryId::parse_given(text).unwrap_err().to_string(),
                "directory id AAAAAAAAAAAAAAAAAAAAYw is reserved: no broker starts on a log \
                 directory that has it; give another id, or none to have one generated"
            );
        }
    }

    #[test]
    fn a_refusal_names_the_text_both_forms_and_the_cause() {
        assert_eq!(
            DirectoryId::parse_given("a:b").unwrap_err().to_string(),
            "invalid directory id: `a:b` is neither an id as Kafka writes it, 22 characters of \
             base64url (Illegal base64 character 3a), nor a hyphenated UUID of 36 characters"
        );
    }
}
