//! The text of a feature on the command line.

use alloc::borrow::ToOwned as _;
use alloc::string::String;

use crate::java_number::parse_i16;
use crate::java_text;
use crate::shown::Shown;

/// Why a `NAME=LEVEL` text can't be read. The messages are those of Kafka's
/// `FeatureCommand.parseNameAndLevel`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeatureArgumentError {
    /// There is no equals sign.
    #[error("Can't parse feature=level string {}: equals sign not found.", Shown(.text))]
    NoEqualsSign {
        /// The whole text.
        text: String,
    },
    /// The level is not a number from -32768 to 32767.
    #[error(
        "Can't parse feature=level string {}: unable to parse {} as a short.",
        Shown(.text),
        Shown(.level)
    )]
    NotAShort {
        /// The whole text.
        text: String,
        /// The part after the first equals sign, trimmed.
        level: String,
    },
}

/// Parses `NAME=LEVEL`: the name ends at the first equals sign, and blanks
/// around both are dropped. Whether there is such a feature and level is not
/// checked here.
///
/// # Errors
///
/// The text has no equals sign, or its level is not a 16-bit number.
pub fn parse_feature_argument(text: &str) -> Result<(String, i16), FeatureArgumentError> {
    let (name, level) = text
        .split_once('=')
        .ok_or_else(|| FeatureArgumentError::NoEqualsSign {
            text: text.to_owned(),
        })?;
    let (name, level) = (java_text::trim(name), java_text::trim(level));
    let number = parse_i16(level).ok_or_else(|| FeatureArgumentError::NotAShort {
        text: text.to_owned(),
        level: level.to_owned(),
    })?;
    Ok((name.to_owned(), number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn a_name_and_a_level_are_read() {
        for (text, name, level) in [
            ("group.version=1", "group.version", 1),
            (" group.version\t= 1 ", "group.version", 1),
            ("\u{1}group.version\u{1f}=\n1", "group.version", 1),
            ("\u{a0}x=1", "\u{a0}x", 1),
            ("x=+1", "x", 1),
            ("x=-1", "x", -1),
            ("x=007", "x", 7),
            ("x=32767", "x", 32767),
            ("x=-32768", "x", -32768),
            ("=1", "", 1),
        ] {
            assert_eq!(
                parse_feature_argument(text),
                Ok((name.to_owned(), level)),
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_messages_are_kafkas() {
        for (text, message) in [
            (
                "",
                "Can't parse feature=level string : equals sign not found.",
            ),
            (
                "x",
                "Can't parse feature=level string x: equals sign not found.",
            ),
            (
                "x=",
                "Can't parse feature=level string x=: unable to parse  as a short.",
            ),
            (
                "x=1=2",
                "Can't parse feature=level string x=1=2: unable to parse 1=2 as a short.",
            ),
            (
                "x= y ",
                "Can't parse feature=level string x= y : unable to parse y as a short.",
            ),
            (
                "x=32768",
                "Can't parse feature=level string x=32768: unable to parse 32768 as a short.",
            ),
            (
                "x=1\u{1b}2",
                "Can't parse feature=level string x=1\\u{1b}2: unable to parse 1\\u{1b}2 as a short.",
            ),
        ] {
            assert_eq!(
                parse_feature_argument(text).unwrap_err().to_string(),
                message
            );
        }
    }
}
