//! The id of a cluster.

use alloc::string::{String, ToString as _};
use core::fmt;

use thiserror::Error;

use super::given::{self, NotAnId};
use super::uuid::Uuid;

/// The id of a cluster. Its text is Kafka's canonical one, 22 characters.
///
/// Kafka takes any string for a cluster id and compares strings; krabka holds
/// 16 bytes and compares those. Reserved ids are accepted, as Kafka accepts
/// them here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterId(pub Uuid);

/// A text on the command line that is not a cluster id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("invalid cluster id: {0}")]
pub struct InvalidClusterId(#[from] pub NotAnId);

impl ClusterId {
    /// Reads a cluster id from the command line: Kafka's form, or the
    /// hyphenated one.
    ///
    /// # Errors
    ///
    /// [`InvalidClusterId`] when the text has neither form.
    pub fn parse_given(text: &str) -> Result<Self, InvalidClusterId> {
        Ok(Self(given::parse(text)?))
    }
}

impl fmt::Display for ClusterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A cluster id together with the text it was given in. A Kafka node that was
/// given the same text keeps the text, and so disagrees with a directory that
/// holds the canonical one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenClusterId {
    /// The id.
    pub id: ClusterId,
    /// The text as given.
    pub text: String,
}

impl GivenClusterId {
    /// Reads a cluster id from the command line and keeps its text.
    ///
    /// # Errors
    ///
    /// [`InvalidClusterId`] when the text has neither form.
    pub fn parse(text: &str) -> Result<Self, InvalidClusterId> {
        Ok(Self {
            id: ClusterId::parse_given(text)?,
            text: text.into(),
        })
    }

    /// Whether the text is the one that will be written.
    pub fn is_canonical(&self) -> bool {
        self.id.to_string() == self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANONICAL: &str = "AQIDBAUGBwgJCgsMDQ4PEA";

    #[test]
    fn every_spelling_of_an_id_is_the_same_id() {
        for (text, is_canonical) in [
            (CANONICAL, true),
            ("AQIDBAUGBwgJCgsMDQ4PEA==", false),
            ("AQIDBAUGBwgJCgsMDQ4PEB", false),
            ("01020304-0506-0708-090a-0b0c0d0e0f10", false),
            ("01020304-0506-0708-090A-0B0C0D0E0F10", false),
        ] {
            let given = GivenClusterId::parse(text).unwrap();
            assert_eq!(given.id.to_string(), CANONICAL, "{text}");
            assert_eq!(given.is_canonical(), is_canonical, "{text}");
            assert_eq!(given.text, text);
        }
    }

    #[test]
    fn a_reserved_id_may_name_a_cluster() {
        let text = "AAAAAAAAAAAAAAAAAAAAAA";
        assert_eq!(ClusterId::parse_given(text), Ok(ClusterId(Uuid::ZERO)));
    }

    #[test]
    fn a_refusal_names_the_text_both_forms_and_the_cause() {
        assert_eq!(
            ClusterId::parse_given("foo").unwrap_err().to_string(),
            "invalid cluster id: `foo` is neither an id as Kafka writes it, 22 characters of \
             base64url (Input string `foo` decoded as 2 bytes, which is not equal to the expected \
             16 bytes of a base64-encoded UUID), nor a hyphenated UUID of 36 characters"
        );
    }

    #[test]
    fn a_refusal_shows_no_control_characters() {
        let message = ClusterId::parse_given("a\u{1b}[2J\n")
            .unwrap_err()
            .to_string();
        assert!(!message.contains(char::is_control), "{message:?}");
        assert!(message.contains("`a\\u{1b}[2J\\n`"), "{message:?}");
    }
}
