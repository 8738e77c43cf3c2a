//! The reader, `java.util.Properties.load(InputStream)`.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use thiserror::Error;

/// Why Java refuses to load a file; the message is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PropertiesError {
    /// A `\u` that four hexadecimal digits do not follow.
    #[error("Malformed \\uxxxx encoding.")]
    MalformedEscape,
}

/// Reads a properties file as Java does, each byte being a character of
/// ISO-8859-1. Of a repeated key the last value counts.
///
/// `\u` escapes are UTF-16 units, and pairs of surrogates are joined. A
/// surrogate alone, which Java keeps, becomes U+FFFD here; keys that differ in
/// such surrogates only are one key.
///
/// # Errors
///
/// [`PropertiesError`], with Java's text.
pub fn load(bytes: &[u8]) -> Result<BTreeMap<String, String>, PropertiesError> {
    LogicalLines { rest: bytes }
        .map(|line| {
            let (key, value) = split_pair(&line);
            Ok((unescape(key)?, unescape(value)?))
        })
        .collect()
}

/// The lines that hold pairs: blank lines and comments are left out, lines that
/// end in a backslash are joined with the next.
struct LogicalLines<'a> {
    rest: &'a [u8],
}

impl Iterator for LogicalLines<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        while !self.rest.is_empty() {
            let (natural, end) = self.natural_line();
            // While nothing is gathered, a comment or a blank line is skipped,
            // even after a line that was a backslash alone.
            if line.is_empty() && matches!(natural.first(), None | Some(b'#' | b'!')) {
                continue;
            }
            line.extend_from_slice(natural);
            let backslashes = natural
                .iter()
                .rev()
                .take_while(|&&byte| byte == b'\\')
                .count();
            if backslashes % 2 == 0 {
                return Some(line);
            }
            line.pop();
            // A backslash alone at the end of the file is a pair of empty
            // texts, unless CR LF follows: Java looks for the end of the file
            // after the first of the two only.
            if self.rest.is_empty() && end != LineEnd::CrLf {
                return Some(line);
            }
        }
        (!line.is_empty()).then_some(line)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    CrLf,
    OneByteOrNone,
}

impl<'a> LogicalLines<'a> {
    /// Takes one line as it stands in the file, without the blanks it begins
    /// with.
    fn natural_line(&mut self) -> (&'a [u8], LineEnd) {
        let length = self
            .rest
            .iter()
            .take_while(|byte| !matches!(byte, b'\r' | b'\n'))
            .count();
        let (line, after) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, &[]));
        let end;
        (self.rest, end) = match after {
            [b'\r', b'\n', rest @ ..] => (rest, LineEnd::CrLf),
            [_, rest @ ..] => (rest, LineEnd::OneByteOrNone),
            [] => (after, LineEnd::OneByteOrNone),
        };
        (trim_blanks_start(line), end)
    }
}

/// Splits a line into key and value, both still escaped. They are separated by
/// blanks with at most one `=` or `:` among them.
fn split_pair(line: &[u8]) -> (&[u8], &[u8]) {
    let mut escaped = false;
    let key_length = line
        .iter()
        .take_while(|&&byte| {
            let ends_key = !escaped && (is_blank(byte) || is_separator(byte));
            escaped = byte == b'\\' && !escaped;
            !ends_key
        })
        .count();
    let (key, rest) = line.split_at_checked(key_length).unwrap_or((line, &[]));
    let value = match trim_blanks_start(rest) {
        [first, rest @ ..] if is_separator(*first) => trim_blanks_start(rest),
        value => value,
    };
    (key, value)
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b'=' | b':')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0c')
}

fn trim_blanks_start(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_blank(*first)
    {
        text = rest;
    }
    text
}

/// Resolves the escapes of a key or a value. A backslash before any other
/// character is dropped.
fn unescape(mut text: &[u8]) -> Result<String, PropertiesError> {
    let mut units = Vec::with_capacity(text.len());
    loop {
        let unit = match text {
            [b'\\', b'u', rest @ ..] => {
                let (digits, rest) = rest
                    .split_first_chunk::<4>()
                    .ok_or(PropertiesError::MalformedEscape)?;
                text = rest;
                hexadecimal(*digits).ok_or(PropertiesError::MalformedEscape)?
            }
            [b'\\', escaped, rest @ ..] => {
                text = rest;
                u16::from(match escaped {
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b'f' => b'\x0c',
                    other => *other,
                })
            }
            [plain, rest @ ..] => {
                text = rest;
                u16::from(*plain)
            }
            [] => return Ok(String::from_utf16_lossy(&units)),
        };
        units.push(unit);
    }
}

/// The number that four hexadecimal digits of either case make.
fn hexadecimal(digits: [u8; 4]) -> Option<u16> {
    digits.into_iter().try_fold(0_u16, |number, digit| {
        let digit = u16::try_from(char::from(digit).to_digit(16)?).ok()?;
        Some(number << 4 | digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files and what Java 17 loads from them.
    const JAVA: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/data/java-properties/java17.tsv"
    ));

    #[test]
    fn files_are_read_as_java_reads_them() {
        let mut rows = 0;
        for row in JAVA.lines().filter(|row| !row.starts_with('#')) {
            let (input, expected) = row.split_once('\t').unwrap();
            let text: String = serde_json::from_str(input).unwrap();
            let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
            match (load(&bytes), expected.strip_prefix("ERR ")) {
                (Err(error), Some(message)) => {
                    assert_eq!(alloc::format!("{error}"), message, "{input}");
                }
                (Ok(pairs), None) => {
                    let expected: BTreeMap<String, String> =
                        serde_json::from_str(expected).unwrap();
                    assert_eq!(pairs, expected, "{input}");
                }
                (actual, _) => panic!("{input} gave {actual:?}, expected {expected}"),
            }
            rows += 1;
        }
        assert_eq!(rows, 103);
    }
}
