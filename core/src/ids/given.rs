//! Ids as they are given on the command line.

use alloc::string::String;

use thiserror::Error;

use super::uuid::{Uuid, UuidError};
use crate::shown::Shown;

/// A text that is an id in neither of the two forms.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{}` is neither an id as Kafka writes it, 22 characters of base64url ({cause}), \
     nor a hyphenated UUID of 36 characters",
    Shown(text)
)]
pub struct NotAnId {
    /// The text.
    pub text: String,
    /// Why it is not an id as Kafka writes it.
    pub cause: UuidError,
}

/// Reads an id in Kafka's form or in the hyphenated one, which earlier
/// releases of krabka printed. No text is an id in both.
pub(super) fn parse(text: &str) -> Result<Uuid, NotAnId> {
    if let Some(uuid) = Uuid::parse_hyphenated(text) {
        return Ok(uuid);
    }
    Uuid::parse(text).map_err(|cause| NotAnId {
        text: text.into(),
        cause,
    })
}
