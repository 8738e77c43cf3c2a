//! The name of the listener that controllers talk to each other through.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use core::fmt;

use crate::shown::Shown;

/// A listener name, upper-cased as Kafka's `ListenerName.normalised` does. It
/// holds no blanks, control characters or commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListenerName(String);

/// Why a text is no listener name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListenerNameError {
    /// There is nothing but blanks. The message is Kafka's.
    #[error("The provided listener name is null or empty string")]
    Empty,
    /// There is a blank, a control character or a comma, as in a list of names.
    #[error(
        "Listener name '{}' is not one name: it holds a blank, a control character or a comma. \
         Give the first entry of controller.listener.names alone.",
        Shown(.name)
    )]
    NotOneName {
        /// The text that was given.
        name: String,
    },
}

impl ListenerName {
    /// Upper-cases a name.
    ///
    /// # Errors
    ///
    /// [`ListenerNameError`].
    pub fn parse(text: &str) -> Result<Self, ListenerNameError> {
        if text.trim().is_empty() {
            return Err(ListenerNameError::Empty);
        }
        if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == ',') {
            return Err(ListenerNameError::NotOneName {
                name: text.to_owned(),
            });
        }
        Ok(Self(text.to_uppercase()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for ListenerName {
    /// `CONTROLLER`, the name that Kafka's own configurations use.
    fn default() -> Self {
        Self("CONTROLLER".to_owned())
    }
}

impl fmt::Display for ListenerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn a_name_is_upper_cased() {
        for (text, name) in [("CONTROLLER", "CONTROLLER"), ("ctl-1_é", "CTL-1_É")] {
            assert_eq!(ListenerName::parse(text).unwrap().as_str(), name);
        }
    }

    #[test]
    fn what_is_not_one_name_is_refused() {
        for text in ["", " ", "\t"] {
            assert_eq!(
                ListenerName::parse(text).unwrap_err().to_string(),
                "The provided listener name is null or empty string"
            );
        }
        for text in ["A,B", "A B", " A", "A\n", "A\0"] {
            let name = text.to_owned();
            assert_eq!(
                ListenerName::parse(text),
                Err(ListenerNameError::NotOneName { name })
            );
        }
    }
}
