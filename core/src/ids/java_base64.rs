//! Java's base64 decoder, `java.util.Base64.Decoder`, as Kafka uses it.
//!
//! The `base64` crate encodes, but can't stand in here: Kafka's messages carry
//! the decoder's own texts, and its idea of what is malformed (padding is
//! optional, unused low bits of the last character may be set, a lone `=` is
//! wrong in four ways) is no configuration of the crate. What each input gives
//! was taken from Java 17.

use alloc::vec::Vec;
use core::fmt;

use thiserror::Error;

/// The 64 characters that text is read in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alphabet {
    /// `+` and `/` (`Base64.getDecoder`): SCRAM salts and keys.
    Standard,
    /// `-` and `_` (`Base64.getUrlDecoder`): ids.
    Url,
}

/// Why Java's decoder refuses a text; the messages are its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Base64Error {
    /// One character alone.
    #[error("Input byte[] should at least have 2 bytes for base64 bytes")]
    TooShort,
    /// A character that is not in the alphabet.
    #[error("Illegal base64 character {}", SignedHex(*.0))]
    IllegalCharacter(u8),
    /// A last unit of one character: six bits are no byte.
    #[error("Last unit does not have enough valid bits")]
    NotEnoughBits,
    /// Padding after a whole unit, or one `=` where two are needed.
    #[error("Input byte array has wrong 4-byte ending unit")]
    WrongEndingUnit,
    /// Something follows the padding, at this position counted in characters.
    #[error("Input byte array has incorrect ending byte at {0}")]
    IncorrectEndingByte(usize),
}

/// Decodes `text` as Java's decoder does: padding may be left out, and unused
/// low bits of the last character are ignored.
///
/// # Errors
///
/// [`Base64Error`], whose text is the message of Java's
/// `IllegalArgumentException`.
pub fn decode(text: &str, alphabet: Alphabet) -> Result<Vec<u8>, Base64Error> {
    // `String.getBytes(ISO_8859_1)` turns what it can't encode into `?`.
    let bytes: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(c).unwrap_or(b'?'))
        .collect();
    if bytes.len() == 1 {
        return Err(Base64Error::TooShort);
    }
    let sextets = bytes
        .iter()
        .take_while(|&&byte| byte != b'=')
        .map(|&byte| sextet(byte, alphabet).ok_or(Base64Error::IllegalCharacter(byte)))
        .collect::<Result<Vec<u8>, Base64Error>>()?;
    check_ending(&bytes, sextets.len())?;
    Ok(sextets.chunks(4).flat_map(join_unit).collect())
}

/// The six bits that a character stands for.
fn sextet(byte: u8, alphabet: Alphabet) -> Option<u8> {
    match (byte, alphabet) {
        (b'A'..=b'Z', _) => Some(byte.wrapping_sub(b'A')),
        (b'a'..=b'z', _) => Some(byte.wrapping_sub(b'a').wrapping_add(26)),
        (b'0'..=b'9', _) => Some(byte.wrapping_sub(b'0').wrapping_add(52)),
        (b'+', Alphabet::Standard) | (b'-', Alphabet::Url) => Some(62),
        (b'/', Alphabet::Standard) | (b'_', Alphabet::Url) => Some(63),
        _ => None,
    }
}

/// Checks what follows the `decoded` characters: nothing, or the padding that
/// completes the last unit.
fn check_ending(bytes: &[u8], decoded: usize) -> Result<(), Base64Error> {
    let ending = bytes.get(decoded..).unwrap_or_default();
    let rest = match (decoded % 4, ending) {
        (1, _) => return Err(Base64Error::NotEnoughBits),
        (_, []) => return Ok(()),
        (2, [b'=', b'=', rest @ ..]) | (3, [b'=', rest @ ..]) => rest,
        _ => return Err(Base64Error::WrongEndingUnit),
    };
    if rest.is_empty() {
        return Ok(());
    }
    let position = bytes.len().saturating_sub(rest.len());
    Err(Base64Error::IncorrectEndingByte(position))
}

/// The bytes of one unit of up to four sextets: one fewer than there are.
fn join_unit(unit: &[u8]) -> impl Iterator<Item = u8> + use<> {
    let bits = unit
        .iter()
        .chain(&[0; 4])
        .take(4)
        .fold(0_u32, |bits, &sextet| bits << 6 | u32::from(sextet));
    let [_, bytes @ ..] = bits.to_be_bytes();
    bytes.into_iter().take(unit.len().saturating_sub(1))
}

/// Java's `Integer.toString(b, 16)` of a `byte`, which is signed: `3a`, `-17`.
struct SignedHex(u8);

impl fmt::Display for SignedHex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed = self.0.cast_signed();
        let sign = if signed < 0 { "-" } else { "" };
        write!(f, "{sign}{:x}", signed.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    /// Inputs and what Java 17 gives for them.
    const JAVA: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/data/java-base64/java17.tsv"
    ));

    #[test]
    fn both_alphabets_decode_as_in_java() {
        let mut rows = 0;
        for row in JAVA.lines().filter(|row| !row.starts_with('#')) {
            let [alphabet, input, expected] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("a row has three columns: {row}");
            };
            let alphabet = match alphabet {
                "standard" => Alphabet::Standard,
                "url" => Alphabet::Url,
                other => panic!("no such alphabet: {other}"),
            };
            let text: String = serde_json::from_str(input).unwrap();
            let actual = match decode(&text, alphabet) {
                Ok(bytes) => bytes
                    .iter()
                    .fold("OK ".into(), |hex, byte| format!("{hex}{byte:02x}")),
                Err(error) => format!("ERR {error}"),
            };
            assert_eq!(actual, expected, "{alphabet:?} {input}");
            rows += 1;
        }
        assert_eq!(rows, 88);
    }
}
