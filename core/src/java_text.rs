//! Text as Java's `String` trims and decodes it.

use alloc::string::String;

/// Whether `String.trim` drops this character: a blank or a control character
/// of ASCII up to it, and no other kind of white space.
pub(crate) const fn is_blank(character: char) -> bool {
    character <= ' '
}

/// Java's `String.trim`.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// Java's `new String(bytes, UTF_8)`: what is malformed becomes U+FFFD. An
/// encoded surrogate is one malformed character, with one replacement.
pub(crate) fn decode_utf8(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut rest = bytes;
    loop {
        let error = match core::str::from_utf8(rest) {
            Ok(valid) => {
                text.push_str(valid);
                return text;
            }
            Err(error) => error,
        };
        let (valid, malformed) = rest.split_at(error.valid_up_to());
        text.push_str(core::str::from_utf8(valid).unwrap_or_default());
        text.push('\u{fffd}');
        rest = match malformed {
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, rest @ ..] | [0xed, 0xa0..=0xbf, rest @ ..] => rest,
            _ => malformed
                .get(error.error_len().unwrap_or(malformed.len())..)
                .unwrap_or_default(),
        };
    }
}
