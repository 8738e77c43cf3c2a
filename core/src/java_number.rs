//! Numbers in text, read as Java reads them (`Integer.parseInt`,
//! `Short.parseShort`).
//!
//! An optional `+` or `-`, then one or more decimal digits, leading zeros
//! included, and nothing else: no blanks, no underscores. Rust's own parsers
//! take exactly that, but for one thing: Java also takes the decimal digits of
//! other scripts, as in `٣`. They are refused here, since no tool writes them.

/// Reads `text` as Java's `Integer.parseInt` does, ASCII digits only. `None`
/// where Java throws `NumberFormatException`.
pub(crate) fn parse_i32(text: &str) -> Option<i32> {
    text.parse().ok()
}

/// Reads `text` as Java's `Short.parseShort` does, ASCII digits only. `None`
/// where Java throws `NumberFormatException`.
pub(crate) fn parse_i16(text: &str) -> Option<i16> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results are those of Java 17.
    #[test]
    fn numbers_are_read_as_java_reads_them() {
        for (text, integer, short) in [
            ("0", Some(0), Some(0)),
            ("-0", Some(0), Some(0)),
            ("+3", Some(3), Some(3)),
            ("-3", Some(-3), Some(-3)),
            ("0003", Some(3), Some(3)),
            ("32767", Some(32_767), Some(32_767)),
            ("32768", Some(32_768), None),
            ("-32769", Some(-32_769), None),
            ("2147483647", Some(i32::MAX), None),
            ("2147483648", None, None),
            ("-2147483648", Some(i32::MIN), None),
            ("-2147483649", None, None),
            ("", None, None),
            ("+", None, None),
            ("-", None, None),
            ("+-3", None, None),
            ("--3", None, None),
            (" 3", None, None),
            ("3 ", None, None),
            ("3\0", None, None),
            ("1_000", None, None),
            ("0x1", None, None),
            ("1.0", None, None),
        ] {
            assert_eq!(parse_i32(text), integer, "parseInt {text:?}");
            assert_eq!(parse_i16(text), short, "parseShort {text:?}");
        }
    }

    #[test]
    fn digits_of_other_scripts_are_refused_where_java_takes_them() {
        assert_eq!(parse_i32("\u{0663}"), None);
        assert_eq!(parse_i16("\u{ff13}"), None);
    }
}
