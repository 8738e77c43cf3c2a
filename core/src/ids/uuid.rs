//! Kafka's `org.apache.kafka.common.Uuid`: 16 bytes, written as unpadded
//! base64url.

use alloc::string::String;
use core::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use thiserror::Error;

use super::entropy::{Entropy, EntropyError};
use super::java_base64::{self, Alphabet, Base64Error};
use crate::shown::Shown;

/// The longest text that Kafka decodes, in UTF-16 units: 22 characters and
/// their padding.
const MOST_UNITS: usize = 24;

/// How often an id is drawn before the source is called unfit. One draw in 64
/// begins with `-`; that a sound source gives this many in a row is out of the
/// question.
const MOST_DRAWS: u32 = 64;

/// 16 bytes, in network order. Its text is Kafka's: 22 characters of unpadded
/// base64url (`Uuid.toString`). Ids are ordered by their bytes, as
/// `Uuid.compareTo` orders them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid([u8; 16]);

/// Why `Uuid.fromString` refuses a text; the messages are Kafka's and Java's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UuidError {
    /// The text has more than 24 UTF-16 units.
    #[error(
        "Input string with prefix `{}` is too long to be decoded as a base64 UUID",
        Shown(prefix)
    )]
    TooLong {
        /// Its first 24 units.
        prefix: String,
    },
    /// The text is not base64url.
    #[error(transparent)]
    Malformed(#[from] Base64Error),
    /// The text decodes to some other number of bytes than 16.
    #[error(
        "Input string `{}` decoded as {bytes} bytes, which is not equal to the expected 16 bytes \
         of a base64-encoded UUID",
        Shown(text)
    )]
    WrongLength {
        /// The text.
        text: String,
        /// The number of bytes.
        bytes: usize,
    },
}

impl Uuid {
    /// Kafka's `Uuid.ZERO_UUID`.
    pub const ZERO: Self = Self([0; 16]);

    /// Makes an id of its bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, most significant first.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Reads an id as Kafka's `Uuid.fromString` does. Padding may be there or
    /// not, and unused low bits of the last character are ignored, so that
    /// several texts name one id.
    ///
    /// # Errors
    ///
    /// [`UuidError`], with Kafka's text.
    pub fn parse(text: &str) -> Result<Self, UuidError> {
        if text.encode_utf16().nth(MOST_UNITS).is_some() {
            let prefix = prefix_of_units(text, MOST_UNITS);
            return Err(UuidError::TooLong { prefix });
        }
        let bytes = java_base64::decode(text, Alphabet::Url)?;
        match <[u8; 16]>::try_from(bytes.as_slice()) {
            Ok(bytes) => Ok(Self(bytes)),
            Err(_) => Err(UuidError::WrongLength {
                text: text.into(),
                bytes: bytes.len(),
            }),
        }
    }

    /// Reads the hyphenated form of RFC 9562, 36 characters of either case.
    /// `None` for anything else, the other forms of that RFC's parsers
    /// (braces, `urn:uuid:`, no hyphens) included.
    pub fn parse_hyphenated(text: &str) -> Option<Self> {
        let uuid = uuid::Uuid::try_parse(text).ok()?;
        let mut buffer = uuid::Uuid::encode_buffer();
        let hyphenated = uuid.hyphenated().encode_lower(&mut buffer);
        hyphenated
            .eq_ignore_ascii_case(text)
            .then(|| Self(uuid.into_bytes()))
    }

    /// Whether this is an id that no log directory may have (KIP-858,
    /// `DirectoryId.reserved`): the first 100. Kafka compares the low half as a
    /// signed number, so half of all ids with an empty high half are reserved
    /// too.
    pub fn is_reserved(&self) -> bool {
        // The conversion fails unless the high half is empty.
        u64::try_from(u128::from_be_bytes(self.0)).is_ok_and(|low| low.cast_signed() < 100)
    }

