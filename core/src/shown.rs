//! Text that came from outside, made fit for a message.

use core::fmt;

/// Shows text that came from outside in a message: control characters are
/// escaped, so that a name can neither break the line nor steer a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            if character.is_control() || is_direction(character) {
                write!(f, "{}", character.escape_default())?;
            } else {
                fmt::Write::write_char(f, character)?;
            }
        }
        Ok(())
    }
}

/// Whether a character changes the direction of the text after it, or ends a
/// line without being a control character.
const fn is_direction(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn control_characters_are_shown_escaped() {
        assert_eq!(
            Shown("a\nb\u{1b}[2J\u{9b}é日").to_string(),
            "a\\nb\\u{1b}[2J\\u{9b}é日"
        );
    }

    #[test]
    fn what_turns_the_text_around_is_shown_escaped() {
        assert_eq!(
            Shown("a\u{202e}b\u{2066}c\u{2028}d\u{61c}").to_string(),
            "a\\u{202e}b\\u{2066}c\\u{2028}d\\u{61c}"
        );
    }
}
