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

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts are those of Java 17.
    #[test]
    fn malformed_utf_8_is_replaced_as_java_replaces_it() {
        let rows: [(&[u8], &str); 20] = [
            (b"a\xc3\xa9\xf0\x9f\x98\x80", "a\u{e9}\u{1f600}"),
            (b"a\xffb", "a\u{fffd}b"),
            (b"\x80", "\u{fffd}"),
            (b"\xc0\x80", "\u{fffd}\u{fffd}"),
            (b"\xc3", "\u{fffd}"),
            (b"\xc3A", "\u{fffd}A"),
            (b"\xe0\x80\x80", "\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xe2\x82", "\u{fffd}"),
            (b"\xe2\x82A", "\u{fffd}A"),
            (b"\xed\xa0\x80", "\u{fffd}"),
            (b"\xed\xa0", "\u{fffd}"),
            (b"\xed\xa0A", "\u{fffd}A"),
            (b"\xed\xbf\xbfa", "\u{fffd}a"),
            (b"\xed\xb0\x80\xed", "\u{fffd}\u{fffd}"),
            (b"\xed\x9f\xbf", "\u{d7ff}"),
            (b"\xf0\x9f\x98", "\u{fffd}"),
            (b"\xf0\x9f\x98A", "\u{fffd}A"),
            (b"\xf0\x80\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xf4\x90\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xf8\x88\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
        ];
        for (bytes, text) in rows {
            assert_eq!(decode_utf8(bytes), text, "{bytes:x?}");
        }
    }
}