    /// Draws a version 4 id (RFC 9562) whose text doesn't begin with `-`, as
    /// Kafka's `Uuid.randomUuid` does, and which is not to be refused. It is
    /// never reserved: its version lies in the high half.
    ///
    /// # Errors
    ///
    /// [`EntropyError`], when the source fails or gives only unusable ids.
    pub fn generate(
        entropy: &mut dyn Entropy,
        refuse: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, EntropyError> {
        for _ in 0..MOST_DRAWS {
            let drawn = uuid::Builder::from_random_bytes(entropy.draw()?).into_uuid();
            let id = Self(drawn.into_bytes());
            if !id.begins_with_hyphen() && !refuse(&id) {
                return Ok(id);
            }
        }
        Err(EntropyError::Unfit)
    }

    /// Whether the text of this id would be taken for an option.
    fn begins_with_hyphen(&self) -> bool {
        URL_SAFE_NO_PAD.encode(self.0).starts_with('-')
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The first `units` UTF-16 units of a text. Half a surrogate pair at the end
/// becomes `?`, which is what Java prints for it.
fn prefix_of_units(text: &str, units: usize) -> String {
    char::decode_utf16(text.encode_utf16().take(units))
        .map(|c| c.unwrap_or('?'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString as _;
    use alloc::vec::Vec;

    /// Inputs and what Kafka gives for them on Java 17.
    const JAVA: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/data/uuid/java17.tsv"
    ));

    const BYTES: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

    #[test]
    fn text_is_read_as_kafka_reads_it() {
        let mut rows = 0;
        for row in JAVA.lines().filter(|row| !row.starts_with('#')) {
            let (input, expected) = row.split_once('\t').unwrap();
            let text: String = serde_json::from_str(input).unwrap();
            let actual = match Uuid::parse(&text) {
                Ok(id) => format!("OK {:032x}", u128::from_be_bytes(id.0)),
                Err(error) => format!("ERR {error}"),
            };
            assert_eq!(actual, expected, "{input}");
            rows += 1;
        }
        assert_eq!(rows, 88);
    }

    #[test]
    fn a_long_text_is_quoted_by_its_first_24_units_and_without_control_characters() {
        for (text, quoted) in [
            // A surrogate pair across the border: Java prints its half as `?`.
            (
                format!("{}\u{1f600}", "A".repeat(23)),
                format!("{}?", "A".repeat(23)),
            ),
            (
                format!("{}\u{1f600}A", "A".repeat(22)),
                format!("{}\u{1f600}", "A".repeat(22)),
            ),
            (
                format!("\n\u{1b}{}", "A".repeat(30)),
                format!("\\n\\u{{1b}}{}", "A".repeat(22)),
            ),
        ] {
            assert_eq!(
                Uuid::parse(&text).unwrap_err().to_string(),
                format!(
                    "Input string with prefix `{quoted}` is too long to be decoded as a base64 UUID"
                )
            );
        }
    }

    #[test]
    fn an_id_is_written_in_22_characters() {
        assert_eq!(Uuid(BYTES).to_string(), "AQIDBAUGBwgJCgsMDQ4PEA");
        assert_eq!(Uuid::ZERO.to_string(), "AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(Uuid([0xff; 16]).to_string(), "_____________________w");
    }

    #[test]
    fn only_the_hyphenated_form_is_taken_for_it() {
        for text in [
            "01020304-0506-0708-090a-0b0c0d0e0f10",
            "01020304-0506-0708-090A-0b0C0d0E0f10",
        ] {
            assert_eq!(Uuid::parse_hyphenated(text), Some(Uuid(BYTES)), "{text}");
        }
        for text in [
            "",
            "0102030405060708090a0b0c0d0e0f10",
            "{01020304-0506-0708-090a-0b0c0d0e0f10}",
            "urn:uuid:01020304-0506-0708-090a-0b0c0d0e0f10",
            "01020304-0506-0708-090a-0b0c0d0e0f1",
            "01020304-0506-0708-090a-0b0c0d0e0f100",
            "0102030405-06-0708-090a-0b0c0d0e0f10",
            "01020304-0506-0708-090g-0b0c0d0e0f10",
            "01020304-0506-0708-090a-0b0c0d0e0f\u{e9}",
            " 01020304-0506-0708-090a-0b0c0d0e0f10",
            "AQIDBAUGBwgJCgsMDQ4PEA",
        ] {
            assert_eq!(Uuid::parse_hyphenated(text), None, "{text}");
        }
    }

    /// The low half is compared as a signed number, as Kafka does.
    #[test]
    fn the_reserved_ids_are_those_of_kafka() {
        for (high, low, is_reserved) in [
            (0_u64, 0_u64, true),
            (0, 1, true),
            (0, 99, true),
            (0, 100, false),
            (0, 1 << 63, true),
            (0, (1 << 63) - 1, false),
            (0, u64::MAX, true),
            (1, 0, false),
            (1, 99, false),
            (1 << 63, u64::MAX, false),
        ] {
            let id = Uuid(((u128::from(high) << 64) | u128::from(low)).to_be_bytes());
            assert_eq!(id.is_reserved(), is_reserved, "{high:x} {low:x}");
        }
    }

    /// Gives what it holds, one after the other, then fails.
    struct Scripted(Vec<[u8; 16]>);

    impl Entropy for Scripted {
        fn draw(&mut self) -> Result<[u8; 16], EntropyError> {
            if self.0.is_empty() {
                return Err(EntropyError::Unavailable("the end\n".into()));
            }
            Ok(self.0.remove(0))
        }
    }

    fn generate(draws: &[[u8; 16]], refuse: &dyn Fn(&Uuid) -> bool) -> Result<Uuid, EntropyError> {
        Uuid::generate(&mut Scripted(draws.into()), refuse)
    }

    #[test]
    fn a_generated_id_is_of_version_4_and_never_reserved() {
        for (drawn, expected) in [
            ([0; 16], "00000000-0000-4000-8000-000000000000"),
            ([0xf7; 16], "f7f7f7f7-f7f7-47f7-b7f7-f7f7f7f7f7f7"),
        ] {
            let id = generate(&[drawn], &|_| false).unwrap();
            assert_eq!(Some(id), Uuid::parse_hyphenated(expected));
            assert!(!id.is_reserved());
        }
    }

    #[test]
    fn ids_that_begin_with_a_hyphen_or_are_refused_are_drawn_again() {
        // The six bits 62 are `-`: 0xf8 to 0xfb.
        let draws = [[0xf8; 16], [0xfb; 16], [1; 16], [2; 16]];
        let first = generate(&draws, &|_| false).unwrap();
        assert_eq!(first.as_bytes()[0], 1);
        let second = generate(&draws, &|id| *id == first).unwrap();
        assert_eq!(second.as_bytes()[0], 2);
    }

    #[test]
    fn a_source_that_fails_or_repeats_itself_is_an_error() {
        let error = generate(&[], &|_| false).unwrap_err();
        assert_eq!(error.to_string(), "no random bytes: the end\\n");
        let same = [[0xf8; 16]; 1000];
        assert_eq!(generate(&same, &|_| false), Err(EntropyError::Unfit));
        assert_eq!(
            generate(&[[0; 16]; 1000], &|_| true),
            Err(EntropyError::Unfit)
        );
    }
}
